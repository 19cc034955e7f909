"""The arithmetic of a study, on tables made by hand."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.experiments.study.made_games import books, game, table

from elcapitan.experiments.arena.summary import Spread
from elcapitan.experiments.study.economy import (
    LESS_SPREAD,
    MAJORITY,
    MORE_SPREAD,
    SPREAD,
    STRATEGIES,
    Comparison,
    PublishedGame,
    by_income,
    by_table,
    compare,
    measure,
    order,
    presence,
    published,
    renamed,
    to_json,
)
from elcapitan.experiments.study.games import Study
from elcapitan.position.ledger import BONUS, FORTRESSES, MAJORITIES, PROLIFERATION

TWO_GAMES = table(
    game(0, (100, 140, 60), rounds=(7, 8, 11)),
    game(1, (90, 80, 130), first=1, rounds=(9, 10, 12)),
    accounts=[
        (
            books(100, worth=(10, 40), taken=(2, 0, 0), extended=(1, 0, 0), left=(0, 0, 1)),
            books(140, worth=(5, 30), taken=(1, 1, 0), left=(1, 0, 0)),
            books(60, worth=(-20, 0), taken=(3, 2, 1), extended=(2, 0, 0), left=(3, 0, 2)),
        ),
        (
            books(90, worth=(12, 50), left=(1, 1, 0)),
            books(80, worth=(2, 20), taken=(2, 1, 0), left=(2, 2, 0)),
            books(130, worth=(30, 70), taken=(0, 0, 0), left=(4, 1, 3)),
        ),
    ],
)


def test_money_by_place() -> None:
    economy = measure(TWO_GAMES)
    assert (economy.players, economy.played, economy.money) == (3, 2, Spread(100.0, 60, 140))
    assert [place.place for place in economy.places] == [1, 2, 3]
    assert economy.places[0].worth == (Spread(17.5, 5, 30), Spread(50.0, 30, 70), Spread(135.0, 130, 140))
    assert economy.places[2].worth == (Spread(-9.0, -20, 2), Spread(10.0, 0, 20), Spread(70.0, 60, 80))
    assert economy.places[0].sources[MAJORITIES] == 135 - 20 - 2


def test_of_equals_the_lower_seat_comes_first() -> None:
    assert order(game(0, (50, 80, 80, 20))) == [1, 2, 0, 3]
    assert [share and share.wins for share in measure(table(game(0, (80, 80)))).by_position] == [0.5, 0.5]


def test_phases() -> None:
    first, second, third = measure(TWO_GAMES).phases
    assert first.rounds == Spread(8.0, 7, 9) and (first.usual, second.usual, third.usual) == (1.0, 1.0, 0.0)
    assert first.loans == Spread(8 / 6, 0, 3)
    assert (first.extended, second.extended, third.extended) == (3 / 8, 0.0, None)
    assert (first.built, first.finished, first.left) == (0.5, 0.5, 11 / 5)
    assert (second.built, second.finished, second.left) == (0.5, 1.5, 4 / 3)
    economy = measure(TWO_GAMES)
    assert economy.borrowers == 4 / 6 and economy.loans == 13 / 6


def test_without_loans_no_share_of_them_was_extended() -> None:
    economy = measure(table(game(0, (10, 20))))
    assert [phase.extended for phase in economy.phases] == [None, None, None]
    assert economy.borrowers == economy.loans == 0 and economy.phases[0].left == 0


def test_a_published_game_beside_ours() -> None:
    reported = PublishedGame(3, (130, 95, 75), ((3, 6, 9),), first_plays=False)
    *at_the_end, earlier = compare(TWO_GAMES, reported)
    assert at_the_end == [
        Comparison("winner", 130, 135.0, 130, 140, 0.25),
        Comparison("mean", 100.0, 100.0, 100.0, 100.0, 0.5),
        Comparison("last", 75, 70.0, 60, 80, 0.5),
    ]
    assert (earlier.what, earlier.published, earlier.lower) == ("payday-1", 6.0, 0.5)
    assert (earlier.mean, earlier.least, earlier.most) == pytest.approx((6.5, -5 / 3, 44 / 3))
    assert [len(group) for group in measure(TWO_GAMES).comparisons] == [5]
    assert measure(table(game(0, (10, 20)))).comparisons == ()


def test_the_published_games() -> None:
    found = published()
    assert {each.players: each.money for each in found.games} == {
        3: (224, 219, 211),
        4: (162, 134, 128, 124),
        5: (169, 152, 129, 72, 72),
    }
    assert found.with_players(3)[0].after_paydays == ((11, 30, 30), (71, 74, 75))
    assert [each.players for each in found.games if each.first_plays] == [5]
    assert (found.least_rounds, found.usual_rounds) == (7, (7, 10))
    assert all(len(each.money) == each.players for each in found.games)


@pytest.mark.parametrize(("by_presence", "kind"), [(50, SPREAD), (40, MAJORITY), (39, MAJORITY), (0, MAJORITY)])
def test_what_a_merchant_lives_on(by_presence: int, kind: str) -> None:
    """Of 80 florins of income, more than half has to come by presence."""
    merchant = game(0, (100, 0), presence=(by_presence, 0)).merchants[0]
    income = [merchant.sources[source] for source in (PROLIFERATION, BONUS, MAJORITIES, FORTRESSES)]
    assert sum(income) == 80 and presence(merchant) == by_presence / 80
    assert by_income(game(0, (100, 0), presence=(by_presence, 0)))[0] == kind


def test_without_income_nobody_has_spread_out() -> None:
    poor = game(0, (20, 20))
    merchants = tuple(replace(each, sources={**each.sources, MAJORITIES: 0, FORTRESSES: 0}) for each in poor.merchants)
    poor = replace(poor, merchants=merchants)
    assert presence(poor.merchants[0]) == 0.5 and by_income(poor) == [MAJORITY, MAJORITY]


def test_what_a_merchant_leans_to_depends_on_the_table() -> None:
    assert by_table(game(0, (100, 100, 100), presence=(40, 20, 15))) == [MORE_SPREAD, LESS_SPREAD, LESS_SPREAD]
    assert by_table(game(0, (100, 100), presence=(8, 8))) == [LESS_SPREAD, LESS_SPREAD]


def test_victories_by_strategy_count_where_there_is_a_choice() -> None:
    economy = measure(
        table(
            game(0, (150, 100, 90), presence=(80, 10, 10)),  # one has spread out and wins
            game(1, (100, 150, 90), presence=(70, 10, 60)),  # two have, the other wins
            game(2, (100, 90, 80), presence=(10, 10, 10)),  # nobody has
        )
    )
    kinds = {kind.strategy: kind for kind in economy.strategies}
    assert list(kinds) == list(STRATEGIES)
    spread, majority = kinds[SPREAD], kinds[MAJORITY]
    assert (spread.merchants, spread.games, spread.wins, spread.chance) == (3, 2, 1.0, 0.5)
    assert (majority.merchants, majority.games, majority.wins, majority.chance) == (6, 2, 1.0, 0.5)
    assert spread.share and spread.share.mean == 0.5 and spread.share.low is not None and spread.share.low > 0
    unanimous = measure(table(game(0, (100, 100), presence=(8, 8)))).strategies
    assert all(kind.share is None and kind.chance is None and kind.games == 0 for kind in unanimous)


def test_other_names_and_debts_for_the_charts() -> None:
    games = renamed(TWO_GAMES, lambda game, seat, merchant: f"{game.number}/{seat}/{merchant.money}")
    assert [merchant.bot for merchant in games[1].merchants] == ["1/0/90", "1/1/80", "1/2/130"]
    assert games[0].merchants[2].after_paydays == (-20, 0, 60)


def test_json() -> None:
    plan = Study("somebody", (3,), 2, 7)
    whole = to_json(plan, [measure(TWO_GAMES)], {"rules": "1"})
    again = json.loads(json.dumps(whole))
    assert list(again) == ["format", "versions", "config", "scheduled", "played", "published", "tables"]
    assert again["format"] == "elcapitan-economy/1" and (again["scheduled"], again["played"]) == (2, 2)
    assert again["config"] == {"bot": "somebody", "players": [3], "games": 2, "seed": 7, "board": "mediterranean"}
    assert shape(again["tables"][0]) == shape(
        {
            "players": 0,
            "played": 0,
            "money": SPREAD_SHAPE,
            "places": [{"place": 0, "worth": [SPREAD_SHAPE], "sources": again["tables"][0]["sources"]}],
            "phases": [
                {
                    "rounds": SPREAD_SHAPE,
                    "usual": 0,
                    "loans": SPREAD_SHAPE,
                    "extended": 0,
                    "built": 0,
                    "finished": 0,
                    "left": 0,
                }
            ],
            "borrowers": 0,
            "loans": 0,
            "comparisons": [[{"what": "", "published": 0, "mean": 0, "least": 0, "most": 0, "lower": 0}]],
            "by_position": [{"games": 0, "wins": 0, "share": {"mean": 0, "low": 0, "high": 0}}],
            "strategies": [{"strategy": "", "merchants": 0, "games": 0, "wins": 0, "share": None, "chance": None}],
            "sources": again["tables"][0]["sources"],
        }
    )


SPREAD_SHAPE = {"mean": 0, "least": 0, "most": 0}


def shape(value: Any) -> Any:
    """The keys of an object, of the first of each list, and of what they hold."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None if value is None or isinstance(value, int | float) else "text"
