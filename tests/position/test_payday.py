"""A payday step by step: everything adds up, and the reasons are right."""

import pytest
from tests.playing import random_game
from tests.standing import TABLES, game_at, games_on_the_way

from elcapitan.board.figures import packaged
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.rules import payday as reasons
from elcapitan.engine.vocabulary import CITY_NAMES, MAIN_CITIES
from elcapitan.game.game import Game
from elcapitan.game.position_queries import Income
from elcapitan.position.facts import DecodedPosition
from elcapitan.position.payday import TIE, PaydayStep, steps, steps_of
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.text.consequences import Teller
from elcapitan.text.payday import sentences, title
from elcapitan.text.rulebook import items

TELLER = Teller(translator("en"), packaged(), ["Anna", "Bruno", "Cleo", "Dora", "Emil"])


def now(game: Game) -> list[PaydayStep]:
    """A payday in the position in which a game stands."""
    return steps(DecodedPosition(game.view_for(0), game.figures))


def told(game: Game, kind: str, city: str | None = None) -> list[tuple[str, str]]:
    """The sentences about a step, with their rules."""
    number = None if city is None else CITY_NAMES.index(city)
    step = next(step for step in now(game) if (step.kind, step.city) == (kind, number))
    return [(reason.text, reason.rule) for reason in sentences(step, TELLER)]


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[:1])
@pytest.mark.parametrize("policy", [LIGHT, UNIFORM])
def test_paydays_that_were_held_add_up(players: int, tiles: tuple[str, ...], policy: int) -> None:
    game = random_game(players, tiles, seed=players, policy=policy)
    moments = list(game.history())
    assert [moment.payday for moment in moments if moment.payday] == game.paydays
    for moment in moments:
        check_sums(steps_of(moment, game.figures), moment.payday.paid if moment.payday else ())
    assert len(game.paydays) == 3


def check_sums(told: list[PaydayStep], incomes: tuple[Income, ...]) -> None:
    """All lines of a seat together are what it is paid, item by item."""
    assert told == [] or told[-1].running == tuple(income.total for income in incomes)
    for income in incomes:
        lines = [(step, line) for step in told for line in step.lines if line.seat == income.seat]
        assert sum(line.amount for _step, line in lines) == income.total
        for kind, paid in (("city", income.majority), ("fortress", income.fortress)):
            found = {
                CITY_NAMES[step.city]: line.amount
                for step, line in lines
                if step.kind == kind and step.city is not None
            }
            assert {city: amount for city, amount in found.items() if amount} == paid


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_reasons_fit_the_amounts(players: int, tiles: tuple[str, ...]) -> None:
    seen = set()
    for game in games_on_the_way(players, tiles, seed=60 + players, every=9):
        check_sums(now(game), game.forecast())
        for step in now(game):
            for line in step.lines:
                seen.add(line.reason)
                if step.city is not None:
                    share = {
                        reasons.FIRST: step.worth,
                        reasons.FULLEST: step.worth,
                        reasons.ONE_OF_FULLEST: step.worth,
                        reasons.SECOND: step.worth // 2,
                        reasons.PRESENT: step.worth // 2,
                        reasons.FORTRESS: step.worth // 2,
                    }
                    assert line.amount == share.get(line.reason, 0)
                    assert line.reason != reasons.PRESENT or step.city >= MAIN_CITIES
            ranks = [line.rank for line in step.lines]
            assert step.kind != "city" or ranks == list(range(1, len(ranks) + 1))
    assert {reasons.FIRST, reasons.SPREAD} <= seen and (reasons.ONLY_FIRST in seen) <= (players == 2)


def test_every_reason_has_a_rule_of_the_book() -> None:
    assert set(reasons.REASON_RULES.values()) | {TIE} <= set(items("en"))


def test_ties_are_broken_by_position() -> None:
    """[EX-17, MAJ-02, MAJ-03, MAJ-04, MAJ-05]"""
    game = game_at("4 players, R to move \n Marseille [. .] R G B G B")
    assert told(game, "city", "Marseille") == [
        ("Cleo is first with 2 warehouses and receives the full amount, 20.", "MAJ-02"),
        ("Cleo and Dora are tied; Cleo is nearer the start.", "MAJ-04"),
        ("Dora is second with 2 warehouses and receives half, 10.", "MAJ-03"),
        ("Anna is on rank 3 with 1 warehouse and receives nothing.", "MAJ-05"),
    ]


def test_a_neutral_colour_on_first_rank() -> None:
    """[EX-30, TWO-12, TWO-13]"""
    game = game_at("2 players, R to move \n Marseille [. .] r Y")
    assert told(game, "city", "Marseille") == [
        ("Anna (neutral) is first with 1 warehouse, so the full amount goes to nobody.", "TWO-13"),
        ("Anna (neutral) and Bruno are tied; Anna (neutral) is nearer the start.", "MAJ-04"),
        ("Bruno is on rank 2 with 1 warehouse and receives nothing.", "TWO-12"),
    ]


def test_everybody_present_earns_half_in_a_tile_city() -> None:
    """[EXP-12]"""
    game = game_at("4 players, R to move \n Porto [. . .] R Y G R")
    rules = [rule for _sentence, rule in told(game, "city", "Porto")]
    assert rules == ["MAJ-02", "EXP-12", "MAJ-04", "EXP-12"]


def test_fortresses_in_full_and_other_cities() -> None:
    """[FORTPAY-01, FORTPAY-02, FORTPAY-03]"""
    one = game_at("4 players, R to move \n Marseille [. .] R G forts(R Y) \n Napoli [. .] G forts(B .)")
    assert [rule for _text, rule in told(one, "fortress", "Marseille")] == ["FORTPAY-02"] * 2
    assert [rule for _text, rule in told(one, "fortress", "Napoli")] == ["FORTPAY-01"]
    two = game_at("4 players, R to move \n Marseille [. .] R G forts(R Y) \n Napoli [. .] G B forts(B .)")
    assert told(two, "fortress", "Napoli")[0][1] == "FORTPAY-03"


def test_proliferation_and_bonus() -> None:
    """[PROL-04, PROL-07]"""
    game = game_at("4 players, phase 3, R to move \n R 1st bonus \n Marseille [. .] R \n Napoli [. .] R")
    assert told(game, "proliferation") == [("Anna has warehouses in 2 cities and receives 2.", "PROL-04")]
    assert told(game, "bonus") == [("Anna receives 15 for the bonus card.", "PROL-07")]
    assert [title(step, TELLER.translator) for step in now(game)] == [
        "proliferation",
        "Marseille",
        "Napoli",
        "bonus cards",
    ]


def test_an_event_without_payday_has_no_steps() -> None:
    game = Game.new(3, first=0, seed=3)
    assert steps_of(next(game.history()), game.figures) == [] and game.paydays == [] and now(game) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_in_every_language(language: str) -> None:
    teller = Teller(translator(language), packaged())
    for game in games_on_the_way(3, ("Porto",), seed=5, every=40):
        for step in now(game):
            assert title(step, teller.translator)
            for reason in sentences(step, teller):
                assert reason.text.endswith(".") and "{" not in reason.text
