"""EXP, LISB and PORTO: the tiles of the expansion.

Most of what a tile changes stands where the basic rule stands: Porto's third harbour and single fortress site are
figures of the board, its shut-down is in `warehouses`, the majority of tile cities in `payday`, sea routes to them in
`sailing`. What is left is Lisboa's payment.
"""

from elcapitan.engine.jit import rule
from elcapitan.engine.rules.payday import amount, half, rank
from elcapitan.engine.state import Board, State
from elcapitan.engine.vocabulary import LISBOA, MAIN_CITIES


@rule
def cities_in_play(tiles: int) -> int:
    """[EXP-01, EXP-02, EXP-03, EXP-04, BOARD-01] The nine main cities and the tiles chosen, all alike, as bits."""
    return (1 << MAIN_CITIES) - 1 | tiles << MAIN_CITIES


@rule
def lisboa_payment(s: State, b: Board, city: int, colour: int) -> int:
    """[LISB-01, LISB-03, G-36, G-41] What the builder of a warehouse in Lisboa gets at once, the house standing.

    The amount if she has the majority now, else half of it; nothing for a neutral house, nor for re-opening.
    """
    if city != LISBOA or colour >= s.players:
        return 0
    if rank(s, LISBOA, colour) == 0:
        return amount(s, b, LISBOA)
    return half(amount(s, b, LISBOA))
