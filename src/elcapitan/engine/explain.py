"""Why an action is illegal: the rule it breaks and the numbers that show it, as codes.

`why_not` asks the questions in the order in which a player would: is it the time, is it there, can it be paid, does
the turn still end in a build. It answers 0 exactly for what `offer` lists. Sentences are made at the edge.
"""

from elcapitan.engine import refusals as reasons
from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    END,
    EXTEND,
    FORTRESS,
    FREE_PIRATE,
    LINK_LEGS,
    LOAN,
    PAID_PIRATE,
    PASS,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    ROUTE_LEGS,
    SAIL,
    STARTER,
    leg_card,
)
from elcapitan.engine.jit import rule, whole
from elcapitan.engine.record import Int64s
from elcapitan.engine.rules.buildings import (
    balance_kept,
    colour_of,
    fortress_site,
    has_fortress,
    is_site,
    next_site,
    two_colours,
)
from elcapitan.engine.rules.expansion import fare, may_berth, pirate_in_game, pirate_place
from elcapitan.engine.rules.legality import (
    free_move_leaves_build,
    legs_leaving_build,
    may_buy,
    may_land,
    may_move_for_money,
    pirate_leg_lands,
)
from elcapitan.engine.rules.loans import any_loan_left, first_round, loan_turn_open
from elcapitan.engine.rules.reach import can_still_build, look_afresh, look_here
from elcapitan.engine.rules.sailing import anchored, can_pay, free_spaces, in_city, leg_fits, leg_target
from elcapitan.engine.state import Board, Desk, State
from elcapitan.engine.vocabulary import (
    DONE,
    DUE,
    FACE_UP,
    MADE,
    NAMING,
    NO_SITE,
    NOBODY,
    OVER,
    PORTO,
    REVEAL,
    SETTLING,
    SITES,
    START,
)


@rule
def because(args: Int64s, code: int, first: int, second: int) -> int:
    """Note the arguments of a reason."""
    args[0] = first
    args[1] = second
    return code


@rule
def why_not(s: State, b: Board, d: Desk, action: int, args: Int64s) -> int:
    """[TURN-03] The reason why an action is illegal now, or LEGAL."""
    stage = whole(s.stage)
    if stage == OVER:
        return reasons.GAME_OVER
    if stage == REVEAL:
        return reasons.CARD_TO_TURN_UP
    if REPAY <= action < FREE_PIRATE:
        return why_not_after_payday(s, b, action, args)
    if stage == SETTLING:
        return reasons.SETTLE_FIRST
    if stage == NAMING:
        return reasons.NAME_FIRST
    look_afresh(d)
    look_here(s, b, d)
    if s.pirate_at != NOBODY and action < PIRATE_SAIL:
        return because(args, reasons.PIRATE_AT_SEA, whole(s.pirate_at), 0)
    if action < SAIL:
        return why_not_buy(s, b, d, action, args)
    if action < BUILD:
        return why_not_sail(s, b, d, action - SAIL, args)
    if action <= FORTRESS:
        return why_not_build(s, b, action, args)
    if action < REPAY:
        return why_not_close(s, b, d, action, args)
    return why_not_pirate(s, b, d, action, args)


@rule
def why_not_after_payday(s: State, b: Board, action: int, args: Int64s) -> int:
    """[AFTER-02, AFTER-07, LOAN-09, G-27, D-13, D-14] About repaying, extending and naming the starting player."""
    if action >= STARTER:
        if s.stage != NAMING:
            return reasons.NOT_NAMING if s.stage != SETTLING else reasons.SETTLE_FIRST
        if action - STARTER >= s.players:
            return because(args, reasons.NO_SUCH_SEAT, action - STARTER, 0)
        return reasons.LEGAL
    if s.stage != SETTLING:
        return reasons.NOT_SETTLING if s.stage != NAMING else reasons.NAME_FIRST
    kind = (action - REPAY) % 2
    if s.undecided[kind] == 0:
        return because(args, reasons.NO_SUCH_DEBT, whole(b.loan_amount[kind]), 0)
    due, cash = whole(b.loan_due[kind, FACE_UP]), whole(s.cash[whole(s.seat)])
    if action < EXTEND and cash < due:
        return because(args, reasons.CANNOT_REPAY, due, cash)
    return reasons.LEGAL


@rule
def why_not_buy(s: State, b: Board, d: Desk, card: int, args: Int64s) -> int:
    """[BUY-02, BUY-05, G-06, D-01] About buying a card."""
    if not (whole(s.display) >> card) & 1:
        return because(args, reasons.NOT_DISPLAYED, card, 0)
    price = whole(b.card_price[card])
    if not can_pay(s, whole(s.seat), price):
        return because(args, reasons.CARD_TOO_DEAR, price, whole(s.cash[whole(s.seat)]))
    if not may_buy(s, b, d, card):
        return because(args, reasons.PURCHASE_BLOCKS, card, price)
    return reasons.LEGAL


@rule
def why_not_sail(s: State, b: Board, d: Desk, leg: int, args: Int64s) -> int:
    """[TURN-06, SAIL-02, G-06, G-43, D-02, D-03, D-04] About sailing with a card."""
    if s.stage == DONE:
        return reasons.NO_SAILING
    if s.free_move == MADE:
        return reasons.VOYAGE_OVER
    seat = whole(s.seat)
    code = why_not_leg(s, b, whole(s.ship_city[seat]), leg, args)
    if code == reasons.LEGAL and legs_leaving_build(s, b, d, leg_card(leg), 1 << leg_target(b, leg)) == 0:
        return because(args, reasons.LEG_BLOCKS, leg_target(b, leg), 0)
    return code


@rule
def why_not_leg(s: State, b: Board, place: int, leg: int, args: Int64s) -> int:
    """[BUY-03, CARD-05, CARD-06, SAIL-06, EXP-01, G-03] About a leg of ship or pirate from `place`."""
    card, city = leg_card(leg), leg_target(b, leg)
    if not (whole(s.hand[whole(s.seat)]) >> card) & 1:
        return because(args, reasons.NOT_IN_HAND, card, 0)
    if leg_fits(s, b, place, leg):
        return reasons.LEGAL
    if not (whole(s.in_play) >> city) & 1:
        return because(args, reasons.NOT_IN_PLAY, city, 0)
    if city == place:
        return because(args, reasons.ALREADY_THERE, city, 0)
    if leg >= ROUTE_LEGS and not in_city(place):
        return because(args, reasons.DESTINATION_FIRST, card, 0)
    if leg >= LINK_LEGS:
        return because(args, reasons.LINK_ELSEWHERE, card, place)
    args[2] = whole(b.seals[card])
    return because(args, reasons.TOO_FAR, city, whole(b.distance[place, city]))


@rule
def why_not_build(s: State, b: Board, action: int, args: Int64s) -> int:
    """[TURN-04, TURN-12, TWO-02, D-05, D-06, D-07] About a main action."""
    if s.stage == DONE:
        return reasons.ONE_BUILD
    seat = whole(s.seat)
    if not anchored(s, seat):
        return reasons.NOT_ANCHORED
    if action == FORTRESS:
        return why_not_fortify(s, b, seat, whole(s.ship_city[seat]), args)
    operand = action - REOPEN if action >= REOPEN else action - BUILD
    if operand >= SITES and not two_colours(s):
        return reasons.NO_NEUTRAL
    colour = colour_of(seat, operand // SITES)
    if action >= REOPEN:
        return why_not_reopen(s, colour, operand % SITES, args)
    return why_not_house(s, b, colour, operand % SITES, args)


@rule
def why_not_site(s: State, city: int, colour: int, site: int, args: Int64s) -> int:
    """[WARE-05, WARE-07, BACK-06] About the site a house would take, and the row it would belong to."""
    due = next_site(s, city)
    if due == NO_SITE:
        return because(args, reasons.CITY_FULL, city, 0)
    if not is_site(s, city, site):
        return because(args, reasons.WRONG_SITE, city, due)
    if not (whole(s.room[colour]) >> city) & 1:
        return because(args, reasons.ROW, city, 0)
    return reasons.LEGAL


@rule
def why_not_house(s: State, b: Board, colour: int, site: int, args: Int64s) -> int:
    """[WARE-02, WARE-05, WARE-07, TWO-06, D-05] About building a warehouse."""
    seat = whole(s.seat)
    city = whole(s.ship_city[seat])
    if s.stock[colour] == 0:
        return reasons.NO_HOUSE
    if not balance_kept(s, colour):
        return reasons.BALANCE
    code = why_not_site(s, city, colour, site, args)
    price = whole(b.harbour_price[city, s.ship_space[seat]])
    if code == reasons.LEGAL and not can_pay(s, seat, price):
        return because(args, reasons.HOUSE_TOO_DEAR, price, whole(s.cash[seat]))
    return code


@rule
def why_not_reopen(s: State, colour: int, site: int, args: Int64s) -> int:
    """[REOPEN-01, REOPEN-08, PORTO-04, D-06] About re-opening a warehouse; it goes to the one next site."""
    city = whole(s.ship_city[whole(s.seat)])
    if city == PORTO:
        return reasons.PORTO
    if s.closed[city, colour] == 0:
        return because(args, reasons.NOTHING_CLOSED, city, 0)
    due = next_site(s, city)
    if due != NO_SITE and site != due:
        return because(args, reasons.WRONG_SITE, city, due)
    return why_not_site(s, city, colour, site, args)


@rule
def why_not_fortify(s: State, b: Board, seat: int, city: int, args: Int64s) -> int:
    """[FORT-02, FORT-04, FORT-05, D-07] About building a fortress."""
    if s.fortresses[seat] == 0:
        return reasons.NO_FORTRESS
    if has_fortress(s, city, seat):
        return because(args, reasons.FORTRESS_STANDS, city, 0)
    site = fortress_site(s, city)
    if site == NO_SITE:
        return because(args, reasons.NO_FORTRESS_SITE, city, 0)
    price = whole(b.fortress_price[city, site])
    if not can_pay(s, seat, price):
        return because(args, reasons.FORTRESS_TOO_DEAR, price, whole(s.cash[seat]))
    return reasons.LEGAL


@rule
def why_not_close(s: State, b: Board, d: Desk, action: int, args: Int64s) -> int:
    """[LOAN-06, TURN-03, TURN-08, TURN-09, CANA-02, G-09, D-08, D-09, D-10] About a loan, a pass, the turn's end."""
    if action == END:
        if s.stage != DONE:
            return reasons.BUILD_FIRST
        return reasons.MOVE_DUE if s.free_move == DUE else reasons.LEGAL
    if action == PASS:
        borrow = loan_turn_open(s) and any_loan_left(s)
        return reasons.NO_PASS if s.stage != START or borrow or can_still_build(s, b, d) else reasons.LEGAL
    if first_round(s):
        return reasons.FIRST_ROUND
    if not loan_turn_open(s):
        return reasons.LOAN_ALONE
    if s.loans_left[action - LOAN] == 0:
        return because(args, reasons.PILE_EMPTY, whole(b.loan_amount[action - LOAN]), 0)
    return reasons.LEGAL


@rule
def why_not_pirate(s: State, b: Board, d: Desk, action: int, args: Int64s) -> int:
    """[CANA-01, CANA-05, PIRATE-08, G-52, D-11, D-12] About moving the pirate."""
    if not pirate_in_game(s):
        return reasons.NO_PIRATE
    if action < PAID_PIRATE:
        operand = action - FREE_PIRATE
        return why_not_free_move(s, b, operand // BERTHINGS, operand % BERTHINGS, args)
    if action < PIRATE_LAND and s.pirate_used == 1 and s.pirate_at == NOBODY:
        return reasons.MOVED_ALREADY
    if action < PIRATE_SAIL:
        operand = action - PAID_PIRATE
        return why_not_paid_move(s, b, d, operand // BERTHINGS, operand % BERTHINGS, args)
    if action < PIRATE_LAND:
        leg = action - PIRATE_SAIL
        code = why_not_leg(s, b, pirate_place(s), leg, args)
        if code == reasons.LEGAL and not pirate_leg_lands(s, b, d, leg_card(leg), leg_target(b, leg)):
            return because(args, reasons.CANNOT_LAND, leg_target(b, leg), 0)
        return code
    if s.pirate_at == NOBODY:
        return reasons.NOT_AT_SEA
    city, berthing = whole(s.pirate_at), action - PIRATE_LAND
    code = why_not_berth(s, b, city, berthing, args)
    if code == reasons.LEGAL and not may_land(s, b, d, city, berthing, whole(s.hand[whole(s.seat)])):
        return because(args, reasons.PIRATE_BLOCKS, city, 0)
    return code


@rule
def why_not_berth(s: State, b: Board, city: int, berthing: int, args: Int64s) -> int:
    """[PIRATE-02, PIRATE-04, EXP-01, G-42, G-53] About the space the pirate would take."""
    if may_berth(s, b, city, berthing):
        return reasons.LEGAL
    if not (whole(s.in_play) >> city) & 1:
        return because(args, reasons.NOT_IN_PLAY, city, 0)
    if city == s.pirate_city:
        return because(args, reasons.MUST_LEAVE, city, 0)
    if free_spaces(s, city, NOBODY) == 0:
        return because(args, reasons.NEEDS_SPACE, city, 0)
    return because(args, reasons.NO_BERTH, city, berthing // 3)


@rule
def why_not_free_move(s: State, b: Board, city: int, berthing: int, args: Int64s) -> int:
    """[CANA-02, CANA-05, D-11, G-50] About the free move."""
    if s.free_move != DUE:
        return reasons.NO_FREE_MOVE
    code = why_not_berth(s, b, city, berthing, args)
    if code == reasons.LEGAL and s.stage != DONE and not free_move_leaves_build(s, b, city, berthing):
        return because(args, reasons.FREE_BLOCKS, city, 0)
    return code


@rule
def why_not_paid_move(s: State, b: Board, d: Desk, city: int, berthing: int, args: Int64s) -> int:
    """[PIRATE-08, D-12, G-06, G-45] About moving the pirate for money."""
    code = why_not_berth(s, b, city, berthing, args)
    if code != reasons.LEGAL:
        return code
    price, cash = fare(s, b, city), whole(s.cash[whole(s.seat)])
    if not can_pay(s, whole(s.seat), price):
        return because(args, reasons.PIRATE_TOO_DEAR, price, cash)
    if not may_move_for_money(s, b, d, city, berthing):
        return because(args, reasons.PIRATE_BLOCKS, city, 0)
    return reasons.LEGAL
