"""The two examples play complete games, and their page shows one of them as it is."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.running import output
from tests.players.bot_programs import SECONDS, command

from elcapitan.bots.bot import Bot, View
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.error_messages import REASONS
from elcapitan.game.game import Game
from elcapitan.players.seats import create_seat, dice, dismiss, split

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "bots"
PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
CHEAPEST = f"cmd:{shlex.join([sys.executable, str(EXAMPLES / 'cheapest.py')])}"
FIRST = f"cmd:{shlex.join(['sh', str(EXAMPLES / 'first.sh')])}"


def played(specs: Sequence[str], tiles: Sequence[str] = (), seed: int = 1) -> tuple[Game, list[Bot]]:
    """A whole game."""
    game = Game.new(len(specs), tiles, seed=seed)
    bots = [create_seat(spec, game.setup, seat, game.figures, SECONDS) for seat, spec in enumerate(specs)]
    rolls = [dice(seed, seat) for seat in range(game.players)]
    while (seat := game.seat) is not None:
        view = View(game.view_for(seat), game.figures.boards)
        game.play(bots[seat].choose(view, game.legal(), rolls[seat]))
    dismiss(bots, game)
    return game, bots


def test_a_complete_game_of_both_examples() -> None:
    game, bots = played([CHEAPEST, FIRST])
    assert game.over
    assert [(getattr(bot, "name", ""), getattr(bot, "fault", "")) for bot in bots] == [
        ("cheapest", None),
        ("first", None),
    ]


@pytest.mark.compiled
@pytest.mark.parametrize("players", [3, 5])
def test_complete_games_with_all_tiles(players: int) -> None:
    specs = [CHEAPEST, FIRST, "wanderer", CHEAPEST, FIRST][:players]
    game, bots = played(specs, TILE_NAMES, seed=players)
    assert game.over and not any(getattr(bot, "fault", None) for bot in bots)


@pytest.mark.parametrize("words", [["arena"], ["dataset", "--out", "games"]])
def test_programs_have_the_time_that_is_given_in_many_games_too(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    body = """
        while question["type"] == "choose":
            open("seconds", "a").write(f"{question['seconds']} ")
            answer(choose=0)
            question = hear()
    """
    bots = f"cmd:{command(tmp_path, body)},wanderer"
    output(*words, "--bots", bots, "--players", "2", "--games", "2", "--jobs", "1", "--bot-seconds", "77")
    assert set((tmp_path / "seconds").read_text(encoding="utf-8").split()) == {"77.0"}


def test_the_page_shows_an_example() -> None:
    assert (EXAMPLES / "cheapest.py").read_text(encoding="utf-8") in PAGE, "the example has changed"


def test_the_page_tells_the_truth(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    begin = PAGE.index("from elcapitan import Game")
    exec(PAGE[begin : PAGE.index("```", begin)], {})
    assert capsys.readouterr().out.endswith(" []\n")


def test_every_fault_stands_on_the_page() -> None:
    for code, sentence in REASONS.items():
        if code.startswith("bot-"):
            assert sentence.partition("{")[0] in PAGE, f"docs/bots.md lacks {sentence}"


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("human, captain", ("human", "captain")),
        ("human,cmd:./bot --depth 3,trader", ("human", "cmd:./bot --depth 3", "trader")),
        ("cmd:./bot 'a,b',cmd:\"./my bot\"", ("cmd:./bot 'a,b'", 'cmd:"./my bot"')),
        ("cmd:it's,human", ("cmd:it's", "human")),
        (" ", ()),
        ("human, ,", ("human", "", "")),
    ],
)
def test_lists_of_seats(text: str, seats: tuple[str, ...]) -> None:
    assert split(text) == seats


def test_dice_are_the_same_every_time_and_different_in_every_seat() -> None:
    assert dice(7, 0).tobytes() == dice(7, 0).tobytes()
    assert len({dice(seed, seat).tobytes() for seed in range(3) for seat in range(5)}) == 15
