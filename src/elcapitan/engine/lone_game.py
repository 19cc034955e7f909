"""One game for loops in Python: all it needs in one record, and a kernel that is called with two numbers.

Where arrays are passed and the interpreter lock is released, a call of a kernel costs as much as the rules. This one is
told the address of a record, and keeps the lock. It does no more than a game needs, so it also compiles soonest.
"""

import ctypes
import functools
import struct
from collections.abc import Callable
from typing import Annotated, Any, Final

from elcapitan.engine import act, legal_actions
from elcapitan.engine.jit import locked_kernel, prepared, record_at, whole
from elcapitan.engine.record import Int64, Int64s, Record
from elcapitan.engine.rules.turn import set_up, shuffle_decks
from elcapitan.engine.state import Board, Boards, Desk, State

# Instead of an action.
DEAL: Final = -1  # deal a game, as agreed
LIST: Final = -2  # play nothing


class LoneGame(Record):
    """A game that is played from Python, one decision a call."""

    desk: Annotated[Desk, Desk.kind]
    state: Annotated[State, State.kind]
    board: Int64  # its address
    agreed: Annotated[Int64s, 6]  # players, tiles, options, first, lower and upper half of the seed


def _bytes_of(kind: type[Record], name: str, begin: int = 0) -> slice:
    """Where a field lies in the bytes of a record that begins there."""
    fields: Any = kind.kind.fields
    field, offset = fields[name]
    return slice(begin + offset, begin + offset + field.itemsize)


STATE: Final = _bytes_of(LoneGame, "state")
SEAT: Final = _bytes_of(State, "seat", STATE.start)
ACTIONS: Final = _bytes_of(Desk, "actions", _bytes_of(LoneGame, "desk").start)

# Written without NumPy, which takes longer than dealing the game.
_BOARD_AT: Final = _bytes_of(LoneGame, "board").start
_BOARD_ADDRESS: Final = struct.Struct("=q")
_AGREED_AT: Final = _bytes_of(LoneGame, "agreed").start
_AGREED: Final = struct.Struct("=6q")

_GAME: Final = LoneGame.kind
_BOARD: Final = Board.kind


def agree(room: bytearray, players: int, tiles: int, options: int, first: int, seed: int) -> None:
    """Write down what game is to be dealt in a room of the size of a LoneGame."""
    _AGREED.pack_into(room, _AGREED_AT, players, tiles, options, first, seed & 0xFFFFFFFF, seed >> 32)


def address_of(room: bytearray, boards: Boards) -> int:
    """Return the address of the game in a room, which knows its board then; both must stay where they are."""
    _BOARD_ADDRESS.pack_into(room, _BOARD_AT, boards.ctypes.data)
    return ctypes.addressof(ctypes.c_char.from_buffer(room))


@locked_kernel
def play_at(address: int, action: int) -> int:
    """Carry out an action in the game at an address, turn up the cards that follow, list what is legal; how many."""
    game: LoneGame = record_at(_GAME, address)
    board: Board = record_at(_BOARD, whole(game.board))
    s, d, b, agreed = game.state, game.desk, board, game.agreed
    if action == DEAL:
        set_up(s, b, whole(agreed[0]), whole(agreed[1]), whole(agreed[2]), whole(agreed[3]))
        shuffle_decks(s, whole(agreed[4]), whole(agreed[5]))
    elif action != LIST:
        act.apply(s, b, whole(action))
    act.turn_up_all(s, b)
    legal_actions.offer(s, b, d)
    legal_actions.list_offered(d)
    return whole(d.count)


@functools.cache
def player() -> Callable[[int, int], int]:
    """Return `play_at`, compiled, to be called with whole numbers and without a check of their types."""
    return prepared(play_at, 0, 0)
