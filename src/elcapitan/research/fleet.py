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

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import fleet, play, record
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.jit import COMPILED, prepared
from elcapitan.engine.policies import NO_POLICY, POLICY_NAMES
from elcapitan.engine.record import zeros
from elcapitan.engine.vocabulary import OVER
from elcapitan.game.position_queries import refusal_in
from elcapitan.game.setup import Setup
from elcapitan.players.python_players import BatchPlayer
from elcapitan.research.arguments import action_numbers, count_of, flags_of, one_each, one_of, outside, seed_number
from elcapitan.research.cores import usable_cores
from elcapitan.research.opponents import LEVELS, Opponents, named_opponent
from elcapitan.research.sampling import Sampler

LOW_32: Final = 0xFFFFFFFF
ALIGNMENT: Final = record.ALIGNMENT
WORTH_A_THREAD: Final = 128  # games; for fewer, waking a thread takes longer than their steps
STAKES: Final = fleet.STAKE_NAMES
POLICIES: Final = POLICY_NAMES
OPPONENTS: Final = (*POLICIES, *LEVELS)
COPIED: Final = ("setup", "figures", "games", "others", "_arrays", "_threads")  # all else is made from these


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Copy an array to memory that begins at a multiple of ALIGNMENT bytes."""
    room = record.aligned_zeros(array.shape, array.dtype)
    room[...] = array
    return room


def _others(who: str | BatchPlayer | None) -> int:
    """Return who plays the other seats, as the kernel knows it. Raises ValueError for an unknown opponent."""
    if who is None:
        return NO_POLICY
    if not isinstance(who, str) and hasattr(who, "choose_many"):
        return fleet.ELSEWHERE
    one_of("others", who, OPPONENTS)
    return fleet.ELSEWHERE if who in LEVELS else POLICIES.index(str(who))


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
    | `money`        | games x seats | int32   | where `finished`: the money of each seat at the end                |
    | `last`         | games x 951   | int8    | where `finished`: the end, as the seat saw it that acted last      |
    | `actions`      | games         | int64   | what was played, or what `choose` chose                            |
    | `states`       | games         | record  | the positions themselves                                           |

    Stakes: `win` shares 1 among the winners; `rank` pays 1 for the first place down to 0 for the last, evenly, equals
    the mean; `money` pays the lead over the richest other, or what is missing to it, in hundreds of florins.

    With `others`, another player plays all seats but one in each game, drawn by lot with every game and found in `own`;
    steps then go from one decision of that seat to its next. It can be a policy without thought (`light` or
    `uniform`), played inside the compiled call, a level (see `research.opponents`), or a player with a method
    `choose_many`, also by its name, as in `py:module:Class`. That gets the rows of `observations` and `legal` of the
    games that wait for it and returns an action number for each.

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
        others: str | BatchPlayer | None = None,
        options: Mapping[str, bool] | None = None,
        figures: Figures | None = None,
        observe: bool = True,
        flags: bool = True,
        threads: int | None = None,
    ) -> None:
        games, threads = count_of("games", games), None if threads is None else count_of("threads", threads)
        others = named_opponent(others)
        self.setup = Setup.of(players, tiles, 0, options)
        self.figures = figures or packaged()
        self.games = games
        self.others = others
        if not (others is None or isinstance(others, str) or (observe and flags)):
            raise ValueError("a player of the other seats needs observations and flags")
        terms = zeros(fleet.Terms, 1)
        terms[0].players, terms[0].tiles, terms[0].options = players, self.setup.tile_bits, self.setup.option_bits
        terms[0].stakes, terms[0].choice = one_of("stakes", stakes, STAKES), NO_POLICY
        terms[0].others = _others(others)
        self._threads = threads
        self._arrays = fleet.fleet_arrays(games, self.figures.boards, terms, observe=observe, flags=flags)
        self._start()
        self.reset(seed)

    def _start(self) -> None:
        """Name the arrays that others may read, and start the threads that help to step the games."""
        wanted = (self._threads or usable_cores()) if COMPILED else 1
        count = min(wanted, max(1, self.games // WORTH_A_THREAD))
        slate = np.zeros(fleet.NEXT + count, np.int64)
        arrays = self._arrays._replace(boards=self.figures.boards, desks=play.desks(count), slate=slate)
        self.states, self.observations, self.last = arrays.states, arrays.observations, arrays.last
        self.legal, self.masks = arrays.flags.view(np.bool_), arrays.masks.view(np.uint8)
        self.seats, self.own, self.actions = arrays.seats, arrays.own, arrays.actions
        self.rewards, self.finished, self.money = arrays.rewards, arrays.finished, arrays.money
        self.dealt = arrays.dealt  # how many games were dealt in each place, the running one included
        self._arrays, self._slate, self._terms = arrays, slate, arrays.terms[0]
        self._step: Step = prepared(fleet.step, arrays, fleet.LEADER, 0)
        self._helpers = [FleetThread(self._step, arrays, desk) for desk in range(1, count)]
        self._end = weakref.finalize(self, _stop_all, self._helpers)
        self._wanted_threads = wanted
        self._sampler: Sampler | None = None
        who, count = self.others, min(wanted, self.games)
        self._player = None if isinstance(who, str) else who
        self._opponents = Opponents(who, arrays, count) if isinstance(who, str) and who in LEVELS else None

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

    def _step_with_opponents(self) -> int:
        """Step all games, and let a level or a player play on until the own seat decides in each of them."""
        if self._opponents is None and self._player is None:
            return self._step_all()
        choice, self._terms.choice = self._terms.choice, NO_POLICY
        wrong, played = self._step_all(), self.actions.copy()
        if self._opponents:
            self._play_level(self._opponents)
        elif self._player:
            self._play_python_player(self._player)
        self.actions[:] = played
        if choice != NO_POLICY:
            self._terms.choice = choice
            self.actions[:] = fleet.STAY
            self._step_all()
        return wrong

    def _play_level(self, opponents: Opponents) -> None:
        """Play on to the own seats; games that end on the way are paid and dealt anew."""
        ended = np.zeros(self.games, np.bool_)
        while (self.seats != self.own).any():
            opponents.play()
            over = self.states["stage"] == OVER
            for i in np.flatnonzero(over).tolist():
                self.rewards[i] = fleet.payoffs(self.states, i, int(self._terms.stakes))
                self.money[i] = self.states["cash"][i, : self.setup.players]
                if len(self.last):
                    fleet.look(self.states, i, int(self.own[i]), self.last, i)
            self.actions[:] = np.where(over, fleet.BEGIN, fleet.STAY)
            self._step_all()
            ended |= over
        self.finished |= ended

    def _play_python_player(self, player: BatchPlayer) -> None:
        """Play on to the own seats; a game that ends is told as if it had ended with the step of the own seat.

        Raises ValueError if the player chooses an illegal action.
        """
        finished = self.finished.copy()
        ends: tuple[npt.NDArray[Any], ...] = (self.rewards, self.money, self.last)
        kept = [array.copy() for array in ends]
        while (waiting := np.flatnonzero(self.seats != self.own)).size:
            chosen = player.choose_many(self.observations[waiting], self.legal[waiting])
            self.actions[:] = fleet.STAY
            numbers = one_each("the actions of the player of the other seats", chosen, waiting.size)
            strange = outside(numbers)
            self.actions[waiting] = np.where(strange, N_ACTIONS, numbers)
            self.seats[waiting] = self.own[waiting]  # `last` is to show the view of the own seat
            wrong = int(waiting[strange.argmax()]) if strange.any() else self._step_all()
            if wrong != fleet.ALL_LEGAL:
                told = "the player of the other seats has chosen an action that is not legal"
                raise ValueError(f"{told} in game {wrong}. {self._reason(wrong)}")
            ended = waiting[self.finished[waiting]]
            finished[ended] = True
            for array, end in zip(kept, ends, strict=True):
                array[ended] = end[ended]
        self.finished[:] = finished
        for array, end in zip(kept, ends, strict=True):
            end[:] = array

    def _check_threads(self) -> None:
        """Raise RuntimeError if a thread of this fleet has failed."""
        if self._slate[fleet.FAILED]:
            error = next((thread.error for thread in self._helpers if thread.error), None)
            raise RuntimeError("a thread of this fleet failed, so its games cannot go on; make a new fleet") from error

    def reset(self, seed: int | Sequence[int] | npt.NDArray[Any] | None = None) -> None:
        """Deal all games anew; with another seed, other games.

        With a seed for each place, its games are those of a fleet of one game with that seed.
        """
        seed = seed.tolist() if isinstance(seed, np.ndarray) else seed
        if isinstance(seed, Sequence) and not isinstance(seed, str):
            if len(seed) != self.games:
                raise ValueError(f"{len(seed)} seeds for {self.games} games")
            self._plant([seed_number(one) for one in seed], 0)
        elif seed is not None:
            self._plant([seed_number(seed)] * self.games, 1)
        self.dealt[:] = 0
        self.actions[:] = fleet.BEGIN
        self._step_with_opponents()

    def _plant(self, seeds: list[int], numbered: int) -> None:
        """Note what the games of each place are dealt from."""
        planted = self._arrays.seeds
        planted[:, 0] = [seed & LOW_32 for seed in seeds]
        planted[:, 1] = [seed >> 32 for seed in seeds]
        planted[:, 2] = np.arange(self.games) * numbered

    def renew(self, places: npt.ArrayLike) -> None:
        """Deal the next game where an array of bool says so; all other games stay as they are."""
        self.actions[:] = np.where(flags_of(places, self.games), fleet.BEGIN, fleet.STAY)
        self._step_with_opponents()

    def step(self, actions: npt.ArrayLike | None = None) -> None:
        """Play an action in every game; without any, those that `choose` or `sample` chose.

        Raises ValueError if one is illegal, with the rule: its game stays as it is, all others have gone on.
        """
        self.actions[:] = action_numbers(self.actions if actions is None else actions, self.games)
        wrong = self._step_with_opponents()
        if wrong != fleet.ALL_LEGAL:
            told = f"action {self.actions[wrong]} is not legal in game {wrong}; see `legal` or `masks`."
            raise ValueError(f"{told} {self._reason(wrong)}")

    def _reason(self, i: int) -> str:
        """Return why what is to be played in a game is not legal there, with the rule."""
        return str(refusal_in(self.states[i : i + 1].copy(), self.figures, play.desks(), int(self.actions[i])))

    def choose(self, policy: str = "light") -> npt.NDArray[np.int64]:
        """Write the actions that a policy without thought would choose now into `actions`, and return them."""
        self._terms.choice = one_of("policy", policy, POLICIES)
        self.actions[:] = fleet.STAY
        self._step_all()
        self._terms.choice = NO_POLICY
        return self.actions

    def sample(
        self, logits: npt.ArrayLike, temperature: float = 1.0
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Draw a legal action in every game, as likely as the softmax of its logits, divided by the temperature, says.

        A row of 953 logits (float32) for each game; those of illegal actions are not read, and minus infinity rules an
        action out. A temperature of 0 takes the likeliest action, with log-probabilities as at 1. Returns `actions`,
        which `step` plays, and the log-probabilities: arrays that the next call writes anew. What is drawn depends on
        the seed and on the earlier course of its game, on neither the number of games nor that of threads. Raises
        ValueError if a legal action has the logit NaN or infinity, or all have minus infinity; these games then have no
        action.
        """
        if self._sampler is None:
            self._sampler = Sampler(self._arrays, self._wanted_threads)
        self._sampler.sample(logits, temperature)
        return self.actions, self._sampler.log_probs

    def play(self, steps: int, policy: str = "light") -> None:
        """Let a policy without thought play, choosing inside the compiled call: for tests, data and measurements."""
        self.choose(policy)
        self._terms.choice = one_of("policy", policy, POLICIES)
        for _ in range(steps):
            self._step_with_opponents()
        self._terms.choice = NO_POLICY

    def close(self) -> None:
        """Stop the threads of the fleet."""
        self._end()
        for helper in (self._sampler, self._opponents):
            if helper:
                helper.close()

    def __enter__(self) -> "Fleet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
