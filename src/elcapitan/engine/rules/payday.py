"""PAY, MAJ, PROL and FORTPAY: what a payday is worth, item by item.

The forecast and the payday itself call the same functions.
"""

from typing import Final

from elcapitan.engine.jit import many, rule, whole
from elcapitan.engine.rules.buildings import cities_with_house, colours_in_play, has_fortress, two_colours
from elcapitan.engine.state import Board, Forecast, State
from elcapitan.engine.vocabulary import CITIES, MAIN_CITIES, NO_SITE, PHASES

NO_RANK = -1

# Why a colour, a fortress, a chart or a bonus card is paid what it is paid.
FIRST, SECOND, PRESENT, BEHIND, ONLY_FIRST, NEUTRAL_REASON = range(6)
FORTRESS, FULLEST, ONE_OF_FULLEST = range(6, 9)
SPREAD, SPREAD_FAR, BONUS = range(9, 12)
NO_REASON = -1  # nothing to be paid for
REASON_RULES: Final = {
    FIRST: "MAJ-02",
    SECOND: "MAJ-03",
    PRESENT: "EXP-12",
    BEHIND: "MAJ-05",
    ONLY_FIRST: "TWO-12",
    NEUTRAL_REASON: "TWO-13",
    FORTRESS: "FORTPAY-01",
    FULLEST: "FORTPAY-02",
    ONE_OF_FULLEST: "FORTPAY-03",
    SPREAD: "PROL-04",
    SPREAD_FAR: "EXP-10",
    BONUS: "PROL-07",
}


@rule
def paying_space(s: State, city: int) -> int:
    """[MAJ-06, BACK-07, BOARD-06, BOARD-07, G-17] The space right of the chain's end.

    In an empty city that is S1; from S12 on it is the last space for good.
    """
    last = whole(s.last[city])
    return 0 if last == NO_SITE else last + 1


@rule
def amount(s: State, b: Board, city: int) -> int:
    """[MAJ-02] The number of the paying space: what first rank earns."""
    return whole(b.track[city, paying_space(s, city)])


@rule
def amount_after(s: State, b: Board, city: int, site: int) -> int:
    """[MAJ-02, MAJ-06, BACK-07] What first rank earns once a warehouse stands on a free site as well."""
    return whole(b.track[city, max(whole(s.last[city]), site) + 1])


@rule
def half(florins: int) -> int:
    """[MAJ-03, G-38] Half, rounded down."""
    return florins // 2


@rule
def foremost(s: State, city: int, colour: int) -> int:
    """[MAJ-04] The lowest site with a house of the colour; the colour has one."""
    site = whole(s.front[city])
    while whole(s.site[city, site]) != colour:
        site += 1
    return site


@rule
def ahead_of(s: State, city: int, colour: int) -> int:
    """[MAJ-04, G-22] The colours whose foremost house is further forward than that of a colour, which has one, as bits.

    Between the front and the end of a chain there is a house on every site.
    """
    colours, site = 0, whole(s.front[city])
    other = whole(s.site[city, site])
    while other != colour:
        colours |= 1 << other
        site += 1
        other = whole(s.site[city, site])
    return colours


@rule
def rank(s: State, city: int, colour: int) -> int:
    """[MAJ-01, MAJ-02, MAJ-04, MAJ-05, MAJ-07, TWO-12, G-22] 0 for first, 1 for second and so on.

    More open houses rank before fewer, and of as many those with the foremost one further forward. NO_RANK without an
    open house.
    """
    own = whole(s.houses[city, colour])
    if own == 0:
        return NO_RANK
    before, level = 0, 0
    for other in range(colours_in_play(s)):
        theirs = whole(s.houses[city, other])
        before += 1 if theirs > own else 0
        level |= (1 if theirs == own else 0) << other
    if level == 1 << colour:
        return before
    return before + many(level & ahead_of(s, city, colour))


@rule
def majority_reason(s: State, city: int, colour: int) -> int:
    """[MAJ-02, MAJ-03, MAJ-05, EXP-12, TWO-12, TWO-13, G-35, G-36] Why a colour earns what it earns in a city.

    NO_REASON without an open house. Neutral colours take ranks and earn nothing.
    """
    place = rank(s, city, colour)
    if place == NO_RANK:
        return NO_REASON
    if colour >= s.players:
        return NEUTRAL_REASON
    if place == 0:
        return FIRST
    if city >= MAIN_CITIES:
        return PRESENT
    if two_colours(s):
        return ONLY_FIRST
    return SECOND if place == 1 else BEHIND


@rule
def majority_income(s: State, b: Board, seat: int, city: int) -> int:
    """[MAJ-02, MAJ-03, MAJ-05, EXP-12, TWO-12, TWO-13, G-35, G-36, G-38] What a seat earns by its rank in a city.

    First rank the amount, second half of it. In a tile city everybody else who is present gets half; in a main city
    of the two-player game only first rank is paid. Neutral colours take ranks and earn nothing.
    """
    reason = majority_reason(s, city, seat)
    if reason == FIRST:
        return amount(s, b, city)
    if reason == SECOND or reason == PRESENT:
        return half(amount(s, b, city))
    return 0


@rule
def open_houses(s: State, city: int) -> int:
    """[FORTPAY-04, SHUT-05, G-35] Open warehouses of all colours in a city."""
    if s.last[city] == NO_SITE:
        return 0
    return whole(s.last[city]) - whole(s.front[city]) + 1


@rule
def most_houses(s: State) -> int:
    """[FORTPAY-02, FORTPAY-03, G-38] The number of open warehouses in the fullest city or cities."""
    most = 0
    for city in range(CITIES):
        most = max(most, open_houses(s, city))
    return most


@rule
def fortress_reason(s: State, city: int, most: int) -> int:
    """[FORTPAY-01, FORTPAY-02, FORTPAY-03] Why a fortress in a city earns half of the amount, or all of it."""
    if open_houses(s, city) != most:
        return FORTRESS
    for other in range(CITIES):
        if other != city and (whole(s.in_play) >> other) & 1 and open_houses(s, other) == most:
            return ONE_OF_FULLEST
    return FULLEST


@rule
def fortress_income(s: State, b: Board, seat: int, city: int, most: int) -> int:
    """[FORTPAY-01, FORTPAY-02, FORTPAY-03, FORTPAY-05, G-20, G-21] Half of the amount, all of it in a fullest city."""
    if not has_fortress(s, city, seat):
        return 0
    worth = amount(s, b, city)
    return worth if open_houses(s, city) == most else half(worth)


@rule
def proliferation_income(s: State, b: Board, seat: int) -> int:
    """[PROL-01, PROL-04, BOARD-12, EXP-10, TWO-10, G-23] What the chart pays for the cities of the main colour."""
    return whole(b.chart[cities_with_house(s, seat)])


@rule
def spread_reason(s: State, seat: int) -> int:
    """[PROL-04, EXP-10] Why the chart pays a seat: more than nine cities are possible only with tiles."""
    return SPREAD if cities_with_house(s, seat) <= MAIN_CITIES else SPREAD_FAR


@rule
def bonus_worth(s: State, b: Board, seat: int) -> int:
    """[PROL-07, SET-10] The number of the bonus card that a seat has; 0 without one."""
    return 0 if s.bonus[seat] == 0 else whole(b.bonus[whole(s.bonus[seat]) - 1])


@rule
def bonus_income(s: State, b: Board, seat: int) -> int:
    """[PROL-07, PAY-04, END-04] Bonus cards are turned into money on the third payday only."""
    return 0 if s.phase < PHASES else bonus_worth(s, b, seat)


@rule
def income(s: State, b: Board, seat: int) -> int:
    """[PAY-01, PAY-02] Everything a payday now would pay a seat."""
    total = proliferation_income(s, b, seat) + bonus_income(s, b, seat)
    most = most_houses(s)
    for city in range(CITIES):
        total += majority_income(s, b, seat, city) + fortress_income(s, b, seat, city, most)
    return total


@rule
def pay_all(s: State, b: Board) -> None:
    """[PAY-01, PAY-02, PAY-03, PHASE-04] The bank, which never runs out, pays everybody at once."""
    for seat in range(whole(s.players)):
        s.cash[seat] += income(s, b, seat)


@rule
def forecast(s: State, b: Board, f: Forecast) -> None:
    """[PAY-01] The same sums item by item: what a payday now would pay each seat, and for what."""
    most = most_houses(s)
    for seat in range(whole(s.players)):
        f.cities[seat] = cities_with_house(s, seat)
        f.proliferation[seat] = proliferation_income(s, b, seat)
        f.bonus[seat] = bonus_income(s, b, seat)
        for city in range(CITIES):
            f.majority[seat, city] = majority_income(s, b, seat, city)
            f.fortress[seat, city] = fortress_income(s, b, seat, city, most)
        f.total[seat] = income(s, b, seat)
