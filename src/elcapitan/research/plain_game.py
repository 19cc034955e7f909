"""One game for loops that are written in Python, without checks and without a record.

    import random

    from elcapitan.research.plain_game import PlainGame

    game = PlainGame.new(4, seed=7)
    while not game.over:
        game.play(random.choice(game.actions))

A decision is one call of compiled code. `PlainGame(game)` continues from wherever a `Game` stands, with the same cards.
An action that is not legal breaks the game silently; while you look for a mistake, pass `check=True`, and it raises
`IllegalAction` with the rule. The order of the face-down cards is in it: a search that must not know them shuffles a
copy of the `Game` first.
"""

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.lone_game import ACTIONS, DEAL, LIST, SEAT, STATE, LoneGame, address_of, agree, player
from elcapitan.engine.record import from_bytes
from elcapitan.engine.state import State
from elcapitan.errors import IllegalAction
from elcapitan.game.setup import Setup, checked_seed, starter_of
from elcapitan.position.as_numbers import observe

if TYPE_CHECKING:
    from elcapitan.game.game import Game


class Views(dict[int, "memoryview[int]"]):
    """The first so many of the actions that are listed, by their number: each view is made once."""

    def __init__(self, listed: "memoryview[int]") -> None:
        super().__init__()
        self._listed = listed

    def __missing__(self, count: int) -> "memoryview[int]":
        self[count] = view = self._listed[:count]
        return view


class PlainGame:
    """A game that does not check its actions.

    `actions` are the numbers of all legal ones, ascending: a view that the next `play` overwrites, and empty once the
    game is `over`. `legal()` returns them as a list to keep.
    """

    __slots__ = ("_address", "_check", "_figures", "_play", "_room", "_seat", "_views", "actions", "over")
    actions: "memoryview[int]"
    over: bool

    def __init__(self, game: "Game", *, check: bool = False) -> None:
        if game.seed is None:
            raise ValueError("this game is told its cards; a game that draws them has a seed, see Game.shuffle")
        self._begin(game.figures, _room(game.position.tobytes()), LIST, check)

    @classmethod
    def new(
        cls,
        players: int,
        tiles: Sequence[str] = (),
        *,
        first: int | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int | None = None,
        figures: Figures | None = None,
        check: bool = False,
    ) -> "PlainGame":
        """Deal a game: the same as `Game.new` deals."""
        seed = checked_seed(seed)
        setup = Setup.of(players, tiles, 0 if first is None else first, options)
        game, room = cls.__new__(cls), _room()
        starter = starter_of(seed, players) if first is None else first
        agree(room, players, setup.tile_bits, setup.option_bits, starter, seed)
        game._begin(figures or packaged(), room, DEAL, check)
        return game

    def _begin(self, figures: Figures, room: bytearray, action: int, check: bool) -> None:
        """Take room that holds a game: all that is kept of it elsewhere are views and its address."""
        view = memoryview(room).toreadonly()
        self._figures, self._room = figures, room
        self._views, self._seat = Views(view[ACTIONS].cast("h")), view[SEAT].cast("b")
        self._address, self._play, self._check = address_of(room, figures.boards), player(), check
        self.over = False
        self.play(action)
        if check:
            self._play = self._play_checked

    def copy(self) -> "PlainGame":
        """Return an independent game at the same point."""
        twin = PlainGame.__new__(PlainGame)
        twin._begin(self._figures, bytearray(self._room), LIST, self._check)
        return twin

    def __copy__(self) -> "PlainGame":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "PlainGame":
        return self.copy()

    def __getstate__(self) -> tuple[Figures, bytes, bool]:
        return self._figures, bytes(self._room[STATE]), self._check

    def __setstate__(self, state: tuple[Figures, bytes, bool]) -> None:
        figures, content, check = state
        self._begin(figures, _room(content), LIST, check)

    @property
    def seat(self) -> int:
        """The seat that decides; once the game is over, the last that did."""
        return self._seat[0]

    @property
    def money(self) -> list[int]:
        """The cash of every seat."""
        s = from_bytes(State, self._room[STATE])[0]
        cash: list[int] = s.cash[: s.players].tolist()
        return cash

    def legal(self) -> list[int]:
        """Return the numbers of all legal actions, ascending."""
        return self.actions.tolist()

    def play(self, number: int) -> None:
        """Carry out an action; cards that follow are turned up."""
        count = self._play(self._address, number)
        self.actions = self._views[count]
        if count == 0:
            self.over = True

    def _play_checked(self, address: int, number: int) -> int:
        """Carry out an action like `player`, if it is legal."""
        whole = index(number)
        if whole not in self.actions:
            raise self._refusal(whole)
        return player()(address, whole)

    def _refusal(self, number: int) -> IllegalAction:
        """Return why an action cannot be carried out."""
        from elcapitan.engine import play  # noqa: PLC0415 - slow to import
        from elcapitan.game.position_queries import refusal_in  # noqa: PLC0415 - likewise

        if self.over:
            return IllegalAction("game-over", "END-01")
        return refusal_in(from_bytes(State, self._room[STATE]), self._figures, play.desks(), number)

    def observe(self, seat: int) -> npt.NDArray[np.int8]:
        """Return what a seat sees, as a row of cells; `elcapitan.research.layout` names them."""
        states = from_bytes(State, self._room[STATE])
        if not 0 <= seat < states[0].players:
            raise ValueError(f"a seat is a number from 0 to {states[0].players - 1}, not {seat}")
        return observe(states, seat)


def _room(position: bytes = b"") -> bytearray:
    """Make room for a game that stands in a position."""
    room = bytearray(LoneGame.kind.itemsize)
    room[STATE.start : STATE.start + len(position)] = position
    return room
