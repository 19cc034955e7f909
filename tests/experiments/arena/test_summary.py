"""The figures of results that were made by hand."""

import json

import pytest
from tests.experiments.arena.made_results import decided, made, results

from elcapitan.experiments.arena.games import Config, fixture
from elcapitan.experiments.arena.summary import Fault, Spread, clustered, rounded, summarise, to_json, wilson
from elcapitan.experiments.arena.tournament import Results
from elcapitan.position.ledger import SOURCES, START

FOUR = results(
    made(0, ("a", "b", "b"), (90, 60, 30), deal=0, first=0, loans=(1, 2, 3), rounds=(7, 6, 5)),
    made(1, ("b", "a", "b"), (60, 60, 30), deal=0, first=0, loans=(1, 2, 3), rounds=(8, 6, 5)),
    made(2, ("b", "b", "a"), (10, 20, 60), deal=1, first=2, loans=(0, 0, 1), rounds=(9, 6, 5)),
    made(3, ("a", "b", "b"), (30, 90, 60), deal=1, first=2, loans=(0, 0, 0), rounds=(10, 6, 6)),
)


def test_wins_ranks_money_and_loans() -> None:
    first, second = summarise(FOUR).bots
    assert (first.bot, second.bot) == ("a", "b")
    assert (first.games, second.games) == (4, 8), "once for each seat"
    assert (first.wins, second.wins) == (2.5, 1.5), "a shared victory is half a victory for each"
    assert first.share.mean == 2.5 / 4 and second.share.mean == 1.5 / 8
    assert first.wilson == wilson(2.5 / 4, 4)
    assert first.chance == second.chance == pytest.approx(1 / 3)
    assert first.rank == (1 + 1 + 1 + 3) / 4 and second.rank == (2 + 3 + 1 + 3 + 3 + 2 + 1 + 2) / 8
    assert first.money == clustered([90, 60, 60, 30], [0, 0, 1, 1])
    assert first.loans == (1 + 2 + 1 + 0) / 4 and second.loans == (2 + 3 + 1 + 3) / 8


def test_seats_and_positions() -> None:
    summary = summarise(FOUR)
    first = summary.bots[0]
    assert [share and (share.games, share.wins) for share in first.by_seat] == [(2, 1.0), (1, 0.5), (1, 1.0)]
    # With the third seat first, the first one comes second.
    assert [share and (share.games, share.wins) for share in first.by_position] == [(2, 2.0), (2, 0.5), None]
    assert [share and (share.games, share.wins) for share in summary.by_seat] == [(4, 1.5), (4, 1.5), (4, 1.0)]
    assert [share and share.wins for share in summary.by_position] == [2.5, 0.5, 1.0]
    assert sum(share.wins for share in summary.by_position if share) == 4


def test_money_and_courses() -> None:
    summary = summarise(FOUR)
    first = summary.bots[0]
    assert first.after_paydays == ((30 + 20 + 20 + 10) / 4, (45 + 30 + 30 + 15) / 4, (90 + 60 + 60 + 30) / 4)
    assert first.paid == ((45 + 30 + 30 + 15) / 4, (30 + 20 + 20 + 10) / 4, (22 + 15 + 15 + 7) / 4)
    assert first.sources == {**dict.fromkeys(SOURCES, 0), START: 60}
    assert summary.rounds == (Spread(8.5, 7, 10), Spread(6, 6, 6), Spread(5.25, 5, 6))
    assert summary.actions == Spread(201.5, 200, 203)
    assert (summary.played, summary.deals) == (4, 2)


def test_the_best_stand_first() -> None:
    summary = summarise(results(made(0, ("a", "b", "c"), (1, 2, 3)), made(1, ("a", "b", "c"), (1, 2, 3))))
    assert [bot.bot for bot in summary.bots] == ["a", "b", "c"]
    assert [bot.bot for bot in summary.standings] == ["c", "b", "a"]
    assert [bot.rating.mu for bot in summary.standings] == sorted((bot.rating.mu for bot in summary.bots), reverse=True)


def test_faults_are_counted_by_game() -> None:
    found = summarise(
        results(
            made(0, ("a", "b", "b"), (1, 2, 3), faults=(None, "fell asleep", "fell asleep")),
            made(1, ("a", "b", "b"), (1, 2, 3), faults=(None, "fell asleep", "lied")),
            made(2, ("a", "b", "b"), (1, 2, 3)),
        )
    )
    assert found.bots[0].faults == () and found.bots[0].forfeits == 0
    assert found.bots[1].faults == (Fault("fell asleep", 2), Fault("lied", 1)) and found.bots[1].forfeits == 4


def test_what_a_stand_in_earns_is_not_counted() -> None:
    games = (made(0, ("a", "b"), (10, 90), faults=(None, "lied")), made(1, ("a", "b"), (10, 20)))
    found = summarise(results(*games)).bots[1]
    assert (found.games, found.forfeits, found.money.mean, found.after_paydays[2]) == (2, 1, 20, 20)
    failed = summarise(results(games[0])).bots[1]
    assert (failed.games, failed.forfeits, failed.money.mean, failed.loans, failed.paid) == (1, 1, 0, 0, (0, 0, 0))


def test_known_strength_is_found() -> None:
    config = Config(("strong", "weak"), 4, games=1200, seed=2)
    games = [decided({"strong": 3, "weak": 1}, fixture(config, number)).result for number in range(config.scheduled)]
    strong, weak = summarise(Results(config, tuple(games))).bots
    # One of strength 3 against three of strength 1 wins every other game.
    assert strong.share.low is not None and strong.share.high is not None
    assert strong.share.low < 0.5 < strong.share.high and strong.share.high - strong.share.low < 0.07
    assert strong.share.mean == pytest.approx(0.5, abs=0.04) and weak.share.mean == pytest.approx(0.5 / 3, abs=0.02)
    assert weak.share.high is not None and weak.share.high < 0.25 < strong.share.low
    assert strong.rating.mu - 2 * strong.rating.sigma > weak.rating.mu + 2 * weak.rating.sigma
    assert [share.games for share in strong.by_seat if share] == [300] * 4


def test_json_has_everything_and_no_more() -> None:
    versions = {"elcapitan": "1", "rules": "1"}
    written = to_json(summarise(FOUR), versions)
    assert json.loads(json.dumps(written)) == written
    keys = ["format", "versions", "config", "schedule", "played", "deals", "bots", "by_seat", "by_position"]
    assert list(written) == [*keys, "rounds", "actions"]
    assert written["format"] == "elcapitan-arena/1" and written["versions"] == versions
    assert written["config"] == {
        "bots": ["a", "b"],
        "players": 3,
        "tiles": [],
        "options": {"buy_before_loan": False, "reopen_shuts": True, "pirate_before_loan": False},
        "board": "mediterranean",
        "games": 4,
        "seed": 1,
    }
    assert written["schedule"] == {"line_ups": [["a", "b", "b"]], "deals": 2, "games_per_deal": 3, "games": 6}
    bot = written["bots"][0]
    assert list(bot) == [
        *("bot", "games", "forfeits", "wins", "share", "wilson", "chance", "rank", "money", "loans", "rating"),
        *("by_seat", "by_position", "after_paydays", "paid", "sources", "faults"),
    ]
    assert list(bot["share"]) == ["mean", "low", "high"] and list(bot["rating"]) == ["mu", "sigma"]
    assert list(bot["sources"]) == list(SOURCES)
    assert bot["by_position"][2] is None and bot["by_seat"][1]["wins"] == 0.5


def test_a_game_as_json_is_tidy() -> None:
    written = FOUR.games[1].to_json()
    assert list(written) == [
        *("number", "deal", "seed", "line_up", "rotation", "first", "rounds", "actions", "merchants")
    ]
    assert [merchant["bot"] for merchant in written["merchants"]] == ["b", "a", "b"]
    assert [merchant["win"] for merchant in written["merchants"]] == [0.5, 0.5, 0]
    assert json.loads(json.dumps(written))["merchants"][1]["after_paydays"] == [20, 30, 60]


def test_fractions_are_shortened() -> None:
    assert rounded({"x": [1 / 3, (2, None)], "y": "1.23456789"}) == {"x": [0.333333, [2, None]], "y": "1.23456789"}
