"""Everything legal now, as a set of action numbers on the desk: one bit each, in words of 64.

One function per family. What is offered is exactly what is legal, and whatever is taken leaves a way to finish the
turn (G-06). A list is made from the set where one is wanted.
"""

from elcapitan.engine.actions import (
    BERTHINGS,
    BERTHS_A_SPACE,
    BUILD,
    BUY,
    END,
    EXTEND,
    FORTRESS,
    FREE_PIRATE,
    LOAN,
    PAID_PIRATE,
    PASS,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    SAIL,
    STARTER,
    link_leg,
    route_leg,
)
from elcapitan.engine.jit import lowest, rule, whole, word
from elcapitan.engine.rules.buildings import (
    colour_of,
    colours_each,
    fortress_site,
    may_build,
    may_fortify,
    may_reopen,
    next_site,
)
from elcapitan.engine.rules.expansion import fare, may_berth, pirate_in_game, pirate_place, pirate_targets
from elcapitan.engine.rules.legality import (
    free_move_leaves_build,
    legs_leaving_build,
    may_land,
    may_move_for_money,
    pirate_leg_lands,
    purchases,
)
from elcapitan.engine.rules.loans import any_loan_left, loan_turn_open
from elcapitan.engine.rules.reach import can_still_build, look_afresh, look_here, nothing_payable
from elcapitan.engine.rules.sailing import anchored, can_pay, in_city, legs_of, usable
from elcapitan.engine.state import WORDS, Board, Desk, State
from elcapitan.engine.vocabulary import (
    DESTINATIONS,
    DONE,
    DUE,
    FACE_UP,
    LOANS,
    MADE,
    NAMING,
    NO_SITE,
    NOBODY,
    SETTLING,
    SITES,
    START,
    UNDER_WAY,
)


@rule
def clear(d: Desk) -> None:
    """Empty the set of offered actions."""
    for i in range(WORDS):
        d.legal[i] = 0


@rule
def put(d: Desk, action: int) -> None:
    """Add an action to the offered ones."""
    d.legal[action >> 6] |= word(1 << (action & 63))


@rule
def put_all(d: Desk, first: int, which: int) -> None:
    """Offer the action `first` + n for every bit n of a set of fewer than 64."""
    d.legal[first >> 6] |= word(which << (first & 63))
    d.legal[(first >> 6) + 1] |= word(which >> 1 >> (~first & 63))


@rule
def is_offered(d: Desk, action: int) -> bool:
    """Whether an action is among those offered."""
    return bool(whole(d.legal[action >> 6]) & 1 << (action & 63))


@rule
def list_offered(d: Desk) -> None:
    """Write the offered actions to the desk as an ascending list."""
    words, count = 0, 0
    for i in range(WORDS):
        words |= (1 if d.legal[i] != 0 else 0) << i
    while words != 0:
        i = lowest(words)
        words &= words - 1
        actions = whole(d.legal[i])
        while actions != 0:
            d.actions[count] = i * 64 + lowest(actions)
            actions &= actions - 1
            count += 1
    d.count = count


@rule
def offer_cards(s: State, b: Board, d: Desk) -> None:
    """[BUY-01, BUY-02, TURN-05, D-01] Cards of the display that may be bought."""
    put_all(d, BUY, purchases(s, b, d, whole(s.display)))


@rule
def offer_legs(s: State, b: Board, d: Desk, place: int, pirate: bool) -> None:
    """[SAIL-01, SAIL-02, D-02, D-03, D-04, PIRATE-10] Cards of the hand, each in every use it has from `place`."""
    cards = usable(b, place, whole(s.hand[whole(s.seat)]))
    if cards == 0 or (not pirate and nothing_payable(s, b, d)):
        return
    first = PIRATE_SAIL if pirate else SAIL
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        targets = legal_legs(s, b, d, card, legs_of(b, place, card, whole(s.in_play)), pirate)
        city = whole(b.card_city[card, 0])
        if card >= DESTINATIONS:
            if targets != 0:
                put(d, first + link_leg(card, 0 if lowest(targets) == city else 1))
            continue
        put_all(d, first + card, (targets >> city) & 1)
        if in_city(place):
            put_all(d, first + route_leg(card, 0), targets & whole(b.near[place, b.seals[card]]))


@rule
def legal_legs(s: State, b: Board, d: Desk, card: int, cities: int, pirate: bool) -> int:
    """[G-06, G-52] Those cities to which the leg leaves a build in reach; for the pirate also a place to land."""
    if not pirate:
        return legs_leaving_build(s, b, d, card, cities)
    legal = 0
    while cities != 0:
        if pirate_leg_lands(s, b, d, card, lowest(cities)):
            legal |= cities & -cities
        cities &= cities - 1
    return legal


@rule
def offer_builds(s: State, b: Board, d: Desk) -> None:
    """[TURN-03, TURN-04, D-05, D-06, D-07] The main actions where the ship is anchored."""
    seat = whole(s.seat)
    if not anchored(s, seat):
        return
    city = whole(s.ship_city[seat])
    offer_houses(s, b, d, city)
    site = fortress_site(s, city)
    if may_fortify(s, city, seat) and can_pay(s, seat, whole(b.fortress_price[city, site])):
        put(d, FORTRESS)


@rule
def offer_houses(s: State, b: Board, d: Desk, city: int) -> None:
    """[WARE-03, D-05, D-06, TWO-02] Build or re-open on the next site; in an empty city also build on S2."""
    seat = whole(s.seat)
    site = next_site(s, city)
    if can_pay(s, seat, whole(b.harbour_price[city, s.ship_space[seat]])):
        for which in range(colours_each(s)):
            if may_build(s, city, colour_of(seat, which)):
                put(d, BUILD + which * SITES + site)
                if s.last[city] == NO_SITE:
                    put(d, BUILD + which * SITES + 1)
    for which in range(colours_each(s)):
        if may_reopen(s, city, colour_of(seat, which)):
            put(d, REOPEN + which * SITES + site)


@rule
def offer_loans(s: State, b: Board, d: Desk) -> None:
    """[TURN-07, TURN-09, D-08, D-09, G-07, G-09] Loans; a pass only where neither loan nor build is possible."""
    if loan_turn_open(s) and any_loan_left(s):
        for kind in range(LOANS):
            if s.loans_left[kind] > 0:
                put(d, LOAN + kind)
    elif s.stage == START and not can_still_build(s, b, d):
        put(d, PASS)


@rule
def offer_free_moves(s: State, b: Board, d: Desk) -> None:
    """[CANA-02, D-11, G-44, G-50] The free pirate move, if it is due."""
    if s.free_move != DUE:
        return
    targets = pirate_targets(s)
    while targets != 0:
        city = lowest(targets)
        targets &= targets - 1
        for berthing in range(whole(b.harbours[city]) * BERTHS_A_SPACE):
            if may_berth(s, b, city, berthing) and (s.stage == DONE or free_move_leaves_build(s, b, city, berthing)):
                put(d, FREE_PIRATE + city * BERTHINGS + berthing)


@rule
def offer_paid_moves(s: State, b: Board, d: Desk) -> None:
    """[PIRATE-08, D-12, G-45] Once in a turn the pirate may be moved for money or by cards."""
    if s.pirate_used == 1:
        return
    targets = pirate_targets(s)
    while targets != 0:
        city = lowest(targets)
        targets &= targets - 1
        if can_pay(s, whole(s.seat), fare(s, b, city)):
            for berthing in range(whole(b.harbours[city]) * BERTHS_A_SPACE):
                if may_move_for_money(s, b, d, city, berthing):
                    put(d, PAID_PIRATE + city * BERTHINGS + berthing)
    offer_legs(s, b, d, whole(s.pirate_city), True)


@rule
def offer_pirate_voyage(s: State, b: Board, d: Desk) -> None:
    """[G-52] In the middle of a voyage by cards: another card, or a landing."""
    offer_legs(s, b, d, pirate_place(s), True)
    hand = whole(s.hand[whole(s.seat)])
    for berthing in range(BERTHINGS):
        if may_land(s, b, d, whole(s.pirate_at), berthing, hand):
            put(d, PIRATE_LAND + berthing)


@rule
def offer_turn(s: State, b: Board, d: Desk) -> None:
    """[TURN-03, TURN-05, TURN-06, G-56] Everything that may be done in a turn before and after its main action.

    There is no action "stop sailing": a voyage ends with the free pirate move or the main action.
    """
    look_afresh(d)
    if s.stage != DONE:
        look_here(s, b, d)
    if s.pirate_at != NOBODY:
        offer_pirate_voyage(s, b, d)
        return
    offer_cards(s, b, d)
    if s.stage != DONE:
        seat = whole(s.seat)
        if s.free_move != MADE:
            offer_legs(s, b, d, whole(s.ship_city[seat]), False)
        if d.here <= s.cash[seat]:
            offer_builds(s, b, d)
        if s.stage != UNDER_WAY:
            offer_loans(s, b, d)
    elif s.free_move != DUE:
        put(d, END)
    if pirate_in_game(s):
        offer_free_moves(s, b, d)
        offer_paid_moves(s, b, d)


@rule
def offer_settlement(s: State, b: Board, d: Desk) -> None:
    """[AFTER-02, AFTER-03, D-13, G-27, G-28] Repay, if the cash is there, or extend."""
    seat = whole(s.seat)
    for kind in range(LOANS):
        if s.undecided[kind] > 0 and s.cash[seat] >= b.loan_due[kind, FACE_UP]:
            put(d, REPAY + kind)
    for kind in range(LOANS):
        if s.undecided[kind] > 0:
            put(d, EXTEND + kind)


@rule
def offer_starters(s: State, d: Desk) -> None:
    """[AFTER-07, D-14] Anybody may be named starting player."""
    for seat in range(whole(s.players)):
        put(d, STARTER + seat)


@rule
def offer(s: State, b: Board, d: Desk) -> None:
    """Offer what the deciding seat may do; nothing while a card is to be turned up or when the game is over."""
    clear(d)
    stage = whole(s.stage)
    if START <= stage <= DONE:
        offer_turn(s, b, d)
    elif stage == SETTLING:
        offer_settlement(s, b, d)
    elif stage == NAMING:
        offer_starters(s, d)
