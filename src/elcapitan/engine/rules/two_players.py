"""TWO: the two-player game with a neutral colour for each."""

from elcapitan.engine.jit import rule, whole
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import NEUTRAL


@rule
def two_colours(s: State) -> bool:
    """[TWO-01, TWO-02] With two players each has a main and a neutral colour."""
    return bool(s.players == 2)


@rule
def colours_each(s: State) -> int:
    """[TWO-02] How many colours a player has."""
    return 2 if two_colours(s) else 1


@rule
def colours_in_play(s: State) -> int:
    """[TWO-12] How many colours are ranked in a city."""
    return whole(s.players) * colours_each(s)


@rule
def colour_of(seat: int, which: int) -> int:
    """[TWO-02] The main (0) or neutral (1) colour of a seat."""
    return seat + which * NEUTRAL


@rule
def limits_both_colours(s: State) -> bool:
    """[TWO-07] Whether rows of a player's two colours together are limited too."""
    return two_colours(s)


@rule
def balance_kept(s: State, colour: int) -> bool:
    """[TWO-06, G-34] After building this colour the stock holds more main than neutral warehouses, or none at all."""
    if not two_colours(s):
        return True
    seat = colour % NEUTRAL
    main, neutral = whole(s.stock[seat]), whole(s.stock[seat + NEUTRAL])
    if colour == seat:
        main -= 1
    else:
        neutral -= 1
    return main > neutral or main + neutral == 0
