"""The ranking on a payday: it begins with the purses of before, and ends with what was paid."""

import pytest
from tests.playing import random_game
from tests.standing import TABLES

from elcapitan.actions.union import TakeLoan, decode
from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.vocabulary import PHASES
from elcapitan.game.game import Act, Game, Moment
from elcapitan.game.position_queries import Income, Purse
from elcapitan.position.facts import DecodedPosition
from elcapitan.position.payday import PaydayRanking, rankings
from elcapitan.text.catalogue import translator
from elcapitan.text.consequences import Teller
from elcapitan.text.payday import loans_to_settle, ranking_changes

TELLER = Teller(translator("en"), packaged(), ["Anna", "Bruno", "Cleo"])


def paydays(game: Game) -> list[Moment]:
    """The events that have brought a payday."""
    return [moment for moment in game.history() if moment.payday]


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[:1])
def test_the_ranking_ends_with_what_was_paid(players: int, tiles: tuple[str, ...]) -> None:
    game = random_game(players, tiles, seed=players)
    for moment in paydays(game):
        assert moment.payday
        found = rankings(moment, game.figures)
        gains = [after - was for was, after in zip(found[0].purses, found[-1].purses, strict=True)]
        assert gains == [income.total for income in moment.payday.paid]
        for each in found:
            assert sorted(each.places)[0] == 1
            assert sorted(each.places, key=lambda place: -place)[0] <= players
            by_place = sorted(zip(each.places, each.worths, strict=True))
            assert [worth for _place, worth in by_place] == sorted(each.worths, reverse=True)


@pytest.mark.parametrize("seed", range(1, 12 if COMPILED else 3))
def test_worth_is_the_same_once_loans_are_settled_by_themselves(seed: int) -> None:
    game = random_game(3, seed=seed)
    for moment in paydays(game):
        assert moment.payday
        last = rankings(moment, game.figures)[-1]
        after = DecodedPosition(moment.after, game.figures).merchants
        assert list(last.worths) == [each.cash - each.debt for each in after]
        if moment.payday.number == PHASES:
            assert list(last.worths) == play.scores(moment.after, 0)


@pytest.mark.compiled
def test_a_loan_that_brings_the_payday_is_in_the_purse() -> None:
    found = 0
    for seed in range(1, 60):
        game = random_game(3, seed=seed)
        for moment in paydays(game):
            event = moment.event
            if not isinstance(event, Act):
                continue
            action = decode(event.numbers[0], game.figures)
            if not isinstance(action, TakeLoan):
                continue
            found += 1
            was = DecodedPosition(moment.before, game.figures)
            pile = was.bank[action.kind]
            first = rankings(moment, game.figures)[0]
            assert first.purses[event.seat] == was.merchants[event.seat].cash + pile.amount
            assert moment.payday
            purse = moment.payday.purses[event.seat]
            assert purse.cash == first.purses[event.seat]
            assert purse.debt == was.merchants[event.seat].debt + pile.due and purse.new
    assert found


# -------------------------------------------------------------------------------------------------------------- words


def income(seat: int, proliferation: int = 0, ranks: int = 0, fortress: int = 0, bonus: int = 0) -> Income:
    """What a seat is paid."""
    total = proliferation + ranks + fortress + bonus
    return Income(seat, 1, proliferation, {"Tunis": ranks}, {"Tunis": fortress}, bonus, total)


def ranking(*worths: int) -> PaydayRanking:
    """A ranking of seats without debts."""
    return PaydayRanking(worths, worths, tuple(1 + sum(other > each for other in worths) for each in worths))


def test_who_passes_whom_and_by_what() -> None:
    paid = [income(0, 10, 2), income(1, 8, 14), income(2, 0, 1)]
    told = ranking_changes(ranking(20, 12, 18), ranking(32, 34, 19), paid, TELLER)
    assert told == ["Bruno passes Anna, Cleo: 14 by ranks in the cities, 2 for Anna."]
    by_bonus = [income(0, 5), income(1, 5, bonus=15), income(2)]
    told = ranking_changes(ranking(20, 12, 0), ranking(25, 32, 0), by_bonus, TELLER)
    assert told == ["Bruno passes Anna: 15 by the bonus card, 0 for Anna."]


def test_an_order_that_stays_and_a_tie() -> None:
    paid = [income(0, 5), income(1, 5), income(2, 1)]
    assert ranking_changes(ranking(9, 8, 7), ranking(14, 13, 8), paid, TELLER) == [
        "The ranking stays the same. Most goes to Anna, Bruno: 5."
    ]
    assert ranking(3, 3, 1).places == (1, 1, 3)


def test_loans_that_come_up() -> None:
    loans = [Purse(7, 40, 2, 0), Purse(7, 16, 0, 1), Purse(7, 0, 0, 0)]
    assert loans_to_settle(loans, TELLER, last=False) == [
        "Loans to repay or extend: Anna 2.",
        "Extended loans to repay now: Bruno 1.",
    ]
    assert loans_to_settle(loans, TELLER, last=True) == ["All loans are repaid now: Anna 40, Bruno 16."]
    assert loans_to_settle(loans[2:], TELLER, last=True) == ["Nobody owes anything."]
