"""An arena that goes on: the same as one that was never broken off."""

import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.cli.running import flat, mistake, output, run
from tests.experiments.arena.started_commands import running
from tests.experiments.arena.toy_bots import LOWEST, toys

from elcapitan.board.figures import packaged
from elcapitan.cli import arena_folder
from elcapitan.cli.arena_folder import open_folder
from elcapitan.errors import BadRecord
from elcapitan.experiments.arena import Config, GameResult, play_arena
from elcapitan.experiments.arena.games import Played
from elcapitan.experiments.arena.kept_games import LONGEST_LINE, plan_of, read_result
from elcapitan.text.catalogue import LANGUAGES

__all__ = ["toys"]
DATA = Path(__file__).parents[3] / "src" / "elcapitan" / "data"
BOTS = ["arena", "--bots", f"{LOWEST},{LOWEST}", "--players", "2"]
WORDS = [*BOTS, "--games", "6", "--seed", "7", "--jobs", "1"]
CONFIG = Config((LOWEST, LOWEST), 2, games=6, seed=7)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What six games at once write."""
    folder = tmp_path_factory.mktemp("arena") / "unbroken"
    output(*WORDS, "--out", folder)
    return folder


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A folder in which two games were played."""
    folder = tmp_path / "begun"
    output(*BOTS, "--games", "2", "--seed", "7", "--jobs", "1", "--out", folder)
    return folder


def same_files(one: Path, other: Path) -> bool:
    """Whether two folders hold the same, but for when and where it was played."""
    names = sorted(path.relative_to(one) for path in one.rglob("*"))
    assert names == sorted(path.relative_to(other) for path in other.rglob("*"))
    return all(
        (one / n).read_bytes() == (other / n).read_bytes() for n in names if (one / n).suffix and n.stem != "run"
    )


def lines_of(folder: Path) -> list[bytes]:
    """The results that are written in a folder."""
    return (folder / "games.jsonl").read_bytes().splitlines(keepends=True)


def test_a_killed_arena_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    few = [*BOTS, "--games", "60", "--seed", "7"]
    with running(*few, "--jobs", "2", "--out", str(folder)) as arena:
        until = time.monotonic() + 120
        while not (folder / "games.jsonl").exists() or len(lines_of(folder)) < 3:
            assert arena.poll() is None and time.monotonic() < until
            time.sleep(0.001)
        os.killpg(arena.pid, signal.SIGKILL)
        arena.wait()
    kept = [line for line in lines_of(folder) if line.endswith(b"\n")]
    assert 3 <= len(kept) < 60 and not (folder / "results.json").exists()
    page = output(*few, "--jobs", "2", "--out", folder)
    assert flat(page).startswith(f"Games played earlier: {len(kept)} of 60. 60 games, 2 players, seed 7")
    output(*few, "--jobs", "1", "--out", whole)
    assert same_files(whole, folder)


def test_half_written_files_are_removed_and_others_are_not(begun: Path, unbroken: Path, tmp_path: Path) -> None:
    for name in ("games/.game-000003.json.17", ".report.html.17", ".games.jsonl.17"):
        (begun / name).write_text("{", encoding="utf-8")
    (begun / ".notes.txt").write_text("mine", encoding="utf-8")
    output(*WORDS, "--out", begun)
    (begun / ".notes.txt").unlink()
    assert same_files(unbroken, begun)


@pytest.mark.parametrize("lost", [1, 2, 500, 1200])
def test_the_end_of_a_torn_line_is_dropped(unbroken: Path, tmp_path: Path, lost: int) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(unbroken, folder)
    written = (folder / "games.jsonl").read_bytes()
    (folder / "games.jsonl").write_bytes(written[:-lost])
    kept = written[:-lost].count(b"\n")
    page = flat(output(*WORDS, "--out", folder))
    assert kept in (4, 5) and page.startswith(f"Games played earlier: {kept} of 6.")
    assert same_files(unbroken, folder)


def test_games_that_are_kept_are_not_played_again(unbroken: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """And they need not be those with the lowest numbers, nor be written in order."""
    lines = lines_of(unbroken)
    folder = tmp_path / "some"
    shutil.copytree(unbroken, folder)
    (folder / "games.jsonl").write_bytes(lines[5] + lines[2])
    played: list[int] = []
    add = arena_folder.ArenaFolder.add

    def watched(self: arena_folder.ArenaFolder, game: Played) -> None:
        played.append(game.result.number)
        add(self, game)
        assert lines_of(folder)[-1] == lines[game.result.number], "it is written at once"

    monkeypatch.setattr(arena_folder.ArenaFolder, "add", watched)
    output(*WORDS, "--out", folder)
    assert played == [0, 1, 3, 4] and same_files(unbroken, folder)


def test_more_games_extend_an_arena(begun: Path, unbroken: Path) -> None:
    printed = output(*BOTS, "--games", "6", "--jobs", "2", "--out", begun, "--json")
    assert printed == (unbroken / "results.json").read_text(encoding="utf-8"), "and the seed is that of the folder"
    assert same_files(unbroken, begun)


def test_fewer_games_are_refused(unbroken: Path) -> None:
    sentence = f"In {unbroken} there are more games than --games 4 asks for: give at least 6."
    assert mistake(*BOTS, "--games", "4", "--out", unbroken) == sentence


def test_a_complete_arena_is_told_again(unbroken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(unbroken, folder)
    page = output(*WORDS, "--out", folder)
    assert "Games played earlier: 6 of 6." in page and "Games a second" not in page
    assert same_files(unbroken, folder)
    assert (folder / "run.json").read_bytes() == (unbroken / "run.json").read_bytes(), "nothing was played"


def test_control_c_keeps_everything_and_says_how_to_continue(begun: Path, unbroken: Path, monkeypatch: Any) -> None:
    add = arena_folder.ArenaFolder.add

    def interrupted(self: arena_folder.ArenaFolder, game: Played) -> None:
        if game.result.number == 4:
            raise KeyboardInterrupt
        add(self, game)

    with monkeypatch.context() as patched:
        patched.setattr(arena_folder.ArenaFolder, "add", interrupted)
        stopped = run(*WORDS, "--out", begun)
    assert stopped.exit_code == 130
    sentence = "Run the same command again to continue."
    assert stopped.stderr == f"Stopped early; games played: 4 of 6.\n{sentence}\n"
    assert "4 games, 2 players, seed 7, deals: 2" in stopped.stdout
    output(*WORDS, "--out", begun)
    assert same_files(unbroken, begun)


def changed_plan(**changes: object) -> Callable[[Path], None]:
    """Change what a folder says about its games."""

    def change(folder: Path) -> None:
        plan = json.loads((folder / "arena.json").read_text(encoding="utf-8"))
        (folder / "arena.json").write_text(json.dumps({**plan, **changes}), encoding="utf-8")

    return change


ANOTHER = "choose another folder."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "trader"], f"--bots {LOWEST},{LOWEST}, not trader; {ANOTHER}"),
        (["--players", "3"], f"--players 2, not 3; {ANOTHER}"),
        (["--tiles", "Porto,Lisboa"], f"--tiles none, not Porto,Lisboa; {ANOTHER}"),
        (["--seed", "8"], f"--seed 7, not 8; {ANOTHER}"),
        (["--buy-before-loan"], f"out --buy-before-loan; leave it out, or {ANOTHER}"),
        (["--no-reopen-shuts"], f"out --no-reopen-shuts; leave it out, or {ANOTHER}"),
        (["--pirate-before-loan"], f"out --pirate-before-loan; leave it out, or {ANOTHER}"),
    ],
)
def test_another_arena_is_refused(begun: Path, words: Sequence[str], sentence: str) -> None:
    before = {path: path.read_bytes() for path in begun.rglob("*") if path.is_file()}
    said = mistake(*WORDS, *words, "--out", begun)
    between = "" if sentence.startswith("out ") else " "
    assert said == f"The games in {begun} were played with{between}{sentence}"
    assert before == {path: path.read_bytes() for path in begun.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed_plan(options={"buy_before_loan": True, "reopen_shuts": True, "pirate_before_loan": False}),
         "The games in {} were played with --buy-before-loan; give it again, or choose another folder."),
        (changed_plan(rules="0"),
         "The games in {} were played by version 0 of the rules; these are version 1. Choose another folder."),
        (changed_plan(board="mediterranean@0"), "The games in {} were played with --board mediterranean@0, not medi"),
        (changed_plan(seed="\n" * 5000), "The games in {} were played with --seed '\\n\\n"),
        (changed_plan(bots=[["x"] * 1000]), "The games in {} were played with --bots [["),
        (changed_plan(format="elcapitan-arena-plan/2"), "{}/arena.json does not say which games were played here; "),
        (changed_plan(options=7), "{}/arena.json does not say which games were played here; "),
        (changed_plan(x=[[]] * 200_000), "{}/arena.json does not say which games were played here; "),
        (lambda folder: (folder / "arena.json").write_bytes(b"[1]"), "{}/arena.json does not say which games"),
        (lambda folder: (folder / "arena.json").write_bytes(b"\xff"), "{}/arena.json does not say which games"),
        (lambda folder: (folder / "arena.json").write_bytes(b"[" * 10**6), "{}/arena.json does not say which games"),
        (lambda folder: (folder / "arena.json").unlink(), "{} has the results of another arena already; choose "),
    ],
)  # fmt: skip
def test_a_folder_of_other_games_is_refused(begun: Path, change: Callable[[Path], None], sentence: str) -> None:
    change(begun)
    said = mistake(*WORDS, "--out", begun)
    assert said.startswith(sentence.format(begun)) and len(said) < 500


def test_a_changed_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toys: None) -> None:
    words = ["arena", "--bots", "debtor", "--players", "2", "--seed", "7", "--jobs", "1", "--out", str(tmp_path)]
    monkeypatch.setattr("elcapitan.experiments.arena.kept_games.data_files", lambda *_: ("champion.npz",))
    output(*words, "--games", "2")
    monkeypatch.setattr("elcapitan.experiments.arena.kept_games._file_digest", lambda _: "other")
    sentence = f"champion.npz has changed since the games in {tmp_path} were played; choose another folder."
    assert mistake(*words, "--games", "4") == sentence


def test_what_champions_and_planners_have_learned_belongs_to_the_plan() -> None:
    def files(bots: tuple[str, ...], players: int) -> dict[str, str]:
        return {**plan_of(Config(bots, players))["data"]}

    def digests(*names: str) -> dict[str, str]:
        return {name: hashlib.sha256((DATA / name).read_bytes()).hexdigest()[:16] for name in names}

    assert files((LOWEST, "cmd:./captain"), 4) == {}
    assert files((LOWEST, "admiral:ms=5"), 4) == digests("worth.toml")
    assert files(("champion",), 2) == digests("champion_for_two.npz", "worth.toml")
    assert files(("captain", "champion:sims=1"), 3) == digests("champion.npz", "worth.toml")


def test_the_same_board_has_the_same_plan_under_any_name() -> None:
    own = packaged()
    named = type(own)(f"{own.name}@1234", own.boards, own.cards, own.printed)
    assert plan_of(Config((LOWEST,), board=named)) == plan_of(Config((LOWEST,)))


def test_changed_players_are_told(begun: Path, unbroken: Path) -> None:
    changed_plan(sources="older")(begun)
    answer = run(*WORDS, "--out", begun)
    assert answer.exit_code == 0
    assert answer.stderr == (
        f"The program has changed since the first games in {begun} were played: its computer players may play "
        "differently now.\n"
    )
    assert (begun / "results.json").read_bytes() == (unbroken / "results.json").read_bytes()


def test_two_arenas_cannot_write_to_the_same_folder(begun: Path) -> None:
    with open_folder(begun, CONFIG):
        said = mistake(*WORDS, "--out", begun)
    assert said == f"Another arena is writing to {begun} right now; wait for it, or choose another folder."
    output(*WORDS, "--out", begun)


@pytest.mark.parametrize("plan", [b"", b'{"format": "elc', b'{"seed": 5}'])
def test_a_plan_without_games_is_written_anew(tmp_path: Path, unbroken: Path, plan: bytes) -> None:
    folder = tmp_path / "early"
    folder.mkdir()
    (folder / "arena.json").write_bytes(plan)
    output(*WORDS, "--out", folder)
    assert same_files(unbroken, folder)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"7\n",
        b"\xff\n",
        b"[" * 100_000 + b"\n",
        b'{"number": ' + b"9" * 5000 + b"}\n",
        b"x" * LONGEST_LINE,
        b"x" * LONGEST_LINE + b"\n",
    ],
)
def test_a_damaged_line_is_refused_with_its_number(begun: Path, line: bytes) -> None:
    lines = lines_of(begun)
    (begun / "games.jsonl").write_bytes(lines[0] + line + lines[1])
    path = begun / "games.jsonl"
    sentence = f"In {path}: Line 2: This is not the result of a game of this arena."
    assert mistake(*WORDS, "--out", begun) == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("games.jsonl", "{}/games.jsonl cannot be read: "), ("arena.json", "{} cannot be written: ")],
)
def test_files_that_cannot_be_opened(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / name).mkdir()
    assert mistake(*WORDS, "--out", tmp_path).startswith(sentence.format(tmp_path))


def test_a_game_cannot_be_there_twice(begun: Path) -> None:
    path = begun / "games.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    assert mistake(*WORDS, "--out", begun).startswith(f"In {path}: Line 3: ")


@pytest.fixture(scope="module")
def result() -> GameResult:
    """What came of a game."""
    return play_arena(CONFIG, jobs=1).games[1]


def test_a_result_is_read_as_it_was_written(result: GameResult) -> None:
    assert read_result(json.dumps(result.to_json()).encode(), CONFIG) == result


def in_merchant(**changes: object) -> Callable[[dict[str, Any]], object]:
    """Change the result of the second merchant."""
    return lambda game: game["merchants"][1].update(changes)


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game.update(number=0),
        lambda game: game.update(number=-1),
        lambda game: game.update(number=10**18),
        lambda game: game.update(number="1"),
        lambda game: game.update(number=1.0),
        lambda game: game.update(deal=1),
        lambda game: game.update(seed=5),
        lambda game: game.update(line_up=1),
        lambda game: game.update(rotation=0),
        lambda game: game.update(first=2),
        lambda game: game.update(first=-1),
        lambda game: game.update(rounds=[7, 7]),
        lambda game: game.update(rounds=[7, 7, 10**7]),
        lambda game: game.update(actions=10**4000),
        lambda game: game.pop("actions"),
        lambda game: game["merchants"].pop(),
        lambda game: game["merchants"].reverse(),
        in_merchant(bot="admiral"),
        in_merchant(seat=0),
        in_merchant(position=5),
        in_merchant(money=10**7),
        in_merchant(money="5"),
        in_merchant(money=None),
        in_merchant(loans=-(10**7)),
        in_merchant(rank=0),
        in_merchant(rank=3),
        in_merchant(win=1.5),
        in_merchant(win=float("nan")),
        in_merchant(win=float("-inf")),
        in_merchant(paid=[1, 2]),
        in_merchant(paid=[1, 2, 10**7]),
        in_merchant(after_paydays=[1, 2, 3, 4]),
        in_merchant(after_paydays=[1, 2, -(10**7)]),
        in_merchant(sources={"start": 20}),
        in_merchant(fault=5),
        lambda game: game["merchants"][0]["sources"].update(start=10**7),
    ],
)
def test_an_impossible_result_is_refused(result: GameResult, change: Callable[[dict[str, Any]], object]) -> None:
    game = json.loads(json.dumps(result.to_json()))
    change(game)
    with pytest.raises(BadRecord, match="not the result of a game"):
        read_result(json.dumps(game).encode(), CONFIG)


def test_a_lost_cluster_leaves_the_games_that_were_kept(unbroken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "some"
    shutil.copytree(unbroken, folder)
    (folder / "games.jsonl").write_bytes(b"".join(lines_of(unbroken)[:3]))
    assert mistake(*WORDS[:-2], "--cluster", "nowhere", "--out", folder, "--json").startswith("nowhere is not an addr")
    assert lines_of(folder) == lines_of(unbroken)[:3]
    output(*WORDS[:-2], "--cluster", "nowhere", "--out", unbroken)  # nothing to play, nobody is asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_it(begun: Path, language: str) -> None:
    said = mistake(*WORDS, "--seed", "9", "--out", begun, ELCAPITAN_LANGUAGE=language)
    assert "--seed" in said and "7" in said and "9" in said and str(begun) in said
