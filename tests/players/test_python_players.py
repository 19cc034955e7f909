"""Players written in Python: found by module and class or by the name of an entry point, asked, and replaced."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from tests.players.python_players import SEEN

from elcapitan.bots.bot import View
from elcapitan.engine.rng import generator
from elcapitan.errors import BadBot, BotFault
from elcapitan.game.game import Game
from elcapitan.players import python_players, seats
from elcapitan.players.python_players import PythonBot
from elcapitan.players.seats import ComputerPlayers, create_seat
from elcapitan.research.layout import part
from elcapitan.text.catalogue import translator

HERE = "py:tests.players.python_players"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package has registered some players; what tests put on the path is taken off again."""
    names = {
        "last": "Last",
        "told": "Told",
        "captain": "Mute",
        "human": "Mute",
        "cmd": "Mute",
        "py": "Mute",
        "lost": "Nobody",
    }
    found = {
        name: EntryPoint(name, f"tests.players.python_players:{target}", python_players.GROUP)
        for name, target in names.items()
    }
    monkeypatch.setattr(python_players, "registered", lambda: found)
    monkeypatch.setattr(sys, "path", list(sys.path))
    SEEN.clear()


def seated(spec: str) -> tuple[Game, PythonBot]:
    """A game, and a player in the seat that begins."""
    game = Game.new(3, first=0, seed=1)
    bot = create_seat(spec, game.setup, 0, game.figures)
    assert isinstance(bot, PythonBot)
    return game, bot


def decide(game: Game, bot: PythonBot) -> int:
    """One decision, carried out."""
    assert game.seat is not None
    action = bot.choose(View(game.view_for(game.seat), game.figures.boards), game.legal(), generator(1))
    game.play(action)
    return action


@pytest.mark.parametrize("spec", [f"{HERE}:Last", f"{HERE}:Box.Last", "last"])
def test_a_player_is_asked_with_all_that_its_seat_may_know(spec: str) -> None:
    game, bot = seated(spec)
    seats.check(spec)
    legal, seen = game.legal(), game.view_for(0).tobytes()
    assert decide(game, bot) == legal[-1] and bot.fault is None
    asked = SEEN[0]
    assert asked.actions == legal == np.flatnonzero(asked.mask).tolist()
    assert asked.view.seat == 0 and asked.view.players == 3 and asked.figures is game.figures
    assert part(asked.observation, "players").tolist() == [0, 1, 0, 0]
    assert asked.view.states.tobytes() == seen, "no secrets"
    bot.close()


def test_what_follows_the_class_is_its_argument() -> None:
    for spec in ("told:a:b=c", f"{HERE}:Told:a:b=c"):
        game, bot = seated(spec)
        decide(game, bot)
        assert bot.fault == f"{spec}: It returned 'a:b=c', which is not the number of a legal action."


def test_chance_comes_from_the_dice_of_the_seat() -> None:
    def played(seed: int) -> list[int]:
        game, bot = seated(f"{HERE}:Dicer")
        dice = generator(seed)
        found: list[int] = []
        while game.seat is not None and len(found) < 40:
            view = View(game.view_for(game.seat), game.figures.boards)
            found.append(bot.choose(view, game.legal(), dice))
            game.play(found[-1])
        return found

    assert played(1) == played(1) != played(2)


def test_a_player_can_spoil_only_its_own_copies() -> None:
    game, bot = seated(f"{HERE}:Vandal")
    legal = game.legal()
    view = View(game.view_for(0), game.figures.boards)
    before = view.states.tobytes()
    assert bot.choose(view, legal, generator(1)) == game.legal()[0]
    assert view.states.tobytes() == before and legal == game.legal()


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("Told:number", "It returned 7000, which is not the number of a legal action."),
        ("Told:true", "It returned 'yes', which is not the number of a legal action."),
        ("Told:nothing", "It returned None, which is not the number of a legal action."),
        ("Told:half", "It returned 0.5, which is not the number of a legal action."),
        ("Thrower", "It failed with ValueError: over board."),
        ("Quitter", "It failed with SystemExit: 4."),
        ("Stillborn", "It failed with RuntimeError."),
        ("Told", "It failed with TypeError: Told.__init__() missing 1 required positional argument: 'what'."),
    ],
)
def test_a_fault_is_named_and_the_seat_goes_on(player: str, sentence: str) -> None:
    spec = f"{HERE}:{player}"
    game, bot = seated(spec)
    for _ in range(3):
        decide(game, bot)
    assert bot.fault == f"{spec}: {sentence}" and isinstance(bot.problem, BotFault)
    bot.close()


def test_a_fault_has_the_end_of_the_traceback() -> None:
    game, bot = seated(f"{HERE}:Thrower:1")
    decide(game, bot)
    assert bot.problem is None
    decide(game, bot)
    assert bot.problem is not None
    words = "\n".join(bot.problem.last_words)
    assert 'raise ValueError("over\\nboard")' in words and words.endswith("ValueError: over\nboard")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("py:", "'py:' is not a Python player: write py:module:Class."),
        ("py:module", "'py:module' is not a Python player: write py:module:Class."),
        ("py::Class", "'py::Class' is not a Python player: write py:module:Class."),
        (
            "py:missing:Class",
            "The player py:missing:Class cannot be loaded: ModuleNotFoundError: No module named 'missing'.",
        ),
        (f"{HERE}:Nobody", f"The player {HERE}:Nobody cannot be loaded: AttributeError: module"),
        (f"{HERE}:Mute", f"The player {HERE}:Mute has no method “choose”."),
        ("lost", "The player lost cannot be loaded: AttributeError: module"),
        ("nobody", "There is no computer player nobody; there are wanderer"),
    ],
)
def test_who_is_not_found_is_named(spec: str, sentence: str) -> None:
    with pytest.raises(BadBot) as refused:
        seats.check(spec)
    assert str(refused.value).startswith(sentence)
    for language in ("de", "fr"):
        assert refused.value.sentence(translator(language).text) != str(refused.value), "it is translated"


def test_a_module_is_also_looked_for_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "class Mine:\n    def choose(self, decision):\n        return decision.actions[0]\n"
    (tmp_path / "of_my_own.py").write_text(source, encoding="utf-8")
    game, bot = seated("py:of_my_own:Mine")
    first = game.legal()[0]
    assert decide(game, bot) == first and bot.fault is None
    (tmp_path / "failing.py").write_text("raise SystemExit('gone')\n", encoding="utf-8")
    with pytest.raises(BadBot, match=r"The player py:failing:Mine cannot be loaded: SystemExit: gone\."):
        seats.check("py:failing:Mine")


def test_a_level_keeps_its_name() -> None:
    assert not seats.is_foreign("captain") and not seats.is_foreign("captain:sims=1")
    assert not isinstance(seats.create_seat("captain", Game.new(2).setup, 0, Game.new(2).figures), PythonBot)


def test_players_of_all_kinds_at_one_table() -> None:
    specs = ("human", f"{HERE}:Thrower", "last", "wanderer")
    players = ComputerPlayers(specs, Game.new(4, first=1, seed=1), 5.0)
    english = translator("en")
    assert [players.title(seat, english) for seat in range(4)] == ["", f"{HERE}:Thrower", "last", "wanderer"]
    players.choose()
    assert [(seat, fault.problem.reason) for seat, fault in players.faults()] == [(1, "bot-raised")]
    assert not players.faults()
    players.dismiss()


def test_what_is_somebody_elses_code() -> None:
    specs = ["human", "cmd:./mine", "py:mine:Mine", "last", "last:x", "captain", "nobody", "admiral:sims=4"]
    assert seats.foreign(specs) == ["cmd:./mine", "py:mine:Mine", "last", "last:x"]
