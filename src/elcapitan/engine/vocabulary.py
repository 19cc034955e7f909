"""The game's own words as small integers, and nothing else.

Everything countable has a number here: seats, colours, cities, cards, stages of a turn. Figures that are printed
on a component are not here but in `data/`; what is here follows from the shape of the game.
"""

from typing import Final

# Seats and colours. With three to five players the colour of a seat is the seat's own number. With two, seat p has
# the main colour p and the neutral colour p + 2 [TWO-02].
SEATS: Final = 5
COLOURS: Final = 5
PLAYERS_WITH_TWO_COLOURS: Final = 2
NEUTRAL_OFFSET: Final = 2  # from a main colour to its neutral one
MAIN_OR_NEUTRAL: Final = ("main", "neutral")

# Cities: the nine of the board row by row, then the tiles of the expansion from north to south [BOARD-01, EXP-01].
CITY_NAMES: Final = (
    "Marseille",
    "Venezia",
    "Constantinople",
    "Valencia",
    "Napoli",
    "Athina",
    "Tanger",
    "Tunis",
    "Alexandria",
    "Porto",
    "Lisboa",
    "Islas Canarias",
)
CITIES: Final = 12
MAIN_CITIES: Final = 9
TILES: Final = 3
PORTO: Final = 9
LISBOA: Final = 10
CANARIAS: Final = 11
TILE_NAMES: Final = CITY_NAMES[MAIN_CITIES:]

# Where a ship can be besides a city.
BANK: Final = 12
AWAY: Final = 13  # off-board, before the first voyage [SET-12]
PLACES: Final = 14
TRANSIT: Final = -1  # the harbour space of a ship that is in no harbour

# Who or what stands somewhere.
NOBODY: Final = -1
PIRATE: Final = 5  # among the occupants of harbour spaces, after the seats

# A city's parts.
SITES: Final = 12  # building sites; one more space follows on which nothing stands [BOARD-05]
SPACES: Final = 3  # harbour spaces at the most [PORTO-01]
FORTRESS_SITES: Final = 2
NO_SITE: Final = -1

# Sailing cards: first the destination cards, two for each main city, then one link for each pair of main cities.
DESTINATIONS: Final = 18
LINKS: Final = 36
CARDS: Final = 54
MOST_SEALS: Final = 3
DISPLAYED_DESTINATIONS: Final = 4  # [SET-07]
DISPLAYED_LINKS: Final = 6
DESTINATION_CARDS: Final = (1 << DESTINATIONS) - 1  # as a set of bits
LINK_CARDS: Final = ((1 << CARDS) - 1) ^ DESTINATION_CARDS

# Loans [LOAN-02]: two amounts, and the side of the card that shows.
SMALL: Final = 0
LARGE: Final = 1
LOANS: Final = 2
FACE_UP: Final = 0
FLIPPED: Final = 1

# The course of the game.
PHASES: Final = 3
BONUS_CARDS: Final = 3
CITIES_FOR_BONUS: Final = 9  # [PROL-05]

# Stages: what is to happen now.
REVEAL: Final = 0  # a card is to be turned up (chance)
START: Final = 1  # nothing was done yet (stage A), or only the pirate moved where a loan may follow (G-45)
BOUGHT: Final = 2  # only cards were bought so far (stage B), and the pirate moved where a loan may follow
UNDER_WAY: Final = 3  # something was sailed or the pirate moved (stage B)
DONE: Final = 4  # the main action is done (stage C)
SETTLING: Final = 5  # after a payday: repay or extend
NAMING: Final = 6  # the poorest names the starting player
OVER: Final = 7
STAGE_NAMES: Final = ("reveal", "start", "bought", "under way", "done", "settling", "naming", "over")

# The free pirate move of a turn that ended its voyage at Islas Canarias [CANA-02].
NOT_DUE: Final = 0
DUE: Final = 1
MADE: Final = 2

# Table options, as bits.
BUY_BEFORE_LOAN: Final = 1  # cards may be bought before a loan in the same turn (G-06, reading ii)
REOPEN_SHUTS: Final = 2  # re-opening on a dark site shuts down (G-13)
PIRATE_BEFORE_LOAN: Final = 4  # the pirate may be moved for money or by cards before a loan (G-45)
DEFAULT_OPTIONS: Final = REOPEN_SHUTS
OPTION_NAMES: Final = {
    "buy_before_loan": BUY_BEFORE_LOAN,
    "reopen_shuts": REOPEN_SHUTS,
    "pirate_before_loan": PIRATE_BEFORE_LOAN,
}

# Amounts of money with a meaning of their own, outside anything a purse can hold.
FREE: Final = -30000  # costs nothing, so it can be done even in debt (G-58)
NEVER: Final = 30000  # cannot be done for any money
MOST_FLORINS: Final = 999  # in one printed figure


def two_colours(players: int) -> bool:
    """Whether each player has a main and a neutral colour [TWO-02]."""
    return players == PLAYERS_WITH_TWO_COLOURS
