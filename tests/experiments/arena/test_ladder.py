"""The ladder: matches take turns, an interrupted command continues, and the page tells what came of all games."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cli.running import mistake, output, run
from tests.experiments.arena.made_results import decided

from elcapitan.board.figures import packaged
from elcapitan.bots.registry import LEVELS
from elcapitan.cli import ladder
from elcapitan.cli.command_line import Terminal
from elcapitan.cli.ladder import LadderRun, read_submissions
from elcapitan.experiments.arena import games, play_arena, summarise
from elcapitan.experiments.arena.games import Config, Fixture, Played
from elcapitan.experiments.arena.ladder import Entrant, Match, Outcome, matches, outcome_of, page, rated

PLAYED: list[tuple[Sequence[str], int]] = []  # every game: who played, and its number
WORDS = ["--bots", "a,b:sims=1,c", "--players", "2,3", "--jobs", "1"]
A, B, C = Entrant("a", "a"), Entrant("b:sims=1", "b:sims=1"), Entrant("c", "c")
DOCS = Path(__file__).parents[3] / "docs"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ORIGIN = f'repository = "https://forge.example/me/rusher"\ncommit = "{COMMIT}"'
LIST = f"""
[[submission]]
name = "rusher"
player = "py:rusher:Rusher"
{ORIGIN}
"""


@pytest.fixture(autouse=True)
def by_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are decided by strength and dice, at once."""

    def play_game(config: Config, scheduled: Fixture, *, with_record: bool = False) -> Played:
        PLAYED.append((scheduled.bots, scheduled.number))
        strength = {"a": 1, "b:sims=1": 2, "c": 20, "py:rusher:Rusher": 3}
        found = decided(strength, scheduled).result
        return Played(replace(found, seed=scheduled.seed, rotation=scheduled.rotation), "{}\n")

    PLAYED.clear()
    monkeypatch.setattr(Terminal, "compile_rules", lambda _: 0.0)
    monkeypatch.setattr(games, "play_game", play_game)
    monkeypatch.setattr("elcapitan.players.seats.check", lambda spec: None)


def cells(line: str) -> list[str]:
    """The cells of a row of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_everybody_meets_everybody_alone() -> None:
    found = [(match.one.name, match.rest.name, match.players) for match in matches([A, B, C], [2, 3])]
    assert found[:3] == [("a", "b:sims=1", 2), ("a", "c", 2), ("b:sims=1", "c", 2)]
    assert len(found) == 9 and len(set(found[3:])) == 6


def test_the_page_has_ratings_and_every_match(tmp_path: Path) -> None:
    lines = output("ladder", tmp_path / "games", *WORDS, "--games", "40").splitlines()
    assert lines[0] == "# The ladder" and len(PLAYED) == 3 * 40 + 6 * 42
    assert f"{len(PLAYED)} games" in lines[2] and packaged().name in lines[2]
    assert "Each match has 40 to 42 of them" in lines[3]
    at = lines.index("## Ratings")
    table = [cells(line) for line in lines[at:] if line.startswith("|")][:5]
    assert table[0] == ["", "all", "two players", "three players", "games"]
    assert [row[0] for row in table[2:]] == ["`c`", "`b:sims=1`", "`a`"], "the strongest first"
    assert table[2][4] == str(2 * 40 + 4 * 42)
    three = lines.index("## Three players")
    head, _line, c, b, a = (cells(line) for line in lines[three:] if line.startswith("|"))
    assert head == ["", "`c`", "`b:sims=1`", "`a`"]
    share = summarise(play_arena(Config(("c", "a"), 3, games=40, seed=7), jobs=1)).bots[0].share
    assert share.low and share.high
    assert c == ["`c`", "", c[2], f"{100 * share.mean:.0f} ({100 * share.low:.0f} to {100 * share.high:.0f}) of 42"]
    assert b[2] == a[3] == "" and a[1].endswith("of 42")
    two = lines.index("## Two players")
    _head, _line, c, b, a = (cells(line) for line in lines[two:three] if line.startswith("|"))
    assert int(c[3].split()[0]) + int(a[1].split()[0]) == 100, "one match gives both"
    assert lines[-1] == "There are none yet."


def test_ratings_take_all_games_of_all_matches_in_turn(tmp_path: Path) -> None:
    run = LadderRun(tmp_path, matches([A, B, C], [2, 3]), 40, 7)
    assert run.play(Terminal(), 1, 60)
    played = {match: list(games.outcomes.values()) for match, games in run.kept().items()}
    for numbers in (None, 2, 3):
        found = rated(played, numbers)
        assert found["c"].mu > found["b:sims=1"].mu > found["a"].mu
        assert all(each.sigma < 25 / 3 for each in found.values())
    mixed = {match: tuple(reversed(played[match])) for match in played}
    assert rated(mixed) == rated(played), "the order in which games have finished is nothing"


def test_matches_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "time", SimpleNamespace(monotonic=lambda: 3.0 * sum("c" in bots for bots, _ in PLAYED)))
    run = LadderRun(tmp_path, matches([A, B, C], [2]), 40, 7)
    assert run.play(Terminal(), 1, 10_000)
    deals = [(*sorted(bots), number // 2) for bots, number in PLAYED[::2]]
    assert deals[:3] == [("a", "b:sims=1", 0), ("a", "c", 0), ("b:sims=1", "c", 0)], "first a deal of each"
    assert deals[3:22] == [("a", "b:sims=1", deal) for deal in range(1, 20)], "then those that take no time"
    last = [(one, deal) for one, _rest, deal in deals[22:]]
    assert last[:6] == [("a", 1), ("b:sims=1", 1), ("a", 2), ("a", 3), ("b:sims=1", 2), ("b:sims=1", 3)]
    assert len(deals) == 3 * 20


def test_an_interrupted_ladder_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*WORDS, "--games", "12", "--seed", "3"]
    planned = matches([A, B, C], [2, 3])
    parts, ends = LadderRun(tmp_path / "parts", planned, 12, 3), 0
    monkeypatch.setattr(ladder, "time", SimpleNamespace(monotonic=count().__next__))
    assert not parts.play(Terminal(), 1, 0) and not PLAYED, "there was no time for any"
    while not parts.play(Terminal(), 1, 20):  # looks at the clock
        ends += 1
    assert ends > 4 and len(PLAYED) == 9 * 12, "no game is played twice"
    told = output("ladder", tmp_path / "parts", *words)
    assert len(PLAYED) == 9 * 12
    whole = output("ladder", tmp_path / "whole", *words)
    assert told.replace("parts", "whole") == whole


def test_a_ladder_that_ran_out_of_time_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LadderRun, "play", lambda *_: False)
    result = run("ladder", tmp_path, *WORDS, "--minutes", "1")
    assert result.exit_code == 130 and result.stdout == "", "without games there is no page"
    assert "games played: 0 of 912." in result.stderr and "Run the same command again" in result.stderr


def test_matches_without_games_have_empty_cells() -> None:
    game = next(iter(play_arena(Config(("a", "b:sims=1"), 2, games=2, seed=7), jobs=1).games))
    played: dict[Match, Sequence[Outcome]] = dict.fromkeys(matches([A, B, C], [2]), ())
    played[next(iter(played))] = (outcome_of(game),)
    text = page(played, [A, B, C], seed=7, command="elcapitan ladder x", date="2026-01-01")
    assert "| `c` |  |  | 0 |" in text and "| `c` |  |  |  |" in text and "1 games" in text
    assert "Each match has 0 to 1 of them" in text


def test_the_page_tells_how_it_was_made(tmp_path: Path) -> None:
    words = ["--bots", "a", "--more", "c", "--players", "2", "--tiles", "Porto", "--games", "2", "--seed", "0"]
    text = output("ladder", tmp_path / "x y", *words, "--jobs", "1")
    made = f"elcapitan ladder '{tmp_path / 'x y'}' --bots a --more c --players 2 --tiles Porto --games 2 --seed 0\n"
    assert made in text and "with Porto, with seed 0" in text
    assert [path.name for path in (tmp_path / "x y").iterdir()] == ["a-c-2-porto"]


def test_a_program_that_has_changed_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output("ladder", tmp_path, *WORDS, "--games", "2")
    monkeypatch.setattr(ladder, "playing_sources", lambda: "others")
    assert run("ladder", tmp_path, *WORDS, "--games", "4").stderr.count("The program has changed since") == 1


def test_names_stay_in_their_cells() -> None:
    odd = Entrant("cmd:a | b", "cmd:a | b")
    text = page(dict.fromkeys(matches([A, odd], [2]), ()), [A, odd], seed=7, command="x", date="2026-01-01")
    assert "| `cmd:a \\| b` |" in text and odd.folder == "cmd_a_b"


def test_other_matches_are_refused(tmp_path: Path) -> None:
    output("ladder", tmp_path, *WORDS, "--games", "2")
    sentence = mistake("ladder", tmp_path, *WORDS, "--games", "2", "--seed", "8")
    assert sentence.endswith("were played with --seed 7, not 8; choose another folder.")


def test_submissions_stand_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "list.toml").write_text(LIST, encoding="utf-8")
    words = ["--bots", "a", "--submissions", str(tmp_path / "list.toml"), "--players", "2", "--games", "4"]
    page_file = tmp_path / "ladder.md"
    assert output("ladder", tmp_path / "games", *words, "--jobs", "1", "--page", page_file) == ""
    text = page_file.read_text(encoding="utf-8")
    assert "| `rusher` | [0123456789ab](https://forge.example/me/rusher) | 2, 3, 4, 5 | `py:rusher:Rusher` |" in text
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["a-rusher@0123456789ab-2"]
    assert f"--submissions {tmp_path / 'list.toml'} --players 2 --games 4 --seed 7 --page {page_file}" in text


def test_a_learner_trained_here_meets_others_only_where_it_can_play(tmp_path: Path) -> None:
    learner = 'name = "learner"\nplayer = "py:rusher:Rusher"\nscript = "examples/research/train.py"\nplayers = "2"\n'
    (tmp_path / "list.toml").write_text(f"[[submission]]\n{learner}", encoding="utf-8")
    words = ["--bots", "a,c", "--submissions", str(tmp_path / "list.toml"), "--players", "2,3", "--games", "3"]
    text = output("ladder", tmp_path / "games", *words, "--jobs", "1")
    assert {path.name for path in (tmp_path / "games").iterdir()} == {"a-c-2", "a-learner-2", "c-learner-2"} | {
        f"{one}-{rest}-3" for one, rest in ("ac", "ca")
    }
    script = "[examples/research/train.py](../examples/research/train.py)"
    assert f"| `learner` | {script} | 2 | `py:rusher:Rusher` |" in text
    rating = next(cells(line) for line in text.splitlines() if line.startswith("| `learner` |"))
    assert rating[2] and not rating[3], "it has no rating where it does not play"
    assert "`learner`" not in text.partition("## Three players")[2].partition("## Submissions")[0]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        (f'commit = "{COMMIT}"', 'commit = "main"', "commit"),
        (f'commit = "{COMMIT}"', "", "commit"),
        ("https://", "http://", "repository"),
        ("/rusher", "/rus)her|", "repository"),
        ('"rusher"', '"rush|er"', "name"),
        ('"py:rusher:Rusher"', "3", "player"),
        ('"py:rusher:Rusher"', '"py:rusher:Ru|sher"', "player"),
        ("name =", 'more = "x"\nname =', "more"),
        ("name =", 'script = "examples/train.py"\nname =', "repository"),
        (ORIGIN, 'script = "../train.py"', "script"),
        ("name =", 'players = "1,2"\nname =', "players"),
        ("name =", "players = 2\nname =", "players"),
    ],
)
def test_a_bad_submission_is_named(tmp_path: Path, old: str, new: str, key: str) -> None:
    file = tmp_path / "list.toml"
    file.write_text(LIST + LIST.replace(old, new), encoding="utf-8")
    sentence = mistake("ladder", tmp_path / "games", "--submissions", file)
    assert sentence == f"In {file}, submission 2: {key} is missing, unknown or not as it must be."


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "No such file or directory"), ("[", "Invalid"), ("submission = 3", "[[submission]]"), ("x = 3", "[[subm")],
)
def test_a_list_that_cannot_be_read_is_named(tmp_path: Path, content: str | None, problem: str) -> None:
    file = tmp_path / "list.toml"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    sentence = mistake("ladder", tmp_path / "games", "--submissions", file)
    assert sentence.startswith(f"{file} is not a list of submissions: {problem}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "a"], "A ladder needs at least two computer players."),
        (["--bots", "a,b", "--more", "a"], "a is named twice; on a ladder everybody stands once."),
        (["--players", "6"], "--players wants numbers from 2 to 5 with commas between them, not 6."),
    ],
)
def test_mistakes(tmp_path: Path, words: list[str], sentence: str) -> None:
    assert mistake("ladder", tmp_path, *words) == sentence


def test_all_levels_play_if_nobody_is_named() -> None:
    found = ladder.read_entrants(None, "py:mine:Mine", None)
    assert [each.spec for each in found] == [*LEVELS, "py:mine:Mine"]


def test_our_own_list_and_page_are_in_order() -> None:
    listed = {each.name for each in read_submissions(DOCS / "ladder.toml")}
    text = (DOCS / "ladder.md").read_text(encoding="utf-8")
    table = text.partition("## Ratings")[2].partition("## ")[0]
    names = {cells(line)[0].strip("`") for line in table.splitlines() if line.startswith("| `")}
    assert len(names) > 4 and {name.partition(":")[0] for name in names} <= {*LEVELS, *listed}
