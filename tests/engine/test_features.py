"""The rows that the network reads, cell by cell, against a plain count of the same position."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TABLES, walk
from tests.drawings import position
from tests.engine.offered_rows import rows_of

from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.network.features import (
    CARDS_AT,
    CELLS,
    CITY_CELLS,
    CITY_PARTS,
    LEVELS_OF_CASH,
    MOST_STOCK,
    SEAT_CELLS,
    SEAT_PARTS,
    SEATS_AT,
    TABLE_AT,
    TABLE_PARTS,
    Parts,
)
from elcapitan.engine.simd import WIDE
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    CARDS,
    CITIES,
    COLOURS,
    NEVER,
    NO_SITE,
    NOBODY,
    OPTION_NAMES,
    PHASES,
    SEATS,
    SITES,
    STAGE_NAMES,
    TILES,
)

Block = dict[str, list[int]]

LATE = (
    """
    2 players, phase 3, round 14, R under way
    R 9 florins, 4+0 houses, 1 fortress; owes 4x16 3x10! 16!
    Y 6 florins, 1+0 houses, 0 fortresses, 1st bonus; owes 3x10 2x16 10! 2x16!
    Marseille       [Y .]    R Y Y . : . : . : . : .
    Venezia         [. .]    y R Y . : . : . : . : .
    Constantinople  [. *]    . Y R R R . : . : . : .  shut(R)
    Valencia        [. .]    Y R r r : . : . : . : .  forts(R .)
    Napoli          [. .]    Y Y R . : . : . : . : .  forts(Y .)
    Athina          [. .]    y Y Y Y : . : . : . : .
    Tanger          [R .]    . R r R y . : . : . : .  shut(R)
    Tunis           [. .]    . . . R Y Y r r R Y y Y  forts(Y .) shut(R)
    Alexandria      [. .]    Y . . . : . : . : . : .  forts(Y R)
    Porto           [. . .]
    Lisboa          [. .]    y y Y Y . . : . . : . .
    Canarias        [. .]    . r . . : . : . : . : .
    R hand Venezia-Valencia, Tanger-Alexandria
    Display: Venezia/1, Valencia/1, Napoli/3
    Discards: Marseille/3, Marseille/1, Venezia/2, Constantinople/2, Tanger/2, Alexandria/2
    """,
    """
    3 players, phase 3, round 11, G under way, Y first
    R 10 florins, 1 house, 0 fortresses; owes 16 10! 16!
    Y 11 florins, 1 house, 0 fortresses; owes 2x10 2x10! 16!
    G 6 florins, 1 house, 0 fortresses; owes 2x10 10! 16!
    Marseille       [. .]    G G G . : . : . : . : .
    Venezia         [. .]    . . . . R G R G R R Y Y  forts(R G) shut(R)
    Constantinople  [. .]    R R R . : . : . : . : .  forts(R .)
    Valencia        [. .]    . G G Y Y Y : . : . : .  forts(Y .) shut(G)
    Napoli          [. .]    Y Y Y R : . : . : . : .  forts(G .)
    Athina          [R .]    . . . G Y Y Y G G R : .  forts(Y .) shut(R G)
    Tanger          [G .]    . Y Y R R . : . : . : .  forts(Y .) shut(Y)
    Tunis           [. .]    . . . Y G R G Y G G G R  forts(G R) shut(Y)
    Alexandria      [. .]    R R . . : . : . : . : .
    Bank            [Y]
    R hand Valencia-Athina
    Y hand Valencia-Napoli, Napoli-Athina
    G hand Marseille-Constantinople, Marseille-Athina, Venezia-Athina, Venezia-Tanger
    Display: Valencia/1, Napoli/1, Athina/2, Alexandria/3
    Discards: Marseille/1, Venezia/1, Constantinople/2, Athina/3, Tanger/2, Tanger/1, Tunis/1
    """,
    """
    5 players, phase 2, round 11, B to move, G first
    R 0 florins, 0 houses, 1 fortress; owes 2x10 16 2x10!
    Y 10 florins, 2 houses, 1 fortress; owes 2x10 16 16!
    G 11 florins, 2 houses, 0 fortresses; owes 3x10 16 2x10! 16!
    B 16 florins, 1 house, 0 fortresses; owes 2x16 10!
    P 9 florins, 1 house, 1 fortress; owes 3x10 16 16!
    Marseille       [R .]    B P Y Y R R : . : . : .
    Venezia         [. .]    Y G . . . . : . : . : .
    Constantinople  [. .]    G B B R . . : . : . : .
    Valencia        [. .]    G G P P P B : . : . : .  forts(G .)
    Napoli          [Y .]    . . Y B B G G G B P B Y  forts(B G)
    Athina          [. .]    R R G R R R : . : . : .  forts(R .)
    Tanger          [. .]    Y Y R Y P Y : . : . : .  forts(Y .)
    Tunis           [* P]    . . P B B B P P P . : .  forts(P B) shut(P)
    Alexandria      [. .]    R G R G . . : . : . : .
    Canarias        [. .]    R Y . . . . : . : . : .
    Bank            [G B]
    R hand Marseille-Alexandria
    B hand Marseille-Tanger, Venezia-Alexandria, Napoli-Tanger
    Display: Constantinople/2, Napoli/1, Tunis/1, Alexandria/2
    Discards: Marseille/3, Venezia/1, Constantinople/3, Valencia/2, Napoli/3, Athina/2, Tunis/3
    """,
)


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[::6])
def test_every_cell_says_what_a_plain_count_says(players: int, tiles: int) -> None:
    looked = 0
    for _what, states in walk(players, tiles, 31 * players + tiles, of_each=2, options=tiles % 8):
        looked += check_rows(states)
    assert looked > 20


@pytest.mark.parametrize("drawing", LATE, ids=["2 players", "3 players", "5 players"])
def test_late_positions_too(drawing: str) -> None:
    """Interpreted, a walk does not get so far."""
    assert check_rows(position(drawing).states) > 5


def check_rows(states: States) -> int:
    """Compare the rows of all plans with a plain count; return how many there are."""
    me, players = int(states[0].seat), int(states[0].players)
    rows, _offer, after = rows_of(states)
    for row, s in zip(rows, after, strict=True):
        plain = PlainRow(s, me)
        for city in range(CITIES):
            expect(row, city * CITY_CELLS, CITY_PARTS, plain.city(city) if int(s.in_play) >> city & 1 else {})
        for seat in range(SEATS):
            known = plain.seat((me + seat) % players) if seat < players else {}
            expect(row, SEATS_AT + seat * SEAT_CELLS, SEAT_PARTS, known)
        expect(row, TABLE_AT, TABLE_PARTS, plain.table())
        sets = [int(s.display), int(s.discard), *plain.in_order(int(hand) for hand in s.hand)]
        assert max(sets) < 1 << CARDS
        cells = [cards >> card & 1 for cards in sets for card in range(WIDE)]
        assert row[CARDS_AT:].tolist() == cells + [0] * (CELLS - CARDS_AT - len(cells))
    return len(rows)


def expect(row: Any, at: int, parts: Parts, known: Block) -> None:
    """Compare one block of a row; an empty one is all zeros."""
    assert not known or list(known) == list(parts)
    for name, (shape, _scale, _tells) in parts.items():
        size = int(np.prod(shape))
        assert row[at : at + size].tolist() == [min(127, max(-127, n)) for n in known.get(name, [0] * size)], name
        at += size


class PlainRow:
    """What stands in the row of a position as one seat sees it, counted from its fields, its facts and its forecast."""

    def __init__(self, s: State, me: int) -> None:
        self._s, self._me, self._players = s, me, int(s.players)
        here = play.states(1)
        here[0] = s
        forecast = play.forecasts(1)
        play.forecast(here, 0, BOARDS, forecast, 0)
        self._facts, self._paid = play.facts(here, 0, BOARDS)[0], forecast[0]

    def in_order(self, by_seat: Iterable[int]) -> list[int]:
        """What each seat has, as one of them sees it: itself first; 0 where nobody plays."""
        values = list(by_seat)
        return [values[(self._me + k) % self._players] if k < self._players else 0 for k in range(SEATS)]

    def colours_in_order(self, by_colour: Iterable[int]) -> list[int]:
        """What each colour has; with two players the neutral ones come last."""
        values, me = list(by_colour), self._me
        if self._players == 2:
            return [values[me], values[1 - me], values[2 + me], values[3 - me], 0]
        return self.in_order(values)

    def city(self, city: int) -> Block:
        """The block of a city in play."""
        s, facts, board = self._s, self._facts, BOARDS[0]
        site = [int(colour) for colour in s.site[city]]
        taken = [place for place in range(SITES) if site[place] != NOBODY]
        houses = [site.count(colour) for colour in range(COLOURS)]
        first = [site.index(colour) if colour in site else SITES for colour in range(COLOURS)]
        ends = [site[place] for place in taken[-3:]]
        bits, seats = range(SEATS), range(self._players)
        owners = [int(s.fortified[seat]) >> city & 1 for seat in bits]
        pays, fullest = int(facts.pays[city]), int(facts.fullest[city])
        fortress_pays = pays if fullest else pays // 2
        free = [int(spaces) >> city & 1 for spaces in s.free]

        def colours(*which: int) -> list[int]:
            return self.colours_in_order(int(colour in which) for colour in range(COLOURS))

        return {
            "in_play": [1],
            "any": self.colours_in_order(int(n > 0) for n in houses),
            "two": self.colours_in_order(int(n > 1) for n in houses),
            "three": self.colours_in_order(int(n > 2) for n in houses),
            "houses": self.colours_in_order(houses),
            "foremost": self.colours_in_order(SITES - place for place in first),
            "closed": self.colours_in_order(int(n) for n in s.closed[city]),
            "room": self.colours_in_order(int(room) >> city & 1 for room in s.room),
            "front": colours(*(site[place] for place in taken[:1])),
            "second": colours(*(site[place] for place in range(SITES) if len(taken) > 1 and place == taken[0] + 1)),
            "last": colours(*ends[-1:]),
            "row": [int(len(ends) > k and len(set(ends[-k - 1 :])) == 1) for k in (1, 2)],
            "majority": self.in_order(int(self._paid.majority[seat, city]) for seat in bits),
            "fortress": self.in_order(owners),
            "fortress_pays": self.in_order(fortress_pays * owner for owner in owners),
            "ship": self.in_order(int(seat in seats and s.ship_city[seat] == city) for seat in bits),
            "space": self.in_order(int(s.ship_city[seat] == city and s.ship_space[seat] > 0) for seat in bits),
            "pays": self._pays(city, pays, taken),
            "shuts": self._shuts(city, taken),
            "full": [int(SITES - 1 in taken)],
            "open": [len(taken)],
            "fullest": [fullest],
            "spaces": [sum(free)],
            "price": [int(board.harbour_price[city, free.index(1)]) if any(free) else 0],
            "fortress_sites": [sum(int(sites) >> city & 1 for sites in s.unfortified)],
            "fortress_price": [int(facts.fortress_price[city]) if facts.fortress_price[city] < NEVER else 0],
            "pirate": [int(s.pirate_city == city)],
        }

    def _pays(self, city: int, now: int, taken: list[int]) -> list[int]:
        """What first rank pays: now, with one warehouse more, with two."""
        after = int(self._facts.next_site[city])
        if SITES - 1 in taken or after == NO_SITE:
            return [now, now, now]
        end, track = max([after, *taken]), BOARDS[0].track[city]
        return [now, int(track[end + 1]), int(track[min(end + 2, SITES)])]

    def _shuts(self, city: int, taken: list[int]) -> list[int]:
        """Whether the next warehouse, and the one after it, shut the first one down."""
        board, after = BOARDS[0], int(self._facts.next_site[city])
        if SITES - 1 in taken or after == NO_SITE:
            return [0, 0]
        triangle = int(board.triangle[city]) if self._players < 4 else NO_SITE
        return [int(n < SITES and (board.dark[city, n] == 1 or n == triangle)) for n in (after, after + 1)]

    def seat(self, seat: int) -> Block:
        """The block of a seat that is played."""
        s, paid, board = self._s, self._paid, BOARDS[0]
        cash, debt, stock = int(s.cash[seat]), int(self._facts.debt[seat]), int(s.stock[seat])
        left = [self._pieces(other) for other in range(self._players)]
        majority = sum(min(127, int(each)) for each in paid.majority[seat])
        fortress, chart = int(paid.fortress[seat].sum()), int(paid.proliferation[seat])
        income = majority + fortress + chart
        bonus, neutral = int(self._facts.bonus[seat]), int(s.stock[seat + 2]) if self._players == 2 else 0
        hand = [card for card in range(CARDS) if int(s.hand[seat]) >> card & 1]
        return {
            "present": [1],
            "cash": [min(127, max(-127, cash // 2))],
            "little_cash": [max(-24, min(24, cash))],
            "cash_levels": [int(cash >= level) for level in LEVELS_OF_CASH],
            "debt": [debt],
            "loans": [int(number) for number in s.loans[seat].ravel()],
            "stock": [stock],
            "stock_is": one_of(MOST_STOCK + 1, min(stock, MOST_STOCK)),
            "neutral_stock": [neutral],
            "fortresses": [int(s.fortresses[seat])],
            "left": one_of(2, left[seat]),
            "cities": one_of(CITIES + 1, int(paid.cities[seat])),
            "bonus": one_of(len(board.bonus), int(s.bonus[seat]) - 1),
            "income": [income // 2],
            "majority": [majority // 2],
            "fortress": [fortress],
            "chart": [chart],
            "promise": [(cash - debt + bonus + income * (PHASES + 1 - int(s.phase))) // 4],
            "away": [int(s.ship_city[seat] == place) for place in (AWAY, BANK)],
            "cards": [len(hand)],
            "card_prices": [sum(int(board.card_price[card]) for card in hand)],
            "lead": [min(left[other] for other in range(self._players) if other != seat) - left[seat]],
        }

    def _pieces(self, seat: int) -> int:
        """Warehouses and fortresses that a seat has still to build."""
        colours = (seat, seat + 2) if self._players == 2 else (seat,)
        return int(self._s.fortresses[seat]) + sum(int(self._s.stock[colour]) for colour in colours)

    def table(self) -> Block:
        """The block of what belongs to no seat."""
        s = self._s
        return {
            "players": one_of(SEATS - 1, self._players - 2),
            "tiles": [int(s.tiles) >> tile & 1 for tile in range(TILES)],
            "options": [int(s.options) >> option & 1 for option in range(len(OPTION_NAMES))],
            "phase": one_of(PHASES, min(int(s.phase), PHASES) - 1),
            "round": [int(s.round_no)],
            "stage": one_of(len(STAGE_NAMES), int(s.stage)),
            "deciding": one_of(SEATS, (int(s.seat) - self._me) % self._players),
            "starter": one_of(SEATS, (int(s.starter) - self._me) % self._players),
            "passes": [int(s.passes)],
            "decks": [int(left) for left in s.deck_left],
            "bank": [int(left) for left in s.loans_left],
            "undecided": [int(cards) for cards in s.undecided],
        }


def one_of(cells: int, which: int) -> list[int]:
    """Cells of which one is 1; none if there is no such cell."""
    return [int(k == which) for k in range(cells)]
