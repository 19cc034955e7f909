"""SET, TURN, PHASE, AFTER and END: the order in which things happen.

    deal -> turn, turn, turn ... -> round over -> phase over? -> payday -> loans -> money check -> starter -> new pieces

The end of every turn, and the deal before the first, passes through the stage REVEAL, in which the display is filled.
"""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.rng import shuffle, sow
from elcapitan.engine.rules.buildings import colour_of, two_colours
from elcapitan.engine.rules.expansion import cities_in_play, pirate_in_game
from elcapitan.engine.rules.facts import derive
from elcapitan.engine.rules.loans import first_round, pay_everything, pay_overdue, wealth
from elcapitan.engine.rules.payday import pay_all
from elcapitan.engine.rules.sailing import deck_to_turn_up, go_to_bank
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import (
    AWAY,
    CANARIAS,
    CARDS,
    DESTINATIONS,
    FACE_UP,
    LINKS,
    LOANS,
    NAMING,
    NOBODY,
    NOT_DUE,
    OVER,
    PHASES,
    REVEAL,
    SEATS,
    SETTLING,
    START,
    TRANSIT,
)

PIRATE_START = 1  # the second harbour space [EXP-05]


@rule
def clear(s: State) -> None:
    """[SET-12, BOARD-10] Nothing stands anywhere and nobody has anything."""
    s.stage = REVEAL
    s.passes = 0
    s.free_move = NOT_DUE
    s.pirate_used = 0
    s.pirate_at = NOBODY
    s.undecided[:] = 0
    s.cash[:] = 0
    s.stock[:] = 0
    s.fortresses[:] = 0
    s.lost[:] = 0
    s.bonus[:] = 0
    s.loans[:] = 0
    s.ship_city[:] = AWAY
    s.ship_space[:] = TRANSIT
    s.pirate_city = NOBODY
    s.pirate_space = NOBODY
    s.site[:] = NOBODY
    s.closed[:] = 0
    s.fortress[:] = NOBODY
    s.display = 0
    s.discard = 0
    s.hand[:] = 0


@rule
def set_up(s: State, b: Board, players: int, tiles: int, options: int, first: int) -> None:
    """[SET-01, SET-02, SET-03, SET-08, SET-11, SET-13, TWO-03, TWO-04, EXP-05] The table before the deal."""
    clear(s)
    s.players = players
    s.tiles = tiles
    s.options = options
    s.in_play = cities_in_play(tiles)
    s.phase = 1
    for kind in range(LOANS):
        s.loans_left[kind] = b.loan_cards[kind]
    for seat in range(players):
        s.cash[seat] = b.start_cash
    if pirate_in_game(s):
        s.pirate_city = CANARIAS
        s.pirate_space = PIRATE_START
    derive(s, b)
    hand_out_pieces(s, b)
    prepare_phase(s, first)


@rule
def shuffle_decks(s: State, low: int, high: int) -> None:
    """[SET-06] Both decks are shuffled and lie face down."""
    sow(s, low, high)
    for card in range(CARDS):
        s.deck[card] = card
    s.deck_left[0] = DESTINATIONS
    s.deck_left[1] = LINKS
    shuffle(s, 0, DESTINATIONS)
    shuffle(s, DESTINATIONS, CARDS)


@rule
def hand_out_pieces(s: State, b: Board) -> None:
    """[SET-02, SET-04, AFTER-08, AFTER-09, PHASE-05, TWO-03, TWO-15] New pieces are added to what is left."""
    for seat in range(whole(s.players)):
        s.stock[seat] += b.new_houses
        s.fortresses[seat] += b.new_fortresses
        if two_colours(s):
            s.stock[colour_of(seat, 1)] += b.new_neutral


@rule
def prepare_phase(s: State, starter: int) -> None:
    """[SET-11, AFTER-07, G-12, G-59] Before round 1: the turn is about to come to the starting player."""
    s.starter = starter
    s.round_no = 0
    s.passes = 0
    s.seat = (starter + whole(s.players) - 1) % whole(s.players)


@rule
def next_seat(s: State) -> int:
    """[TURN-02, G-12, G-59] Clockwise. Asked after every turn, so nothing is divided here."""
    following = whole(s.seat) + 1
    return following if following < whole(s.players) else 0


@rule
def begin_turn(s: State, seat: int) -> None:
    """[TURN-02] A seat's turn begins; with the starting player's a new round."""
    if seat == s.starter:
        s.round_no += 1
        s.passes = 0
    s.seat = seat
    s.stage = START
    s.free_move = NOT_DUE
    s.pirate_used = 0


@rule
def pass_on(s: State, seat: int) -> bool:
    """[TURN-02, PHASE-02] Let the turn come to a seat as if nothing happened before; False if a payday comes first."""
    for _ in range(SEATS):
        following = next_seat(s)
        if following == s.starter and phase_over(s):
            return False
        begin_turn(s, following)
        if following == seat:
            return True
    return False


@rule
def stock_empty(s: State, seat: int) -> bool:
    """[PHASE-01, PHASE-03, SHUT-07, TWO-09, TWO-16] A player has built everything, closed houses included."""
    built = s.stock[seat] == 0 and s.fortresses[seat] == 0
    return bool(built and (not two_colours(s) or s.stock[colour_of(seat, 1)] == 0))


@rule
def phase_over(s: State) -> bool:
    """[PHASE-01, PHASE-02, END-01, END-02, TWO-09, G-10, G-37] Asked when a round is complete.

    Somebody has built everything, or everybody passed.
    """
    if s.passes == s.players:
        return True
    for seat in range(whole(s.players)):
        if stock_empty(s, seat):
            return True
    return False


@rule
def end_turn(s: State, b: Board) -> None:
    """[CARD-09, TURN-08, G-55] Fill the display, then go on; after the game's last turn it is left as it is."""
    s.stage = REVEAL
    if s.phase == PHASES and next_seat(s) == s.starter and phase_over(s):
        close_phase(s, b)
    else:
        go_on(s, b)


@rule
def go_on(s: State, b: Board) -> None:
    """[TURN-01, TURN-02, PHASE-02, PHASE-04] Once the display is full: the next turn, or the payday."""
    if deck_to_turn_up(s) != NOBODY:
        return
    seat = next_seat(s)
    if seat == s.starter and phase_over(s):
        close_phase(s, b)
    else:
        begin_turn(s, seat)


@rule
def pass_turn(s: State) -> None:
    """[TURN-09, G-07, G-09, G-51] Nothing is possible: the ship goes to the bank; in round 1 it stays off-board."""
    if not first_round(s):
        go_to_bank(s, whole(s.seat))
        s.passes += 1


@rule
def close_phase(s: State, b: Board) -> None:
    """[PHASE-04, AFTER-10, END-01, END-03, END-04, G-29] Payday; then loans, or after the third the end."""
    pay_all(s, b)
    if s.phase < PHASES:
        s.seat = s.starter
        settle(s, b)
        return
    for seat in range(whole(s.players)):
        pay_everything(s, b, seat)
    s.stage = OVER


@rule
def settle(s: State, b: Board) -> None:
    """[AFTER-01, AFTER-04, G-27, G-28, G-54] Seat by seat: overdue cards are paid, then the others decided on."""
    s.stage = SETTLING
    for _ in range(SEATS):
        seat = whole(s.seat)
        pay_overdue(s, b, seat)
        owing = 0
        for kind in range(LOANS):
            s.undecided[kind] = s.loans[seat, kind, FACE_UP]
            owing += whole(s.undecided[kind])
        if owing > 0:
            return
        s.seat = next_seat(s)
        if s.seat == s.starter:
            call_for_starter(s, b)
            return


@rule
def decided(s: State, b: Board) -> None:
    """[AFTER-01, G-27] After one loan decision: the next card, the next seat, or the money check."""
    if s.undecided[0] + s.undecided[1] > 0:
        return
    s.seat = next_seat(s)
    if s.seat == s.starter:
        call_for_starter(s, b)
    else:
        settle(s, b)


@rule
def poorest(s: State, b: Board) -> int:
    """[AFTER-06, AFTER-07, TWO-14, G-30, G-31] Who has least; of several the first from the starting player on."""
    seat = whole(s.starter)
    who, least = seat, wealth(s, b, seat)
    for _ in range(1, whole(s.players)):
        seat = (seat + 1) % whole(s.players)
        if wealth(s, b, seat) < least:
            who, least = seat, wealth(s, b, seat)
    return who


@rule
def call_for_starter(s: State, b: Board) -> None:
    """[AFTER-06, AFTER-07, AFTER-10] The money check tells who names the next starting player."""
    s.seat = poorest(s, b)
    s.stage = NAMING


@rule
def name_starter(s: State, b: Board, starter: int) -> None:
    """[AFTER-07, AFTER-08, AFTER-10, TURN-01, G-12] The next phase begins; each seat gets new pieces."""
    s.phase += 1
    hand_out_pieces(s, b)
    prepare_phase(s, starter)
    begin_turn(s, starter)
