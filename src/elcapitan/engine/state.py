"""The records of a game: board, position, the desk on which rules work something out, forecast and facts.

A position is flat: a copy of its bytes is a copy of the game. The fields of its last group could be derived from
others; they are here because rules ask for them all the time. `derive` makes them anew. The board is an argument of
every rule, so nothing in the engine holds a printed number.
"""

from typing import Annotated

from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.record import Int8, Int8s, Int16, Int16s, Int64, Int64s, Record, Records, UInt32s, UInt64s
from elcapitan.engine.simd import FOUR, LANES
from elcapitan.engine.vocabulary import (
    BONUS_CARDS,
    CARDS,
    CITIES,
    COLOURS,
    FORTRESS_SITES,
    LOANS,
    MOST_FLORINS,
    MOST_SEALS,
    PHASES,
    PLACES,
    SEATS,
    SITES,
    SPACES,
)

WORDS = (N_ACTIONS + 63) // 64  # of 64 bits, for a set of actions
TRACKED = 4  # cards whose use can be tracked on the desk; for more, room is made when it is needed


class Board(Record):
    """What is printed on the components. Read-only: `figures.py` fills it from a TOML file."""

    # Cities.
    harbours: Annotated[Int8s, CITIES]  # harbour spaces
    harbour_price: Annotated[Int16s, CITIES, SPACES]  # of a warehouse, from each space
    fortress_sites: Annotated[Int8s, CITIES]
    fortress_price: Annotated[Int16s, CITIES, FORTRESS_SITES]
    # Where so many florins pay for a warehouse from each space, a fortress on each site: one set after another.
    for_florins: Annotated[Int64s, MOST_FLORINS + 1]
    track: Annotated[Int16s, CITIES, SITES + 1]  # the numbers on S1 to S12 and on the last space
    dark: Annotated[Int8s, CITIES, SITES]  # 1 on a shut-down site
    triangle: Annotated[Int8s, CITIES]  # the site with the triangle, or NO_SITE
    distance: Annotated[Int8s, CITIES, CITIES]  # steps on the grid of all slots (G-39)
    near: Annotated[Int16s, CITIES, MOST_SEALS + 1]  # cities at distance 1 to n, as bits
    # Sailing cards.
    card_city: Annotated[Int8s, CARDS, 2]  # destination: its city twice; link: its two cities
    card_price: Annotated[Int16s, CARDS]
    prices: Int8  # how many different prices cards have
    price: Annotated[Int16s, CARDS]  # these, the lowest first
    cards_at: Annotated[Int64s, CARDS]  # the cards of each, as bits
    cards_at_most: Annotated[Int64s, MOST_FLORINS + 1]  # the cards that cost at most so many florins, as bits
    seals: Annotated[Int8s, CARDS]  # 0 on links
    links_of: Annotated[Int64s, CITIES]  # the link cards that name a city, as bits
    leads: Annotated[Int16s, PLACES, CARDS]  # from a place a card leads to these cities, as bits
    usable: Annotated[Int64s, PLACES]  # the cards that lead somewhere from a place, as bits
    # Money and pieces.
    start_cash: Int16
    loan_amount: Annotated[Int16s, LOANS]
    loan_due: Annotated[Int16s, LOANS, 2]  # pay-back by side of the card
    loan_cards: Annotated[Int8s, LOANS]
    chart: Annotated[Int16s, CITIES + 1]  # proliferation by number of cities
    bonus: Annotated[Int16s, BONUS_CARDS]
    charge: Annotated[Int16s, PHASES]  # protective charge per building
    pirate_step: Int16
    new_houses: Int8  # warehouses a phase
    new_neutral: Int8  # neutral warehouses a phase, with two players
    new_fortresses: Int8
    # What follows from the above; `DERIVED_FROM` is where it begins.
    build_prices: Int8  # how many different prices warehouses and fortresses have
    build_price: Annotated[Int16s, CITIES * (SPACES + FORTRESS_SITES)]  # these, the lowest first
    unused: Annotated[Int8s, 21]  # so that sixteen sets begin where a line of the cache does
    cards_to: Annotated[Int64s, PLACES, LANES]  # from a place: the cards that lead to each city, as bits
    # To every set of the first four cities, of the next four and the last: the cards that lead there from each place.
    cards_into: Annotated[Int64s, CITIES // FOUR << FOUR, LANES]


class State(Record):
    """A position, with the order of the face-down cards and the source of chance."""

    # What the table agreed on.
    players: Int8  # 2 to 5
    tiles: Int8  # bit 0 Porto, bit 1 Lisboa, bit 2 Islas Canarias
    options: Int8  # bits of OPTION_NAMES
    in_play: Int16  # the cities in play, as bits
    # Where the game stands.
    phase: Int8  # 1 to 3
    round_no: Int16  # from 1 in each phase
    starter: Int8  # starting player of the phase
    seat: Int8  # who decides
    stage: Int8  # what is to be decided
    passes: Int8  # seats that passed in this round (G-10)
    free_move: Int8  # NOT_DUE, DUE or MADE: the pirate move owed for Islas Canarias
    pirate_used: Int8  # 1 once the pirate was moved by cards or money in this turn
    pirate_at: Int8  # city of the pirate in the middle of a voyage by cards, else NOBODY
    undecided: Annotated[Int8s, LOANS]  # loan cards the deciding seat has yet to repay or extend
    # What the merchants have.
    cash: Annotated[Int16s, SEATS]
    stock: Annotated[Int8s, COLOURS]  # unbuilt warehouses in front of the player, by colour
    fortresses: Annotated[Int8s, SEATS]  # unbuilt fortresses in front of the player
    lost: Annotated[Int8s, COLOURS]  # warehouses gone from the game (PORTO-04)
    bonus: Annotated[Int8s, SEATS]  # 0, or which bonus card: 1 the first, 2 the second, 3 the third
    loans: Annotated[Int8s, SEATS, LOANS, 2]  # loan cards by amount and side
    loans_left: Annotated[Int8s, LOANS]  # loan cards at the bank
    # What stands on the board.
    ship_city: Annotated[Int8s, SEATS]  # city, BANK or AWAY
    ship_space: Annotated[Int8s, SEATS]  # harbour space, or TRANSIT
    pirate_city: Int8  # NOBODY without Islas Canarias
    pirate_space: Int8
    site: Annotated[Int8s, CITIES, SITES]  # colour, or NOBODY
    closed: Annotated[Int8s, CITIES, COLOURS]  # warehouses on the picture of the city
    fortress: Annotated[Int8s, CITIES, FORTRESS_SITES]  # seat, or NOBODY
    # The sailing cards, as sets of bits, and the face-down order.
    display: Int64
    discard: Int64
    hand: Annotated[Int64s, SEATS]
    deck: Annotated[Int8s, CARDS]  # destinations from 0, links from DESTINATIONS; drawn from the end
    deck_left: Annotated[Int8s, 2]  # cards left in each deck
    rng: Annotated[UInt32s, 3]
    # What follows from the above.
    harbour: Annotated[Int8s, CITIES, SPACES]  # seat, PIRATE or NOBODY
    front: Annotated[Int8s, CITIES]  # lowest occupied site, or NO_SITE
    last: Annotated[Int8s, CITIES]  # highest occupied site, or NO_SITE
    houses: Annotated[Int8s, CITIES, COLOURS]  # open warehouses
    free: Annotated[Int16s, SPACES]  # cities in which a harbour space is free, as bits
    room: Annotated[Int16s, COLOURS]  # cities whose next site a colour may take, as bits
    shut: Annotated[Int16s, COLOURS]  # cities where a colour has a closed warehouse, as bits
    fortified: Annotated[Int16s, SEATS]  # cities where a seat has a fortress, as bits
    unfortified: Annotated[Int16s, FORTRESS_SITES]  # cities in which a fortress site is free, as bits


class Desk(Record):
    """Room in which the rules work something out; one for each thread."""

    exits: Annotated[Int64s, 3, LANES]  # see `aims`; in front, where a line of the cache begins
    legal: Annotated[UInt64s, WORDS]  # the legal actions, as bits
    actions: Annotated[Int16s, N_ACTIONS]  # the same as a list, ascending
    count: Int16  # how many of them
    # What arriving ships could build (build_options.py): 0 as things are, 1 after a pirate move being considered.
    openings: Annotated[Int64s, 2]  # cities for a house from each space, for a fortress on each site, as bits
    reopenings: Annotated[Int16s, 2]  # cities where she may re-open
    least: Annotated[Int16s, 2]  # the least cash with which she could build anywhere, Islas Canarias aside
    canarias: Annotated[Int16s, 2]  # cash with which she could arrive at Islas Canarias and build
    charged: Annotated[Int8s, 2]  # 1 once the protective charge is counted in that
    known: Int8  # 1 once the above and below is filled in for the position
    good: Int16  # cities where she could build with the cash she has, as bits
    here: Int16  # cash needed to build where the ship lies
    ahead: Int16  # cities to which a card of the hand leads, as bits
    direct: Int64  # destination cards of the hand whose city is good, as bits
    # Cities where she can build, and in `exits` from each place the cards that lead straight there: with the cash she
    # has, and with a lower amount. The third of the exits is for what is worked out in between.
    aims: Annotated[Int16s, 2]
    trails: Annotated[Int64s, PLACES]  # the cards with which she came to a place, as bits
    within: Int16  # cities from which she would come there if every card served often, or NOBODY: not known yet
    # The map of a longer voyage: places, for every set of used cards among those tracked.
    left: Annotated[Int16s, PLACES << TRACKED]  # the most cash with which a place can be reached
    used: Annotated[Int64s, PLACES << TRACKED]  # the cards used on that way, as bits
    seen: Annotated[Int16s, 1 << TRACKED]  # the places reached, as bits
    fresh: Annotated[Int16s, 1 << TRACKED]  # those that are to be gone on from
    trail: Int64  # the cards of the voyage that was found, as bits
    unused: Annotated[Int8s, 41]  # so that the next desk begins where a line of the cache does


class Forecast(Record):
    """What a payday now would pay each seat, item by item."""

    cities: Annotated[Int8s, SEATS]  # cities with an open warehouse of one's main colour
    proliferation: Annotated[Int16s, SEATS]
    majority: Annotated[Int16s, SEATS, CITIES]
    fortress: Annotated[Int16s, SEATS, CITIES]
    bonus: Annotated[Int16s, SEATS]
    total: Annotated[Int16s, SEATS]


class PositionFacts(Record):
    """What the rules say about a position to those who show it; see `rules/facts.py`."""

    # Cities.
    paying_space: Annotated[Int8s, CITIES]
    pays: Annotated[Int16s, CITIES]  # the number of the paying space: what first rank earns
    open_houses: Annotated[Int8s, CITIES]  # warehouses of all colours
    fullest: Annotated[Int8s, CITIES]  # 1 where no city has more of them
    next_site: Annotated[Int8s, CITIES]  # where the next warehouse goes, or NO_SITE
    closes_next: Annotated[Int8s, CITIES]  # the site whose warehouse that one would shut down, or NO_SITE
    pays_next: Annotated[Int16s, CITIES]  # what first rank earns once it stands
    on_site: Annotated[Int8s, CITIES, SITES]  # a colour, FREE_SITE, SHUTTING_SITE or VACATED_SITE
    shuts: Annotated[Int8s, CITIES, SITES]  # 1 where a warehouse shuts the front one down
    rank: Annotated[Int8s, CITIES, COLOURS]  # from 0, or NO_RANK
    fortress_price: Annotated[Int16s, CITIES]  # of the next fortress, or NEVER
    pirate_fare: Annotated[Int16s, CITIES]  # of moving the pirate there for money, or NEVER without a pirate
    # Why a payday pays what it pays, by the reasons of `rules/payday.py`.
    why_ranked: Annotated[Int8s, CITIES, COLOURS]
    why_fortress: Annotated[Int8s, CITIES]  # each fortress in a city
    why_spread: Annotated[Int8s, SEATS]
    # Merchants.
    debt: Annotated[Int16s, SEATS]  # what all their loans show
    owed: Annotated[Int16s, SEATS, LOANS, 2]  # the same by amount and side
    bonus: Annotated[Int16s, SEATS]  # worth of the bonus card, or 0
    build_price: Int16  # of a warehouse where the deciding seat's ship is anchored, or NEVER
    # What the deciding seat would have and owe once it has taken a loan of each amount.
    cash_with_loan: Annotated[Int16s, LOANS]
    debt_with_loan: Annotated[Int16s, LOANS]


BOARD, STATE = Board.kind, State.kind
DERIVED_FROM = BOARD.fields["build_prices"][1]  # type: ignore[index]  # bytes of a board before what follows

# Kernels take arrays of records with an index, because passing one record costs several times as much.
Boards = Records[Board]
States = Records[State]
Desks = Records[Desk]
Forecasts = Records[Forecast]
Facts = Records[PositionFacts]
