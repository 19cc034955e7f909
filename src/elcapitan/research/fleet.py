"""Thousands of games at once, as arrays: the vector environment without a framework.

    from elcapitan.research.fleet import Fleet

    fleet = Fleet(4096, players=4, seed=1)
    while learning:
        actions = policy(fleet.observations, fleet.legal)    # an action number for every game
        fleet.step(actions)
        # fleet.finished tells which games ended, fleet.rewards what they paid; they stand at their next beginning

All arrays are made once and brought up to date by every step, in one compiled call for each core: nothing is copied.
A step writes only what it changes, so write nothing into `observations`, `legal` and `masks` yourself.

They are NumPy arrays, so `torch.from_numpy(fleet.observations)`, `numpy.from_dlpack` and `jax.dlpack.from_dlpack` share
their memory: every array begins at a multiple of 64 bytes, without which JAX would copy it. Copy an array to keep
it over a step.

A game depends on the seed, its number in the fleet and how many games were played there before, and on nothing else:
neither on how many games there are nor on how many threads step them.
"""

import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import joblib
import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import fleet, play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.jit import COMPILED, prepared
from elcapitan.engine.policies import NO_POLICY, POLICY_NAMES
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.game.setup import Setup

LOW_32: Final = 0xFFFFFFFF
ALIGNMENT: Final = fleet.ALIGNMENT
WORTH_A_THREAD: Final = 128  # games; for fewer, waking a thread takes longer than their steps
STAKES: Final = fleet.STAKE_NAMES
POLICIES: Final = POLICY_NAMES
COPIED: Final = ("setup", "figures", "games", "others", "_arrays", "_threads")  # all else is made from these


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Copy an array to memory that begins at a multiple of ALIGNMENT bytes."""
    room = fleet.aligned_zeros(array.shape, array.dtype)
    room[...] = array
    return room


Step = Callable[[fleet.FleetArrays, int, int], int]


class FleetThread(threading.Thread):
    """Steps games beside the calling thread: spins for a moment after each step, then sleeps until woken.

    A step never waits for a thread that sleeps; one that misses a step helps with the next.
    """

    def __init__(self, step: Step, arrays: fleet.FleetArrays, desk: int) -> None:
        super().__init__(daemon=True)
        self._step, self._arrays, self._desk = step, arrays, desk
        self._slate = arrays.slate
        self._bell = threading.Event()
        self._asleep = self._leaving = False
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Step games until `leave` is called; an error is kept for the thread that waits for the games of this one."""
        try:
            self._help()
        except BaseException as error:
            self.error = error
            self._slate[fleet.FAILED] = 1

    def _help(self) -> None:
        """Step games, and sleep while there are none."""
        turn = int(self._slate[fleet.TURN])
        while not self._leaving:
            turn = self._step(self._arrays, self._desk, turn)
            self._asleep = True
            if turn == self._slate[fleet.TURN]:
                self._bell.wait()
            self._asleep = False
            self._bell.clear()

    def wake(self) -> None:
        """Wake the thread for a new step, if it sleeps."""
        if self._asleep:
            self._bell.set()

    def leave(self) -> None:
        """End the thread and wait for it."""
        self._leaving = True
        self._bell.set()
        self.join()


def _stop_all(threads: list[FleetThread]) -> None:
    """Stop all threads and wait until they have ended."""
    while threads:
        threads.pop().leave()


class Fleet:
    """Many games of one kind, stepped together; a finished game begins anew in the same step.

    | array          | shape         | type    | what it holds after a step                                         |
    |----------------|---------------|---------|--------------------------------------------------------------------|
    | `observations` | games x 951   | int8    | what the acting seat sees; `research.layout` names the parts       |
    | `legal`        | games x 953   | bool    | its legal actions                                                  |
    | `masks`        | games x 120   | uint8   | the same as bits: action n is bit n % 8 of byte n // 8             |
    | `seats`        | games         | int8    | the seat that acts next                                            |
    | `finished`     | games         | bool    | the game ended with this step                                      |
    | `rewards`      | games x seats | float32 | what a game that ended paid each seat, else 0                      |
    | `last`         | games x 951   | int8    | where `finished`: the end, as the seat saw it that acted last      |
    | `actions`      | games         | int64   | what was played, or what `choose` chose                            |
    | `states`       | games         | record  | the positions themselves                                           |

    Stakes: `win` shares 1 among the winners; `rank` pays 1 for the first place down to 0 for the last, evenly, equals
    the mean; `money` pays the lead over the richest other, or what is missing to it, in hundreds of florins.

    With `others`, a policy without thought (`light` or `uniform`) plays all seats but one in each game, drawn by lot
    with every game and found in `own`; steps then go from one decision of that seat to its next.

    `observe=False` and `flags=False` leave `observations` (and `last`) and `legal` empty, for more speed.
    """

    def __init__(
        self,
        games: int,
        players: int = 4,
        tiles: Sequence[str] = (),
        *,
        seed: int = 0,
        stakes: str = "win",
        others: str | None = None,
        options: Mapping[str, bool] | None = None,
        figures: Figures | None = None,
        observe: bool = True,
        flags: bool = True,
        threads: int | None = None,
    ) -> None:
        self.setup = Setup.of(players, tiles, 0, options)
        self.figures = figures or packaged()
        self.games = games
        self.others = others
        terms = zeros(fleet.Terms, 1)
        terms[0].players, terms[0].tiles, terms[0].options = players, self.setup.tile_bits, self.setup.option_bits
        terms[0].stakes, terms[0].choice = STAKES.index(stakes), NO_POLICY
        terms[0].others = NO_POLICY if others is None else POLICIES.index(others)
        self._threads = threads
        self._arrays = fleet.fleet_arrays(games, self.figures.boards, terms, observe=observe, flags=flags)
        self._start()
        self.reset(seed)

    def _start(self) -> None:
        """Name the arrays that others may read, and start the threads that help to step the games."""
        wanted = (self._threads or int(joblib.cpu_count())) if COMPILED else 1
        count = min(wanted, max(1, self.games // WORTH_A_THREAD))
        slate = np.zeros(fleet.NEXT + count, np.int64)
        arrays = self._arrays._replace(boards=self.figures.boards, desks=play.desks(count), slate=slate)
        self.states, self.observations, self.last = arrays.states, arrays.observations, arrays.last
        self.legal, self.masks = arrays.flags.view(np.bool_), arrays.masks.view(np.uint8)
        self.seats, self.own, self.actions = arrays.seats, arrays.own, arrays.actions
        self.rewards, self.finished = arrays.rewards, arrays.finished
        self.dealt = arrays.dealt  # how many games were dealt in each place, the running one included
        self._arrays, self._slate, self._terms = arrays, slate, arrays.terms[0]
        self._step: Step = prepared(fleet.step, arrays, fleet.LEADER, 0)
        self._helpers = [FleetThread(self._step, arrays, desk) for desk in range(1, count)]
        self._end = weakref.finalize(self, _stop_all, self._helpers)

    def __copy__(self) -> "Fleet":
        return deepcopy(self)  # a shallow copy would share the games

    def __getstate__(self) -> dict[str, Any]:
        self._check_threads()
        return {name: getattr(self, name) for name in COPIED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._arrays = fleet.FleetArrays(*(_aligned(array) for array in self._arrays))  # type: ignore[arg-type]
        self._start()

    def _step_all(self) -> int:
        """Step all games; returns the number of one whose action is illegal.

        Raises RuntimeError if a thread failed, now or before: games were left in the middle of a step.
        """
        self._check_threads()
        for thread in self._helpers:
            thread.wake()
        try:
            wrong = self._step(self._arrays, fleet.LEADER, 0)
        except Exception:
            self._slate[fleet.FAILED] = 1
            raise
        self._check_threads()
        return wrong

    def _check_threads(self) -> None:
        """Raise RuntimeError if a thread of this fleet has failed."""
        if self._slate[fleet.FAILED]:
            error = next((thread.error for thread in self._helpers if thread.error), None)
            raise RuntimeError("a thread of this fleet failed, so its games cannot go on; make a new fleet") from error

    def reset(self, seed: int | None = None) -> None:
        """Deal all games anew; with another seed, other games."""
        if seed is not None:
            if not 0 <= seed <= HIGHEST_SEED:
                raise ValueError(f"a seed is a whole number from 0 to {HIGHEST_SEED}, not {seed}")
            self._terms.seed_low, self._terms.seed_high = seed & LOW_32, seed >> 32
        self.dealt[:] = 0
        self.actions[:] = fleet.BEGIN
        self._step_all()

    def step(self, actions: npt.ArrayLike | None = None) -> None:
        """Play an action in every game; without any, those that `choose` chose.

        Raises ValueError if one is illegal: its game stays as it is, all others have gone on.
        """
        if actions is not None:
            self.actions[:] = actions
        if (self.actions < 0).any():
            raise ValueError(f"actions are numbers from 0 to {N_ACTIONS - 1}")
        wrong = self._step_all()
        if wrong != fleet.ALL_LEGAL:
            raise ValueError(f"action {self.actions[wrong]} is not legal in game {wrong}; see `legal` or `masks`")

    def choose(self, policy: str = "light") -> npt.NDArray[np.int64]:
        """Write the actions that a policy without thought would choose now into `actions`, and return them."""
        self.actions[:] = fleet.STAY
        self._terms.choice = POLICIES.index(policy)
        self._step_all()
        self._terms.choice = NO_POLICY
        return self.actions

    def play(self, steps: int, policy: str = "light") -> None:
        """Let a policy without thought play, choosing inside the compiled call: for tests, data and measurements."""
        self.choose(policy)
        self._terms.choice = POLICIES.index(policy)
        for _ in range(steps):
            self._step_all()
        self._terms.choice = NO_POLICY

    def close(self) -> None:
        """Stop the threads of the fleet."""
        self._end()

    def __enter__(self) -> "Fleet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
