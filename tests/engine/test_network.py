"""What the network reads of a position, and that it says the same however it is evaluated."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TABLES, walk
from tests.drawings import position
from tests.engine.offered_rows import rows_of

from elcapitan.engine import play
from elcapitan.engine.network import features
from elcapitan.engine.network.evaluate import Layers, choose_turns, evaluate, evaluate_plainly, liking
from elcapitan.engine.network.features import CELLS
from elcapitan.engine.network.turns import NOTHING_CHOSEN, OUTCOMES
from elcapitan.engine.vocabulary import SEATS


def random_layers(seed: int) -> Layers:
    """A small network of chance."""
    rng = np.random.default_rng(seed)
    sizes = (CELLS, 32, 24, 16, 10)
    parts: list[Any] = []
    for into, out in pairwise(sizes):
        parts += [rng.normal(size=(into, out)).astype(np.float32) / 8, rng.normal(size=out).astype(np.float32)]
    parts.append(rng.normal(size=(CELLS, 10)).astype(np.float32) / 50)
    return Layers(*parts)


@pytest.mark.parametrize(("players", "tiles"), TABLES[::5])
def test_the_compiled_network_agrees_with_matrix_products(players: int, tiles: int) -> None:
    layers = random_layers(players)
    for _what, states in walk(players, tiles, players, of_each=2):
        rows, _offer, _after = rows_of(states)
        outcomes = evaluate(rows, layers)
        assert np.allclose(outcomes, evaluate_plainly(rows, layers), atol=2e-4)
        assert np.allclose(outcomes[:, :players].sum(axis=1), 1, atol=1e-5)
        assert not outcomes[:, players:SEATS].any() and not outcomes[:, SEATS + players :].any()


def test_who_sits_where_makes_no_difference() -> None:
    """The same position with other colours is the same row."""
    drawn = "4 players, {} to move\n Tunis [{} .]\n Napoli [. .] {} {}"
    rows = []
    for me, next_one in (("R", "Y"), ("Y", "G"), ("G", "B")):
        here = position(drawn.format(me, me, next_one, me)).states
        rows.append(rows_of(here)[0])
    for other in rows[1:]:
        starter = features.STARTER
        same = np.delete(rows[0], range(starter, starter + SEATS), axis=1)
        assert (np.delete(other, range(starter, starter + SEATS), axis=1) == same).all()


def test_every_plan_is_legal_step_by_step() -> None:
    looked = 0
    for _what, states in walk(4, 7, 5, of_each=3):
        rows, offer, _after = rows_of(states)
        assert len(rows) == offer.plans > 0
        for k in range(int(offer.plans)):
            here, desks = states.copy(), play.desks()
            for step in offer.steps[k][: offer.length[k]].tolist():
                count = play.legal(here, 0, BOARDS, desks, 0)
                assert step in desks[0].actions[:count]
                play.apply(here, 0, BOARDS, step)
            looked += 1
    assert looked > 50


def test_who_moves_likes_to_win_and_a_little_to_have_more_than_the_others() -> None:
    outcomes = np.zeros((3, OUTCOMES), np.float32)
    outcomes[:, 0] = 0.5, 0.25, 0.25
    outcomes[:, SEATS : SEATS + 3] = (2, 1, 1), (1, 1, 1), (3, 1, 0)
    assert liking(outcomes, 3, 0.1).tolist() == pytest.approx([0.6, 0.25, 0.5])
    assert liking(outcomes[:1], 2, 0.1).tolist() == pytest.approx([0.5])
    chosen, best = np.full(3, 7, np.int16), np.full(3, 7, np.int32)
    first, plans, players = np.array([0, 0, 2]), np.array([2, 0, 1]), np.array([3, 3, 3])
    choose_turns(first, plans, players, outcomes, 0.1, chosen, best)
    assert chosen.tolist() == [0, NOTHING_CHOSEN, 0] and best.tolist() == [0, -1, 2]
