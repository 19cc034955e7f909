"""One letter per colour.

The seats are Red, Yellow, Green, Blue and Purple, in clockwise order. With two players Red and Yellow play, each with
a neutral colour besides [TWO-02], which is written as the small letter of its owner.
"""

from typing import Final

SEAT_LETTERS: Final = "RYGBP"


def seat_letters(players: int) -> str:
    """The letters of the seats, by seat."""
    return SEAT_LETTERS[:players]


def colour_letters(players: int) -> str:
    """The letters of all colours in play, by the number of the colour."""
    seats = seat_letters(players)
    return seats + seats.lower() if players == 2 else seats
