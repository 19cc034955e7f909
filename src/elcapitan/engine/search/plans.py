"""The plans of a turn: where to sail, what to build, or what to borrow, each with the worth of what it leads to.

First the cheapest way to every city is found, with one or two cards from hand and display. A card of the hand costs
half its price there: it could have served later.

Every plan is carried out on a copy by the rules themselves, so that it is judged by what really happens. The records
`line[1]` to `line[3]` are for these copies; `line[0]` holds the position that is thought about.

Wide plans are for players with a network: the position after each is kept in `line[AFTER]` and the records after it
instead of being judged, and a free pirate move is tried to every city.
"""

from elcapitan.engine import act
from elcapitan.engine.actions import BERTHINGS, BUY, END, FREE_PIRATE, LOAN, SAIL, link_leg, route_leg
from elcapitan.engine.jit import lowest, rule, whole
from elcapitan.engine.legal_actions import clear, list_offered, offer, offer_builds, offer_free_moves
from elcapitan.engine.rules.loans import loan_turn_open
from elcapitan.engine.rules.sailing import anchored, cards_for, free_for, legs_of, usable
from elcapitan.engine.rules.turn import hand_out_pieces, next_seat, phase_over
from elcapitan.engine.search.worth import NARROW_PLANS, NO_CARD, PLANS, SearchBuffer, Weights, estimate
from elcapitan.engine.state import Board, Desk, State, States
from elcapitan.engine.vocabulary import (
    CITIES,
    DESTINATIONS,
    DONE,
    DUE,
    LOANS,
    MADE,
    NAMING,
    NEVER,
    NOBODY,
    REVEAL,
    SEATS,
    SETTLING,
    SPACES,
    START,
    UNDER_WAY,
)

AFTER = 6  # the first record of `line` with the position after a plan


@rule
def harbours_open(s: State, seat: int) -> int:
    """[SAIL-04] Cities where the seat's ship, arriving, would find a free harbour space, as bits."""
    free = 0
    for space in range(SPACES):
        free |= free_for(s, space, seat)
    return free & whole(s.in_play)


@rule
def note_way(m: SearchBuffer, city: int, fare: int, first: int, via: int, second: int) -> None:
    """Keep a way if it is cheaper than the one known."""
    if fare < m.fare[city]:
        m.fare[city] = fare
        m.via[city] = via
        m.card[city, 0] = first
        m.card[city, 1] = second


@rule
def find_ways(s: State, b: Board, m: SearchBuffer) -> None:
    """[SAIL-02, SAIL-05, BUY-02] The cheapest ways from where the ship is, to all cities with a free harbour."""
    for city in range(CITIES):
        m.fare[city] = NEVER
    seat = whole(s.seat)
    hand, cash = whole(s.hand[seat]), whole(s.cash[seat])
    place, in_play, free = whole(s.ship_city[seat]), whole(s.in_play), harbours_open(s, seat)
    cards = usable(b, place, hand | whole(s.display) & cards_for(b, cash))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        owned = (hand >> card) & 1
        left = cash if owned else cash - price
        fare = price if owned else 2 * price
        targets = legs_of(b, place, card, in_play)
        while targets != 0:
            city = lowest(targets)
            targets &= targets - 1
            if (free >> city) & 1:
                note_way(m, city, fare, card, city, NO_CARD)
            find_second_legs(s, b, m, city, card, left, fare, free)


@rule
def find_second_legs(
    s: State, b: Board, m: SearchBuffer, via: int, first: int, cash: int, fare: int, free: int
) -> None:
    """[SAIL-05] Go on from a city with another card."""
    hand = whole(s.hand[whole(s.seat)])
    cards = usable(b, via, (hand | whole(s.display) & cards_for(b, cash)) & ~(1 << first))
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        price = whole(b.card_price[card])
        total = fare + (price if (hand >> card) & 1 else 2 * price)
        targets = legs_of(b, via, card, whole(s.in_play)) & free
        while targets != 0:
            note_way(m, lowest(targets), total, first, via, card)
            targets &= targets - 1


@rule
def leg_of(b: Board, card: int, city: int) -> int:
    """The leg by which a card is used to come to a city."""
    if card < DESTINATIONS:
        return card if b.card_city[card, 0] == city else route_leg(card, city)
    return link_leg(card, 0 if b.card_city[card, 0] == city else 1)


@rule
def add_step(m: SearchBuffer, s: State, b: Board, action: int) -> None:
    """Carry out one action of the plan that is being made."""
    i = whole(m.plans)
    m.steps[i, whole(m.length[i])] = action
    m.length[i] += 1
    act.apply(s, b, action)


@rule
def set_sail(s: State, b: Board, m: SearchBuffer, city: int) -> None:
    """Buy and play the cards of the way to a city."""
    m.length[whole(m.plans)] = 0
    for leg in range(2):
        card = whole(m.card[city, leg])
        if card != NO_CARD and not (whole(s.hand[whole(s.seat)]) >> card) & 1:
            add_step(m, s, b, BUY + card)
    for leg in range(2):
        card = whole(m.card[city, leg])
        if card != NO_CARD:
            add_step(m, s, b, SAIL + leg_of(b, card, whole(m.via[city]) if leg == 0 else city))


@rule
def judge(line: States, k: int, b: Board, m: SearchBuffer, w: Weights, after: int) -> None:
    """End a plan with END if it can, note what it is worth, and begin the next like the plan at `after`."""
    if line[k].stage == DONE and line[k].free_move != DUE and line[k].pirate_at == NOBODY:
        add_step(m, line[k], b, END)
    go_to_next_phase(line[k], b)
    i = whole(m.plans)
    if m.wide:
        line[AFTER + i] = line[k]
    else:
        estimate(line[k], b, m, w)
        for seat in range(SEATS):
            m.worth[i, seat] = m.now[seat]
    if i < (PLANS if m.wide else NARROW_PLANS) - 1:
        m.plans += 1
        m.length[i + 1] = after
        for step in range(after):
            m.steps[i + 1, step] = m.steps[i, step]


@rule
def go_to_next_phase(s: State, b: Board) -> None:
    """[PHASE-04, AFTER-08] A phase that ends with a plan is paid for and judged as the next, with its new pieces.

    Whether a card has to be turned up first makes no difference.
    """
    if s.stage == REVEAL and next_seat(s) == s.starter and phase_over(s):
        act.turn_up_all(s, b)
    if s.stage == SETTLING or s.stage == NAMING:
        s.phase += 1
        hand_out_pieces(s, b)


@rule
def plan_builds(line: States, k: int, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> None:
    """Every main action where the ship of line[k] lies; with the free pirate move first, if it is due."""
    if line[k].free_move == DUE and m.wide:
        plan_free_moves(line, k, b, d, m, w)
        return
    if line[k].free_move == DUE:
        plan_free_move(line, k, b, d, m)
    plan_builds_here(line, k, b, d, m, w)


@rule
def plan_builds_here(line: States, k: int, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> None:
    """Every main action where the ship of line[k] lies."""
    clear(d)
    offer_builds(line[k], b, d)
    list_offered(d)
    before = whole(m.length[whole(m.plans)])
    for i in range(whole(d.count)):
        line[3] = line[k]
        add_step(m, line[3], b, whole(d.actions[i]))
        judge(line, 3, b, m, w, before)


@rule
def plan_free_move(line: States, k: int, b: Board, d: Desk, m: SearchBuffer) -> None:
    """The free move of the pirate that brings most, if one may be made before building."""
    clear(d)
    offer_free_moves(line[k], b, d)
    list_offered(d)
    seat = whole(line[k].seat)
    best, most = NOBODY, -1
    for i in range(whole(d.count)):
        line[3] = line[k]
        act.apply(line[3], b, whole(d.actions[i]))
        if whole(line[3].cash[seat]) > most or best == NOBODY:
            best, most = whole(d.actions[i]), whole(line[3].cash[seat])
    if best != NOBODY:
        add_step(m, line[k], b, best)


@rule
def plan_free_moves(line: States, k: int, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> None:
    """The free move of the pirate to every city, by the berthing that brings most, each with every main action.

    line[2] is for the position after the move.
    """
    seat, before = whole(line[k].seat), whole(m.length[whole(m.plans)])
    for city in range(CITIES):
        clear(d)
        offer_free_moves(line[k], b, d)
        list_offered(d)
        best, most = NOBODY, 0
        for i in range(whole(d.count)):
            move = whole(d.actions[i])
            if (move - FREE_PIRATE) // BERTHINGS == city:
                line[2] = line[k]
                act.apply(line[2], b, move)
                if best == NOBODY or whole(line[2].cash[seat]) > most:
                    best, most = move, whole(line[2].cash[seat])
        if best != NOBODY:
            line[2] = line[k]
            m.length[whole(m.plans)] = before
            add_step(m, line[2], b, best)
            plan_builds_here(line, 2, b, d, m, w)


@rule
def plan_turn(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> None:
    """Build here, or in any city that can be reached; borrow."""
    s = line[0]
    seat = whole(s.seat)
    m.length[0] = 0
    if anchored(s, seat):
        line[1] = line[0]
        plan_builds(line, 1, b, d, m, w)
    if s.free_move != MADE:
        find_ways(s, b, m)
        for city in range(CITIES):
            if m.fare[city] < NEVER:
                line[1] = line[0]
                set_sail(line[1], b, m, city)
                plan_builds(line, 1, b, d, m, w)
    m.length[whole(m.plans)] = 0
    if loan_turn_open(s):
        for kind in range(LOANS):
            if s.loans_left[kind] > 0:
                line[1] = line[0]
                add_step(m, line[1], b, LOAN + kind)
                judge(line, 1, b, m, w, 0)


@rule
def plan_each(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> None:
    """One plan for every legal action: where the turn is done, after a payday, and where nothing better is found."""
    offer(line[0], b, d)
    list_offered(d)
    m.length[whole(m.plans)] = 0
    for i in range(min(whole(d.count), NARROW_PLANS - 1)):
        line[1] = line[0]
        add_step(m, line[1], b, whole(d.actions[i]))
        judge(line, 1, b, m, w, 0)


@rule
def make_plans(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights, wide: bool) -> None:
    """All plans for the deciding seat of line[0], judged by worth, or wide ones; there is at least one.

    Where a card is to be turned up nobody decides: the only plan is empty, for the seat that moved last.
    """
    m.wide = wide
    m.plans = 0
    s = line[0]
    if s.stage == REVEAL:
        line[1] = line[0]
        m.length[0] = 0
        judge(line, 1, b, m, w, 0)
    if START <= s.stage <= UNDER_WAY and s.pirate_at == NOBODY:
        plan_turn(line, b, d, m, w)
    if m.plans == 0:
        plan_each(line, b, d, m, w)


@rule
def liking(m: SearchBuffer, i: int, seat: int, players: int) -> float:
    """How much a seat likes a plan: its own worth, less half of what the others have on average."""
    others = 0.0
    for other in range(players):
        if other != seat:
            others += m.worth[i, other]
    return float(m.worth[i, seat]) - 0.5 * others / (players - 1)


@rule
def best_plan(line: States, b: Board, d: Desk, m: SearchBuffer, w: Weights) -> int:
    """The plan the deciding seat likes best."""
    make_plans(line, b, d, m, w, False)
    seat, players = whole(line[0].seat), whole(line[0].players)
    if line[0].stage == NAMING:
        return seat  # the plans are the seats in order: name oneself, because the first ship finds all harbours free
    best = 0
    for i in range(1, whole(m.plans)):
        if liking(m, i, seat, players) > liking(m, best, seat, players):
            best = i
    return best
