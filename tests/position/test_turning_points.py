"""What decided a game: the largest payment, the best investment, and net worth with the paydays where they were."""

import pytest
from tests.playing import random_game
from tests.standing import TABLES

from elcapitan.engine.jit import COMPILED
from elcapitan.game.game import Game
from elcapitan.position.facts import DecodedPosition
from elcapitan.position.ledger import (
    FORTRESS_COSTS,
    FORTRESSES,
    LISBOA,
    MAJORITIES,
    WAREHOUSES,
    best_investment,
    investments,
    largest_payment,
    ledger_of,
    purses,
)
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.text.consequences import Teller
from elcapitan.text.narration import another_point, turning_points


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[:1])
def test_no_payment_is_larger(players: int, tiles: tuple[str, ...]) -> None:
    game = random_game(players, tiles, seed=players)
    found = largest_payment(game)
    paid = [
        amount
        for payday in game.paydays
        for income in payday.paid
        for amount in (income.proliferation, income.bonus, *income.majority.values(), *income.fortress.values())
    ]
    assert (found.line.amount if found else 0) == max(paid, default=0)
    if found:
        assert found.line.seat is not None and found.payday in {payday.number for payday in game.paydays}


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[:1])
def test_investments_add_up_to_the_books(players: int, tiles: tuple[str, ...]) -> None:
    game = random_game(players, tiles, seed=players)
    found, sources = investments(game), ledger_of(game).sources
    for seat in range(players):
        own = [each for each in found if each.seat == seat]
        assert sum(each.spent for each in own) == -sources[seat][WAREHOUSES] - sources[seat][FORTRESS_COSTS]
        earned = sources[seat][MAJORITIES] + sources[seat][FORTRESSES] + sources[seat][LISBOA]
        assert sum(each.earned for each in own) == earned
    best = best_investment(game)
    assert (best.profit if best else 0) == max(0, *(each.profit for each in found))
    if best:
        built = list(game.history())[best.at - 1].event
        assert getattr(built, "seat", None) == best.seat


@pytest.mark.parametrize("seed", range(1, 9 if COMPILED else 2))
def test_paydays_are_marked_where_the_money_came(seed: int) -> None:
    game = random_game(3, seed=seed)
    kept, moments = purses(game), list(game.history())
    assert [each.payday for each in kept if each.payday] == [payday.number for payday in game.paydays]
    for each in kept:
        moment = moments[each.number]
        assert each.payday == (moment.payday.number if moment.payday else 0)
        after = DecodedPosition(moment.after, game.figures).merchants
        assert each.worths == tuple(merchant.cash - merchant.debt for merchant in after)
    if game.over:
        assert list(kept[-1].worths) == game.money


def test_before_a_payday_nothing_was_decided() -> None:
    game = Game.new(3, first=0, seed=1)
    assert largest_payment(game) is None and best_investment(game) is None
    assert turning_points(game, Teller(translator("en"), game.figures)) == []


@pytest.mark.parametrize("seed", range(1, 9 if COMPILED else 2))
def test_without_a_dear_mistake_another_thing_decided_a_game(seed: int) -> None:
    game, teller = random_game(3, seed=seed), Teller(translator("en"), Game.new(2).figures)
    first, second = turning_points(game, teller)
    third = another_point(game, teller)
    assert third is not None and third not in (first, second)
    assert len({first.title, second.title, third.title}) == 3
    profits = sorted((each.profit for each in investments(game)), reverse=True)
    if profits[1] > 0:
        assert third.figure == f"+{profits[1]}\N{NO-BREAK SPACE}ƒ" and third.at
    else:
        assert third.title == "Second-largest payment" and third.payday


def test_before_a_payday_nothing_else_was_decided() -> None:
    game = Game.new(3, first=0, seed=1)
    assert another_point(game, Teller(translator("en"), game.figures)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_decided_a_game_in_words(language: str) -> None:
    game = random_game(3, seed=2)
    payment, investment = turning_points(game, Teller(translator(language), game.figures, ["Inês", "Marco", "Leyla"]))
    assert payment.payday and payment.figure.startswith("+") and payment.sentence.endswith(".")
    assert investment.at and investment.sentence.endswith(".")
    assert any(name in investment.sentence for name in ("Inês", "Marco", "Leyla"))
