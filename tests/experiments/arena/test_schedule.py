"""Who plays whom, in which seat and with which cards."""

import json
from collections import Counter
from itertools import combinations
from math import factorial

import pytest
from tests.experiments.arena.toy_bots import LOWEST

from elcapitan.experiments.arena.games import Config, circles, fixture, line_ups, play_batch, rotated


def test_as_many_bots_as_seats_sit_down_as_written() -> None:
    assert line_ups(("a", "b", "a"), 3) == (("a", "b", "a"),)
    assert fixture(Config(("a", "b", "c"), 3), 0).bots == ("a", "b", "c")


def test_the_last_of_too_few_bots_fills_the_seats() -> None:
    assert line_ups(("a", "b"), 4) == (("a", "b", "b", "b"),)
    assert line_ups(("a",), 5) == (("a",) * 5,)
    assert line_ups(("a", "b", "c"), 5) == (("a", "b", "c", "c", "c"),)


def test_too_many_bots_play_equally_often_and_meet_equally_often() -> None:
    config = Config(tuple("abcde"), 3, games=1)
    assert config.games_per_deal == config.scheduled == 30
    tables = [fixture(config, number).bots for number in range(config.scheduled)]
    assert Counter(bot for table in tables for bot in table) == dict.fromkeys("abcde", 18)
    meetings = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(meetings) == 10 and set(meetings.values()) == {9}


@pytest.mark.parametrize(("games", "deals"), [(1, 1), (4, 1), (5, 2), (100, 25), (101, 26)])
def test_games_are_rounded_up_to_whole_deals(games: int, deals: int) -> None:
    config = Config(("a", "b"), 4, games=games)
    assert (config.deals, config.scheduled) == (deals, 4 * deals)


@pytest.mark.parametrize(("bots", "players"), [("ab", 4), ("abcd", 4), ("aabb", 4), ("abcdef", 4), ("ab", 2), ("a", 5)])
def test_in_every_deal_every_bot_sits_in_every_seat_equally_often(bots: str, players: int) -> None:
    config = Config(tuple(bots), players, games=200, seed=9)
    assert config.deals > 1
    for deal in range(config.deals):
        games = [
            fixture(config, number)
            for number in range(deal * config.games_per_deal, (deal + 1) * config.games_per_deal)
        ]
        assert {game.deal for game in games} == {deal} and len({game.seed for game in games}) == 1
        for bot in set(bots):
            seats = Counter(seat for game in games for seat in range(players) if game.bots[seat] == bot)
            assert set(seats) == set(range(players)) and len(set(seats.values())) == 1


def test_orders_round_the_table() -> None:
    assert circles(("a", "b", "b", "b")) == (("a", "b", "b", "b"),)
    assert circles(("a", "a", "b", "b")) == (("a", "a", "b", "b"), ("a", "b", "a", "b"))
    for players in (2, 3, 4, 5):
        assert len(circles(tuple("abcde"[:players]))) == factorial(players - 1)
    assert rotated(("a", "b", "c"), 1) == ("c", "a", "b")


def test_from_deal_to_deal_neighbours_change() -> None:
    config = Config(tuple("abcd"), 4, games=6 * 4)
    left = Counter(
        (game.bots[seat], game.bots[(seat + 1) % 4])
        for game in (fixture(config, number) for number in range(config.scheduled))
        for seat in range(4)
    )
    assert len(left) == 12 and set(left.values()) == {8}


def test_no_two_seats_roll_the_same_dice() -> None:
    config = Config(tuple("abc"), 2, games=60, seed=3)
    games = [fixture(config, number) for number in range(config.scheduled)]
    seeds = [game.dice(seat) for game in games for seat in range(2)]
    assert len(set(seeds)) == len(seeds) == 120
    assert len({game.seed for game in games}) == config.deals
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert fixture(Config(tuple("abc"), 2, seed=4), 0).seed != games[0].seed


def test_rotations_of_a_deal_have_the_same_cards_and_the_same_beginner() -> None:
    config = Config((LOWEST,), 2, games=4, seed=5)
    batch = play_batch(config, range(4), with_records=True)
    records = [json.loads(played.record or "") for played in batch.games]
    openings = [(record["first"], record["events"][0]) for record in records]
    assert openings[0] == openings[1] and openings[2] == openings[3]
    assert openings[0][1] != openings[2][1], "another deal, other cards"
    assert records[0]["events"] != records[1]["events"], "but the dice of the bots are others"
    assert [played.result.deal for played in batch.games] == [0, 0, 1, 1]
    assert records[0]["seats"] == [LOWEST, LOWEST]
