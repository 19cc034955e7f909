"""Rows of features as the network is offered them."""

from typing import Any

import numpy as np
from tests.bots.asked_bots import BOARDS

from elcapitan.bots.bot import NO_TREE, weights
from elcapitan.engine import play, think
from elcapitan.engine.network.turns import NOTHING_CHOSEN, Offer, Offering, dealing, empty_rows
from elcapitan.engine.record import Int8s, zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.search.plans import AFTER
from elcapitan.engine.search.worth import PLANS
from elcapitan.engine.state import States


def rows_of(states: States) -> tuple[Int8s, Any, States]:
    """The rows of all plans of the deciding seat, the offer, and the positions after the plans."""
    games, offers, rows = states.copy(), zeros(Offer, 1), empty_rows(PLANS)
    arrays = think.SearchArrays(
        think.lines(), BOARDS, play.desks(), think.search_buffers(), weights("worth"), generator(3), NO_TREE
    )
    offering = Offering(offers, np.full(1, NOTHING_CHOSEN, np.int16), arrays.lines, rows, dealing(1))
    count = think.offer_turns(games, arrays, offering)
    return rows.features[:count], offers[0], arrays.lines[AFTER : AFTER + count]
