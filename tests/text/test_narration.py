"""The log of a game: everything that happened, told once."""

import time

import pytest
from tests.playing import game_with_voyage, random_game
from tests.standing import TABLES

from elcapitan.actions import union as act
from elcapitan.board.figures import packaged
from elcapitan.engine.actions import END
from elcapitan.game.game import Act, Game, Reveal
from elcapitan.position.facts import bits
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.text.consequences import Teller
from elcapitan.text.narration import LogNarrator, entries


def teller(language: str = "en", *names: str) -> Teller:
    return Teller(translator(language), packaged(), names)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_everything_is_in_the_log(players: int, tiles: tuple[str, ...], language: str) -> None:
    game = random_game(players, tiles, seed=players)
    log = entries(game, teller(language))
    for entry in log:
        assert entry.sentences and all(text.endswith((".", "!")) and "{" not in text for text in entry.sentences)
        assert len(" ".join(entry.sentences)) < 400
    acts = [(number, event.seat) for number, event in enumerate(game.events) if isinstance(event, Act)]
    told = [(entry.number, entry.seat) for entry in log if entry.seat is not None]
    assert set(told) <= set(acts) and len(told) == len(set(told)) > 0
    assert {*acts} - {*told} == {
        (number, seat)
        for number, seat in acts
        if game.events[number].numbers[0] == END  # type: ignore[union-attr]
    }
    turned = [card for event in game.events if isinstance(event, Reveal) for card in (event.card,)]
    assert sorted(turned) == sorted(card for entry in log for card in bits(entry.cards))
    assert [entry.paid for entry in log if entry.kind == "payday"] == [
        tuple(income.total for income in payday.paid) for payday in game.paydays
    ]
    assert (log[-1].kind == "result") == game.over
    assert [entry.number for entry in log] == sorted(entry.number for entry in log)


def test_entries_of_a_turn_belong_together() -> None:
    game = Game.new(3, first=1, seed=3)
    first, *_ = entries(game, teller("en", "Anna", "Bruno", "Cleo"))
    assert first.sentences == ("The first cards are for sale, and Bruno begins.",) and first.kind == "deal"
    for text in ("buy Marseille/3", "sail Marseille/3", "build 2", "end"):
        game.play_text(text)
    _deal, buy, sail, build, cards = entries(game, teller())
    assert buy.sentences == ("Yellow buys Marseille (3 seals) for 6.",)
    assert sail.sentences[1] == "The ship takes harbour 1, where a warehouse costs 4."
    assert [entry.kind for entry in (buy, sail, build, cards)] == ["action", "action", "action", "cards"]
    assert [type(entry.action) for entry in (buy, sail, build)] == [act.Buy, act.Sail, act.Build]
    assert buy.turn == sail.turn == build.turn == cards.turn and (buy.phase, buy.round) == (1, 1)
    assert cards.sentences[0].startswith("New for sale: ") and cards.seat is None
    game.play(game.legal()[0])
    assert entries(game, teller())[-1].turn != buy.turn


def test_a_payday_comes_before_what_follows_it() -> None:
    game = random_game(3, seed=2)
    log = entries(game, teller("en", "Anna", "Bruno", "Cleo"))
    payday = next(number for number, entry in enumerate(log) if entry.kind == "payday")
    assert log[payday].sentences[0].startswith("Payday 1: Anna ")
    assert all(entry.phase == 1 for entry in log[:payday]) and log[-1].kind == "result"
    later = [sentence for entry in log[payday:] if entry.kind == "afterwards" for sentence in entry.sentences]
    checks = [
        number for number, sentence in enumerate(later) if sentence.startswith("Money check, cash less loans: 1. ")
    ]
    assert len(checks) == 2 and later[checks[0] + 1].endswith("names the starting player.")
    assert checks[0] < later.index("Phase 2 begins. Everyone gets new pieces.") < checks[1]


def test_a_voyage_of_the_pirate_is_told_when_it_lands() -> None:
    game, voyage = game_with_voyage(cards=2)
    known = len(entries(game, teller()))
    game.play_all(voyage[:-1])
    assert len(entries(game, teller())) == known
    game.play(voyage[-1])
    assert "takes the pirate to" in entries(game, teller())[-1].sentences[0]


@pytest.mark.parametrize(("players", "tiles"), TABLES[:4])
def test_a_growing_log_is_the_log_of_the_whole(players: int, tiles: tuple[str, ...]) -> None:
    log_narrator = LogNarrator()
    game = random_game(players, tiles, seed=4, most=30)
    for _ in range(15):
        game.play(game.legal()[-1])
        assert log_narrator.entries(game, teller("de")) == entries(game, teller("de"))
    game.take_back(4)
    assert log_narrator.entries(game, teller("de")) == entries(game, teller("de"))
    game.draw()
    game.play(game.legal()[0])
    assert log_narrator.entries(game, teller("de")) == entries(game, teller("de"))
    assert log_narrator.entries(game, teller("fr")) == entries(game, teller("fr"))
    assert log_narrator.entries(game, teller("de", "Anna")) == entries(game, teller("de", "Anna"))


@pytest.mark.compiled
def test_it_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    game = random_game(4, ("Porto", "Lisboa"), seed=1)
    log_narrator = LogNarrator()
    begin = time.perf_counter()
    log_narrator.entries(game, teller())
    first = time.perf_counter() - begin
    begin = time.perf_counter()
    log_narrator.entries(game, teller())
    again = time.perf_counter() - begin
    with capsys.disabled():
        print(f" [{len(game.events)} events, {first * 1000:.1f} ms, again {again * 1000:.1f} ms]", end="")  # noqa: T201
    assert first < 0.5 and again < 0.1  # ten times what it takes
