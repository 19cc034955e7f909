"""Win chances: what holds for them in every position, and what they are fitted for."""

import tomllib
from importlib import resources

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TABLES, walk
from tests.drawings import position
from tests.playing import random_game

from elcapitan.bots import chances
from elcapitan.bots.bot import View
from elcapitan.bots.chances import Chances, win_chances
from elcapitan.bots.network import packaged_network
from elcapitan.engine import play
from elcapitan.engine.actions import END
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITIES, DESTINATIONS, NOBODY, OVER, REVEAL, SEATS
from elcapitan.game.game import Game

HERE = "3 players, R to move\n Tunis [R .]"


def chances_in(states: States) -> Chances:
    found = win_chances(View(states, BOARDS))
    assert found is not None
    return found


def moved_round(states: States) -> States:
    """The same position with everybody one seat further on."""
    after = states.copy()
    s, players = after[0], int(after[0].players)
    seats = [(seat + 1) % players for seat in range(players)]
    colours = [1, 0, 3, 2, 4] if players == 2 else [*seats, *range(players, SEATS)]
    new = {NOBODY: NOBODY, **dict(enumerate(colours))}
    for name in ("cash", "fortresses", "bonus", "loans", "ship_city", "ship_space", "hand"):
        s[name][seats] = states[0][name][:players]
    for name in ("stock", "lost"):
        s[name][colours] = states[0][name]
    for city in range(CITIES):
        s.closed[city][colours] = states[0].closed[city]
        s.site[city] = [new[int(colour)] for colour in states[0].site[city]]
        s.fortress[city] = [NOBODY if owner == NOBODY else seats[owner] for owner in states[0].fortress[city].tolist()]
    s.seat, s.starter = seats[int(s.seat)], seats[int(s.starter)]
    play.derive(after, 0, BOARDS)
    return after


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[::9])
def test_there_are_chances_in_every_position(players: int, tiles: int) -> None:
    looked = set()
    for what, states in walk(players, tiles, 7 * players + tiles, of_each=2, options=tiles % 8):
        found = chances_in(states)
        assert len(found.win) == len(found.money) == len(found.spread) == players
        assert sum(found.win) == pytest.approx(1) and min(found.win) > 0
        assert max(abs(money) for money in found.money) < 1000 and 5 < min(found.spread) <= max(found.spread) < 200
        looked.add(what)
    assert len(looked) > (5 if COMPILED else 2)


@pytest.mark.parametrize(
    ("players", "tiles"), [(2, 0), (2, 7), (3, 7), (4, 0), (5, 7)] if COMPILED else [(2, 0), (3, 7)]
)
def test_who_sits_where_makes_no_difference(players: int, tiles: int) -> None:
    looked = 0
    for _what, states in walk(players, tiles, players, of_each=2):
        here, there = chances_in(states), chances_in(moved_round(states))
        for mine, theirs in ((here.win, there.win), (here.money, there.money)):
            assert np.roll(mine, 1) == pytest.approx(theirs, rel=1e-3)
        looked += 1
    assert looked > 3


def test_the_order_of_face_down_cards_makes_no_difference() -> None:
    game = Game.new(3, seed=5)
    here = game.position
    first, links = (int(left) for left in here.deck_left)
    decks = here.deck[:first].tolist(), here.deck[DESTINATIONS : DESTINATIONS + links].tolist()
    seen = [chances_in(game.arranged(order).view_for(0)) for order in (decks, [deck[::-1] for deck in decks])]
    assert seen[0] == seen[1]


def test_the_position_stays_as_it_is() -> None:
    states = position(HERE).states
    before = states.tobytes()
    assert chances_in(states) == chances_in(states)
    assert states.tobytes() == before


def test_who_has_more_is_more_likely_to_win() -> None:
    poor, rich = position(HERE).states, position(HERE).states.copy()
    rich[0].cash[0] += 60
    assert chances_in(rich).win[0] > chances_in(poor).win[0] + 0.1
    assert chances_in(rich).money[0] > chances_in(poor).money[0] + 30


def test_where_a_card_is_to_be_turned_up() -> None:
    """Nobody decides: what is expected is about what is expected by whoever decides next."""
    game = random_game(4, seed=3, most=30)
    while END not in game.legal():
        game.play(game.legal()[0])
    states = game.view_for(0)
    play.apply(states, 0, BOARDS, END)
    assert states[0].stage == REVEAL
    between = chances_in(states)
    assert sum(between.win) == pytest.approx(1)
    play.turn_up(states, 0, BOARDS)
    assert between.win == pytest.approx(chances_in(states).win, abs=0.15)


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_finished_game_has_its_result(players: int) -> None:
    game = random_game(players, seed=players, most=10_000)
    assert game.over
    states = game.view_for(0)
    found = chances_in(states)
    assert found.win == tuple(game.win_shares)
    assert found.money == tuple(game.money) and set(found.spread) == {0}
    states[0].cash[:players] = 70
    assert chances_in(states).win == pytest.approx((1 / players,) * players)


def test_on_another_board_there_are_none() -> None:
    boards = BOARDS.copy()
    boards[0].start_cash += 1
    boards.flags.writeable = False
    states = position(HERE).states.copy()
    assert win_chances(View(states, boards)) is None
    states[0].stage = OVER
    assert win_chances(View(states, boards)) is None


def test_the_packaged_networks_are_those_that_were_fitted() -> None:
    """After a change of a network: `python tools/fit_chances.py` with `fit`, then `report`."""
    text = (resources.files("elcapitan") / "data" / chances.FILE).read_text("utf-8")
    fitted = tomllib.loads(text)["networks"]
    assert fitted == {"champion_for_two": packaged_network(2).digest, "champion": packaged_network(4).digest}


@pytest.mark.parametrize("group", sorted(chances.calibrations()))
def test_a_better_position_is_never_said_to_be_worse(group: chances.Group) -> None:
    players, _tiled, _phase = group
    curve = np.array(chances.calibrations()[group].curve)
    mine = np.linspace(0.001, 0.999, 500)
    for others in (np.full(players - 1, 1 / (players - 1)), np.eye(1, players - 1)[0]):
        weighed = np.column_stack([mine, np.outer(1 - mine, others)])
        said = chances.softmax(chances.curve_inputs(weighed) @ curve)
        assert (np.diff(said[:, 0]) > 0).all()
        assert np.abs(said[:, 0] - mine).max() < 0.1


def test_a_straight_curve_changes_nothing() -> None:
    weighed = np.array([[0.2, 0.5, 0.3], [0.01, 0.98, 0.01]])
    straight = np.eye(1, chances.curve_inputs(weighed).shape[-1])[0]
    assert np.allclose(chances.softmax(chances.curve_inputs(weighed) @ straight), weighed)


def test_every_kind_of_game_is_calibrated() -> None:
    found = chances.calibrations()
    assert set(found) == {
        (players, tiled, phase) for players in (2, 3, 4, 5) for tiled in (False, True) for phase in (1, 2, 3)
    }
    for players in (2, 3, 4, 5):
        for tiled in (False, True):
            spreads = [found[players, tiled, phase].spread for phase in (1, 2, 3)]
            assert spreads == sorted(spreads, reverse=True), "later in the game, more is known"
