"""Positions for tests of the rules: a drawing, an action, a drawing.

    after = position('''
        4 players, Y to move
        Marseille [Y .] G R G G G B
    ''').play("build 7")
    assert after.city("Marseille") == "Marseille [Y .] . R G G G B Y . . . . . shut(G)"

A position never changes: `play` gives another one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from elcapitan.actions.text import Reader, from_text, short_city, to_text
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import play
from elcapitan.engine.refusals import ARGUMENTS, LEGAL
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import AWAY, BANK, CITIES, STAGE_NAMES, TRANSIT
from elcapitan.notation import diagram
from elcapitan.notation.sketch import colour_letters, seat_letters


@dataclass(frozen=True, eq=False)
class Position:
    """One position; merchants go by their letters, cities by their names, actions by their texts."""

    states: States
    figures: Figures

    @property
    def s(self) -> State:
        """The record."""
        return self.states[0]

    # What can be done.

    def legal(self, verb: str = "") -> list[str]:
        """The texts of everything legal now, or of what begins with a verb."""
        texts = [to_text(number, self.figures) for number in self._numbers()]
        return [text for text in texts if text.startswith(verb)]

    def _numbers(self) -> list[int]:
        """The numbers of everything legal now."""
        desks = play.desks()
        count = play.legal(self.states, 0, self.figures.boards, desks, 0)
        return [int(number) for number in desks[0].actions[:count]]

    def offers(self, text: str) -> bool:
        """Whether an action is legal now; a voyage of the pirate by cards is looked at card by card."""
        here = self
        for number in from_text(text, self.figures):
            listed = number in here._numbers()
            assert listed != here.refuses(number), f"{text!r} is listed as legal and refused, or neither"
            if not listed:
                return False
            here = here._after(number)
        return True

    def refuses(self, number: int) -> bool:
        """Whether there is a reason against the action with a number."""
        why = np.zeros(ARGUMENTS, np.int64)
        return play.refusal(self.states, 0, self.figures.boards, play.desks(), 0, number, why) != LEGAL

    def play(self, *texts: str) -> "Position":
        """The position after some actions, each of which must be legal, and after the cards turned up then."""
        here = self
        for text in texts:
            assert here.offers(text), f"{text!r} is not among {', '.join(here.legal())} in\n{here.drawing()}"
            for number in from_text(text, self.figures):
                here = here._after(number)
        return here

    def _after(self, number: int) -> "Position":
        """The position after an action, taken to be legal, and after the cards turned up then."""
        states = self.states.copy()
        play.apply(states, 0, self.figures.boards, number)
        play.turn_up(states, 0, self.figures.boards)
        return Position(states, self.figures)

    # What there is to see.

    def drawing(self) -> str:
        """The whole position."""
        return diagram.draw(self.s, self.figures)

    def city(self, name: str) -> str:
        """A city's line."""
        return diagram.city_line(self.s, self.figures, Reader(name).city())

    def headline(self) -> str:
        """Whose turn it is, and when."""
        return diagram.headline(self.s)

    @property
    def stage(self) -> str:
        """What is to happen now."""
        return STAGE_NAMES[self.s.stage]

    @property
    def seat(self) -> str:
        """Who decides."""
        return self._seats[self.s.seat]

    def ship(self, letter: str) -> str:
        """Where a ship is: "Marseille 1", "Marseille" when it only passes through, "Bank" or "Away"."""
        place, space = int(self.s.ship_city[self._seat(letter)]), int(self.s.ship_space[self._seat(letter)])
        if place >= CITIES:
            return {BANK: "Bank", AWAY: "Away"}[place]
        return short_city(place) if space == TRANSIT else f"{short_city(place)} {space + 1}"

    def cash(self, letter: str) -> int:
        """A merchant's money."""
        return int(self.s.cash[self._seat(letter)])

    def stock(self, letter: str) -> int:
        """The warehouses of a colour that are yet to be built; the neutral colour has the small letter."""
        return int(self.s.stock[colour_letters(int(self.s.players)).index(letter)])

    def fortresses(self, letter: str) -> int:
        """The fortresses a merchant has yet to build."""
        return int(self.s.fortresses[self._seat(letter)])

    def hand(self, letter: str) -> set[str]:
        """The names of a merchant's sailing cards."""
        return self._names(int(self.s.hand[self._seat(letter)]))

    def display(self) -> set[str]:
        """The names of the cards on display."""
        return self._names(int(self.s.display))

    def discards(self) -> set[str]:
        """The names of the discarded cards."""
        return self._names(int(self.s.discard))

    def _names(self, bits: int) -> set[str]:
        """The names of a set of cards."""
        return {name for card, name in enumerate(self.figures.cards) if bits >> card & 1}

    # What a payday now would pay.

    def proliferation(self, letter: str) -> int:
        """What the chart would pay a merchant."""
        return int(self._forecast().proliferation[self._seat(letter)])

    def bonus(self, letter: str) -> int:
        """What the bonus card would pay a merchant."""
        return int(self._forecast().bonus[self._seat(letter)])

    def income(self, letter: str) -> int:
        """Everything a merchant would be paid."""
        return int(self._forecast().total[self._seat(letter)])

    def majority(self, name: str) -> dict[str, int]:
        """Who would be paid for warehouses in a city, and how much."""
        return self._paid(self._forecast().majority, name)

    def fortress(self, name: str) -> dict[str, int]:
        """Who would be paid for a fortress in a city, and how much."""
        return self._paid(self._forecast().fortress, name)

    def _paid(self, florins: Any, name: str) -> dict[str, int]:
        """A column of a forecast without its zeros."""
        paid = {letter: int(florins[seat, Reader(name).city()]) for seat, letter in enumerate(self._seats)}
        return {letter: amount for letter, amount in paid.items() if amount}

    def _forecast(self) -> Any:
        """What a payday now would pay, item by item."""
        forecasts = play.forecasts()
        play.forecast(self.states, 0, self.figures.boards, forecasts, 0)
        return forecasts[0]

    @property
    def _seats(self) -> str:
        """The letters of the seats."""
        return seat_letters(int(self.s.players))

    def _seat(self, letter: str) -> int:
        """The number of a seat."""
        return self._seats.index(letter)


def position(text: str, figures: Figures | None = None) -> Position:
    """The position that a drawing shows, on the packaged board unless another is given."""
    figures = figures or packaged()
    return Position(diagram.read(text, figures), figures)
