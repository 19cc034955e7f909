"""Players written in Python: a class of any module, named `py:module:Class`, or by the name of an entry point.

    # rusher.py, in the current folder or anywhere else where Python finds it
    class Rusher:
        def choose(self, decision):
            return decision.actions[-1]

    elcapitan arena --bots py:rusher:Rusher,trader

An installed package can give its class a name, which is then used like that of a level:

    [project.entry-points."elcapitan.players"]
    rusher = "rusher:Rusher"

What follows the class or the name after a colon, as in `rusher:weights.npz`, is the only argument of the class. Every
seat of every game gets an instance of its own. A player that raises an error, or returns what is not legal, has a
fault, as external programs do; there is no limit for its time. Naming a player runs its code, so nothing that comes
from outside, such as a record or a request to a server, may decide about it: see `is_python`.
"""

import functools
import importlib
import operator
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from elcapitan.board.board_file import short
from elcapitan.board.figures import Figures
from elcapitan.bots.bot import View
from elcapitan.bots.registry import LEVELS
from elcapitan.engine.rng import Generators
from elcapitan.errors import BadAnswer, BadBot, ElCapitanError
from elcapitan.players.foreign import ForeignBot
from elcapitan.position.as_numbers import mask_of, observe

PYTHON: Final = "py:"
GROUP: Final = "elcapitan.players"  # of entry points
RESERVED: Final = frozenset({*LEVELS, "human", "cmd", "py"})  # names that mean something else in a list of seats
LAST_LINES: Final = 5  # of a traceback
LONGEST_PROBLEM: Final = 200  # characters of an error that are told
_CLASS: Final = re.compile(r"py:([^:]+):([^:]+)(?::(.*))?", re.DOTALL)

Rows = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Decision:
    """What a player is asked: to choose one of the actions for the seat that is to decide."""

    view: View  # the position without its secrets, and the board
    observation: Rows  # the same as cells of a row; `elcapitan.research.layout` names them
    mask: Flags  # for every action number whether it is legal
    actions: list[int]  # the numbers of all legal actions, ascending
    rng: np.random.Generator  # one for the whole game; a game is repeated by its seed if nothing else is asked
    figures: Figures  # of the board, to read and write actions: see `elcapitan.actions`


class PythonPlayer(Protocol):
    """The methods that a class must have."""

    def choose(self, decision: Decision) -> int:
        """Return the number of a legal action."""


class BatchPlayer(Protocol):
    """What `research.fleet.Fleet` can take as the player of all other seats."""

    def choose_many(self, observations: Rows, masks: Flags) -> npt.NDArray[Any]:
        """Return the number of a legal action for every row."""


def is_python(spec: str) -> bool:
    """Whether a seat is played by a player written in Python; nothing of it is run to find out."""
    return spec.startswith(PYTHON) or bool(_entry_point(spec))


@functools.cache
def registered() -> dict[str, EntryPoint]:
    """Return the entry points of all installed packages by name."""
    return {found.name: found for found in entry_points(group=GROUP)}


def _entry_point(spec: str) -> EntryPoint | None:
    """Return the entry point that a seat names, if any; no package can replace a level."""
    name = spec.partition(":")[0]
    return None if name in RESERVED else registered().get(name)


def player_of(spec: str) -> Callable[[], Any]:
    """Return what makes the player of a seat; raise `BadBot` if it is not found."""
    if point := _entry_point(spec):
        made, argument = _load_class(spec, point.load), spec.partition(":")[2] or None
    else:
        match = _CLASS.fullmatch(spec)
        if not match:
            raise BadBot("bad-python-player", found=short(spec))
        module, name, argument = match.groups()
        made = _load_class(spec, lambda: operator.attrgetter(name)(_import_module(module)))
    if not callable(getattr(made, "choose", None)):
        raise BadBot("no-choose", found=spec)
    return functools.partial(made, *([argument] if argument is not None else []))


def _import_module(module: str) -> Any:
    """Import a module: from where Python looks for modules, and then from the current folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    importlib.invalidate_caches()
    return importlib.import_module(module)


def _load_class(spec: str, load: Callable[[], Any]) -> Any:
    """Load a class; raise `BadBot` if that fails in any way, because the module is not ours."""
    try:
        return load()
    except (Exception, SystemExit) as error:
        raise BadBot("no-python-player", found=spec, problem=problem_of(error)) from error


def problem_of(error: BaseException) -> str:
    """Return the kind of an error and its message, on one line."""
    message = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
    return f"{type(error).__name__}: {message}"[:LONGEST_PROBLEM] if message else type(error).__name__


class PythonBot(ForeignBot):
    """A bot that asks a player written in Python."""

    def __init__(self, spec: str, figures: Figures) -> None:
        super().__init__(spec)
        self._figures = figures
        self._rng: np.random.Generator | None = None
        make = player_of(spec)
        try:
            self._player: PythonPlayer = _call(make)
        except BadAnswer as error:
            self.give_up(error)

    def decide(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        """Ask the player. It gets copies, so that it can change them."""
        if self._rng is None:
            self._rng = np.random.default_rng(rng[0].rng.tolist())
        own = View(view.states.copy(), view.boards)
        row, mask = observe(view.states, view.seat), mask_of(legal)
        decision = Decision(own, row, mask, list(legal), self._rng, self._figures)
        return _number(_call(lambda: self._player.choose(decision)), legal)

    def last_words(self, error: ElCapitanError) -> tuple[str, ...]:
        """Return the end of the traceback."""
        lines = "".join(traceback.format_exception(error.__cause__)).splitlines() if error.__cause__ else []
        return tuple("".join(filter(str.isprintable, line)) for line in lines[-LAST_LINES:])


def _call(call: Callable[[], Any]) -> Any:
    """Call a player; raise `BadAnswer` if it raises anything."""
    try:
        return call()
    except (Exception, SystemExit) as error:
        raise BadAnswer("bot-raised", problem=problem_of(error)) from error


def _number(found: object, legal: Sequence[int]) -> int:
    """Return what a player has returned, if it is the number of a legal action; raise `BadAnswer` if not."""
    try:
        number = operator.index(found)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number not in legal:
        raise BadAnswer("bot-no-action", found=short(found))
    return number
