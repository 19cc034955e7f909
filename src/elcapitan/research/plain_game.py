"""One game for loops that are written in Python, without checks and without a record.

    import random

    from elcapitan.game.game import Game
    from elcapitan.research.plain_game import PlainGame

    game = PlainGame(Game.new(4, seed=7))
    while not game.over:
        game.play(random.choice(game.legal()))

It plays on from wherever a `Game` stands, with the same cards, several times as quickly. An action that is not among
`legal()` breaks the game silently; while you look for a mistake, pass `check=True`, and it raises `IllegalAction` with
the rule. The order of the face-down cards is in it: a search that must not know them
shuffles a copy of the `Game` first.
"""

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game
from elcapitan.game.position_queries import position, refusal_in
from elcapitan.position.as_numbers import observe


class PlainGame:
    """A game that does not check its actions."""

    __slots__ = ("_boards", "_check", "_count", "_desks", "_figures", "_listed", "_seat", "_states")

    def __init__(self, game: Game, *, check: bool = False) -> None:
        if game.seed is None:
            raise ValueError("this game is told its cards; a game that draws them has a seed, see Game.shuffle")
        self._begin(game.figures, game.position.tobytes(), check)

    def _begin(self, figures: Figures, content: bytes, check: bool) -> None:
        self._check, self._figures, self._boards = check, figures, figures.boards
        self._states, self._desks = position(content), play.desks()
        self._seat, self._listed = self._states["seat"], self._desks["actions"][0]
        self._count = play.legal(self._states, 0, self._boards, self._desks, 0)

    def copy(self) -> "PlainGame":
        """Return an independent game at the same point."""
        twin = PlainGame.__new__(PlainGame)
        twin._begin(self._figures, self._states.tobytes(), self._check)
        return twin

    # `_seat` and `_listed` are views of the arrays beside them: only the position is copied, and they are taken anew.

    def __copy__(self) -> "PlainGame":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "PlainGame":
        return self.copy()

    def __getstate__(self) -> tuple[Figures, bytes, bool]:
        return self._figures, self._states.tobytes(), self._check

    def __setstate__(self, state: tuple[Figures, bytes, bool]) -> None:
        self._begin(*state)

    @property
    def over(self) -> bool:
        """Whether the game is over: until then something is always legal."""
        return self._count == 0

    @property
    def seat(self) -> int:
        """The seat that decides; once the game is over, the last that did."""
        return int(self._seat[0])

    @property
    def money(self) -> list[int]:
        """The cash of every seat."""
        return play.scores(self._states, 0)

    def legal(self) -> list[int]:
        """Return the numbers of all legal actions, ascending."""
        numbers: list[int] = self._listed[: self._count].tolist()
        return numbers

    def play(self, number: int) -> None:
        """Carry out an action; cards that follow are turned up."""
        if self._check and number not in self._listed[: self._count]:
            raise self._refusal(number)
        self._count = play.step(self._states, 0, self._boards, self._desks, 0, number)

    def observe(self, seat: int) -> npt.NDArray[np.int8]:
        """Return what a seat sees, as a row of cells; `elcapitan.research.layout` names them."""
        return observe(self._states, seat)

    def _refusal(self, number: int) -> IllegalAction:
        """Return why an action cannot be carried out."""
        if self.over:
            return IllegalAction("game-over", "END-01")
        return refusal_in(self._states, self._figures, play.desks(), number)
