"""From a sketch to a position: what was left out is filled in, and what cannot be is refused.

A position need not be one that a game can reach, but its record must be sound: everything is in one place, nothing is
there twice, and pieces, loan cards and sailing cards add up.
"""

from typing import Final

from elcapitan.actions.text import short_city
from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    BOUGHT,
    CANARIAS,
    CARDS,
    DESTINATIONS,
    DISPLAYED_DESTINATIONS,
    DISPLAYED_LINKS,
    DONE,
    DUE,
    FACE_UP,
    LOANS,
    MAIN_CITIES,
    NAMING,
    NEUTRAL_OFFSET,
    NOBODY,
    NOT_DUE,
    OVER,
    PHASES,
    PIRATE,
    PIRATE_BEFORE_LOAN,
    PORTO,
    REVEAL,
    SETTLING,
    STAGE_NAMES,
    START,
    TRANSIT,
    UNDER_WAY,
    two_colours,
)
from elcapitan.notation.sketch import DrawingLine, DrawnCity, DrawnMerchant, Sketch, colour_letters, seat_letters

ELSEWHERE: Final = {"Bank": BANK, "Away": AWAY}
DECKS: Final = (range(DESTINATIONS), range(DESTINATIONS, CARDS))
DISPLAYED: Final = (DISPLAYED_DESTINATIONS, DISPLAYED_LINKS)


def lay_out(drawn: Sketch, figures: Figures) -> States:
    """The position of a sketch, as an array of one record."""
    states = play.states()
    tiles = sum(1 << city - MAIN_CITIES for city in drawn.cities if city >= MAIN_CITIES)
    play.new(states, 0, figures.boards, drawn.players, tiles, drawn.options, drawn.starter, 0, 0)
    s = states[0]
    _set_course(s, drawn)
    for number, city in drawn.cities.items():
        _set_city(s, number, city, figures)
    _set_pirate(s, drawn)
    _set_ships(s, drawn)
    play.derive(states, 0, figures.boards)
    for seat in range(drawn.players):
        _set_merchant(s, seat, drawn.merchants.get(seat, DrawnMerchant(drawn.line)), figures)
    _check_bonus_cards(s, drawn)
    _set_loans_left(s, drawn, figures)
    _set_cards(s, drawn, figures)
    _check_turn(s, drawn, figures)
    return states


# The course of the game.


def _set_course(s: State, drawn: Sketch) -> None:
    """Phase, round and turn; the game is over after the turn of the last in the round."""
    before_starter = (drawn.starter + drawn.players - 1) % drawn.players
    s.phase = drawn.phase
    s.round_no = drawn.round_no
    s.seat = drawn.starter if drawn.seat is None else drawn.seat
    s.stage = drawn.stage
    s.passes = drawn.line.whole(str(drawn.passes), 0, _turns_taken(s))
    s.free_move = drawn.free_move
    s.pirate_used = drawn.pirate_used
    s.pirate_at = drawn.pirate_at
    if s.stage == OVER:
        s.seat = before_starter
    after_payday = s.stage in (SETTLING, NAMING)
    if (s.stage == OVER and s.phase < PHASES) or (after_payday and s.phase == PHASES):
        drawn.line.refuse("wrong-phase", stage=STAGE_NAMES[s.stage], phase=int(s.phase))
    if s.round_no == 0 and not (s.stage == REVEAL and s.phase == 1 and s.seat == before_starter):
        drawn.line.refuse("no-deal", seat=drawn.seats[before_starter])


def _turns_taken(s: State) -> int:
    """How many merchants have had their turn in this round, so that they may have passed."""
    if s.stage in (SETTLING, NAMING, OVER):
        return int(s.players)
    before = (int(s.seat) - int(s.starter)) % int(s.players)
    return before + 1 if s.stage == REVEAL else before


def _check_turn(s: State, drawn: Sketch, figures: Figures) -> None:
    """What the headline says about the turn must fit what is drawn."""
    seat = int(s.seat)
    if s.stage == REVEAL and not any(_can_turn_up(s, deck) for deck in range(2)):
        drawn.line.refuse("nothing-to-turn-up", seat=drawn.seats[seat])
    if s.stage == SETTLING:
        s.undecided[:] = s.loans[seat, :, FACE_UP]
        if not s.undecided.any():
            drawn.line.refuse("nothing-to-settle", seat=drawn.seats[seat])
    moving = (START, BOUGHT, UNDER_WAY, DONE) if s.options & PIRATE_BEFORE_LOAN else (UNDER_WAY, DONE)
    if drawn.pirate_at != NOBODY and s.stage not in moving:
        drawn.line.refuse("pirate-not-under-way")
    if drawn.pirate_at != NOBODY and not s.in_play >> drawn.pirate_at & 1:
        drawn.line.refuse("no-pirate-there", city=short_city(drawn.pirate_at))
    place, space = int(s.ship_city[seat]), int(s.ship_space[seat])
    if place < BANK and space == TRANSIT and NOBODY in s.harbour[place, : figures.board.harbours[place]]:
        drawn.line.refuse("would-anchor", seat=drawn.seats[seat], city=short_city(place))
    anchored = place == CANARIAS and space != TRANSIT
    if s.free_move == DUE and not (anchored and s.stage in (UNDER_WAY, DONE)):
        drawn.line.refuse("no-free-move", seat=drawn.seats[seat])


# The board.


def _set_city(s: State, number: int, city: DrawnCity, figures: Figures) -> None:
    """Everything that stands in a city but its ships, which are set when all of them are known."""
    city.line.check_room(len(city.harbour or ()), int(figures.board.harbours[number]))
    city.line.check_room(len(city.fortresses or ()), int(figures.board.fortress_sites[number]))
    _set_chain(s, number, city)
    if number == PORTO and city.closed:
        city.line.refuse("shut-in-porto")
    for colour in city.closed or ():
        s.closed[number, colour] += 1
    owners = [seat for seat in city.fortresses or () if seat != NOBODY]
    if len(owners) != len(set(owners)):
        city.line.refuse("two-fortresses", city=short_city(number))
    for site, seat in enumerate(city.fortresses or ()):
        s.fortress[number, site] = seat


def _set_chain(s: State, number: int, city: DrawnCity) -> None:
    """The warehouses on the track, which stand on neighbouring sites."""
    standing = [site for site, colour in enumerate(city.sites) if colour != NOBODY]
    if standing and len(standing) != standing[-1] - standing[0] + 1:
        city.line.refuse("gap", city=short_city(number))
    for site in standing:
        s.site[number, site] = city.sites[site]


def _set_ships(s: State, drawn: Sketch) -> None:
    """Every ship is in one place; those not drawn are at the bank, in the game's first round off the board."""
    first_round = drawn.phase == 1 and drawn.round_no <= 1
    s.ship_city[: drawn.players] = AWAY if first_round else BANK
    placed: set[int] = set()
    for name, ships in drawn.harbours.items():
        for line, seat in ships:
            _place_ship(s, drawn, line, seat, ELSEWHERE[name], TRANSIT, placed)
    for number, city in drawn.cities.items():
        for space, occupant in enumerate(city.harbour or ()):
            if occupant not in (NOBODY, PIRATE):
                _place_ship(s, drawn, city.line, occupant, number, space, placed)
        for seat in city.transit:
            _place_ship(s, drawn, city.line, seat, number, TRANSIT, placed)
            if seat != s.seat or s.stage != UNDER_WAY:
                city.line.refuse("not-under-way", seat=drawn.seats[seat])


def _place_ship(
    s: State, drawn: Sketch, line: DrawingLine, seat: int, place: int, space: int, placed: set[int]
) -> None:
    """A ship is drawn somewhere, for the first time."""
    if seat in placed:
        line.refuse("ship-twice", seat=drawn.seats[seat])
    placed.add(seat)
    s.ship_city[seat] = place
    s.ship_space[seat] = space


def _set_pirate(s: State, drawn: Sketch) -> None:
    """With Islas Canarias the pirate is in one harbour: where it is drawn, or else where it starts."""
    berths = [
        (city.line, number, space)
        for number, city in drawn.cities.items()
        for space, occupant in enumerate(city.harbour or ())
        if occupant == PIRATE
    ]
    home = drawn.cities.get(CANARIAS)
    if home is None:
        if berths or drawn.pirate_used or drawn.free_move != NOT_DUE:
            drawn.line.refuse("no-pirate")
        return
    if len(berths) > 1:
        berths[1][0].refuse("pirate-twice")
    if berths:
        _, s.pirate_city, s.pirate_space = berths[0]
    elif home.harbour is not None:
        home.line.refuse("pirate-nowhere")


# The merchants.


def _set_merchant(s: State, seat: int, merchant: DrawnMerchant, figures: Figures) -> None:
    """Money, pieces, loans and the bonus card of one seat."""
    s.cash[seat] = figures.board.start_cash if merchant.florins is None else merchant.florins
    _set_houses(s, seat, 0, merchant, int(figures.board.new_houses))
    if two_colours(int(s.players)):
        _set_houses(s, seat + NEUTRAL_OFFSET, 1, merchant, int(figures.board.new_neutral))
    _set_fortresses(s, seat, merchant, int(figures.board.new_fortresses))
    s.bonus[seat] = merchant.bonus or 0
    for (kind, side), count in merchant.owes.items():
        s.loans[seat, kind, side] = count


def _set_houses(s: State, colour: int, which: int, merchant: DrawnMerchant, each_phase: int) -> None:
    """Of the warehouses handed out so far, what is neither built nor in stock is lost to the game."""
    given = each_phase * int(s.phase)
    built = int(s.houses[:, colour].sum() + s.closed[:, colour].sum())
    stock = merchant.houses[which] if merchant.houses else None
    lost = merchant.lost[which] if merchant.lost else None
    found = built + (stock or 0) + (lost or 0)
    if found > given or (found < given and stock is not None and lost is not None):
        letter = colour_letters(int(s.players))[colour]
        merchant.line.refuse("wrong-houses", colour=letter, given=given, phase=int(s.phase), found=found)
    s.stock[colour] = given - found if stock is None else stock
    s.lost[colour] = given - built - s.stock[colour]


def _set_fortresses(s: State, seat: int, merchant: DrawnMerchant, each_phase: int) -> None:
    """No more fortresses than were handed out so far."""
    given = each_phase * int(s.phase)
    built = int((s.fortress == seat).sum())
    found = built + (merchant.fortresses or 0)
    if found > given:
        letter = seat_letters(int(s.players))[seat]
        merchant.line.refuse("wrong-fortresses", seat=letter, given=given, phase=int(s.phase), found=found)
    s.fortresses[seat] = given - built if merchant.fortresses is None else merchant.fortresses


def _check_bonus_cards(s: State, drawn: Sketch) -> None:
    """Bonus cards are taken in order."""
    taken = sorted(int(bonus) for bonus in s.bonus if bonus)
    if taken != list(range(1, len(taken) + 1)):
        drawn.line.refuse("wrong-bonus")


def _set_loans_left(s: State, drawn: Sketch, figures: Figures) -> None:
    """Put the loan cards that no merchant holds into the bank."""
    for kind in range(LOANS):
        held, cards = int(s.loans[:, kind].sum()), int(figures.board.loan_cards[kind])
        if held > cards:
            drawn.line.refuse("too-many-loans", amount=int(figures.board.loan_amount[kind]), found=held, most=cards)
        s.loans_left[kind] = cards - held


# The sailing cards.


def _set_cards(s: State, drawn: Sketch, figures: Figures) -> None:
    """Hands, display and discards; the rest is face down, in the order given and then in that of the card list."""
    seen: set[int] = set()
    for seat, merchant in drawn.merchants.items():
        s.hand[seat] = _bits(merchant.hand, seen, figures)
    s.display = _bits(drawn.cards["Display"], seen, figures)
    s.discard = _bits(drawn.cards["Discards"], seen, figures)
    used = sorted(seen)
    _bits(drawn.cards["Deck"], seen, figures)
    order = [card for _, card in drawn.cards["Deck"]]
    for deck, (cards, most) in enumerate(zip(DECKS, DISPLAYED, strict=True)):
        if (int(s.display) >> cards.start & (1 << len(cards)) - 1).bit_count() > most:
            drawn.line.refuse("display-too-long", most=most)
        coming = [card for card in order if card in cards] + [card for card in cards if card not in seen]
        s.deck_left[deck] = len(coming)
        s.deck[cards.start : cards.stop] = coming[::-1] + [card for card in used if card in cards]


def _bits(cards: list[tuple[DrawingLine, int]], seen: set[int], figures: Figures) -> int:
    """Cards as a set of bits; none of them was seen elsewhere."""
    bits = 0
    for line, card in cards:
        if card in seen:
            line.refuse("card-twice", card=figures.cards[card])
        seen.add(card)
        bits |= 1 << card
    return bits


def _can_turn_up(s: State, deck: int) -> bool:
    """Whether the display lacks a card of this deck that can be had."""
    cards, most = DECKS[deck], DISPLAYED[deck]
    shown = sum(int(s.display) >> card & 1 for card in cards)
    to_be_had = s.deck_left[deck] > 0 or any(int(s.discard) >> card & 1 for card in cards)
    return bool(shown < most and to_be_had)
