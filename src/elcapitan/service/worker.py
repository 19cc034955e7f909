"""What runs in the processes of computer players: a question goes in, the actions of a turn or advice come out.

A question carries what a seat may see, and dice that know nothing of the cards. So a worker could not look at the decks
if it wanted to.
"""

import contextlib
import math
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.engine import play, warm_up
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import OVER, REVEAL
from elcapitan.figures import Figures, packaged
from elcapitan.game import Game
from elcapitan.history import Event, turn_of
from elcapitan.players import hints
from elcapitan.players.hints import Suggestion
from elcapitan.report import position
from elcapitan.service.course import groups
from elcapitan.setup import Setup

MOST_ACTIONS: Final = 100  # of one turn; more than any can have
POLITENESS: Final = 5  # whoever waits for a page goes before whoever waits for a computer player


@dataclass(frozen=True)
class Question:
    """A seat is to decide: who plays it, what it sees, and its dice."""

    player: str
    view: bytes  # from `Game.view_for`
    seed: int
    figures: Figures | None = None  # None for the packaged board


@dataclass(frozen=True)
class Doubt:
    """A person asks for advice: everything that happened, as everybody saw it."""

    setup: Setup
    events: tuple[Event, ...]
    level: str | None  # who is asked; None for whoever is usually asked
    seed: int
    figures: Figures | None = None


@dataclass
class _Current:
    """The question that this process is answering, and how long it may."""

    number: int = 0
    stopped: int = -1  # the last question that is no longer wanted
    ends: float = math.inf  # on the monotonic clock


_current: Final = _Current()


def out_of_time() -> bool:
    """Whether the question must be answered now, with what there is: its time is over, or nobody waits for it."""
    return time.monotonic() >= _current.ends or _current.stopped == _current.number


def serve(prepare: Callable[[Connection], None], questions: Connection, stops: Connection) -> None:
    """Answer questions, one after another, until the service is gone; `prepare` is called first."""
    prepare(stops)
    with contextlib.suppress(EOFError, OSError):
        questions.send(None)
        while True:
            number, seconds, answer, question = questions.recv()
            _current.number, _current.ends = number, time.monotonic() + seconds
            questions.send(_tried(answer, question))


def _tried(answer: Callable[[Any], Any], question: Any) -> tuple[bool, Any]:
    """True and the answer, or False and the traceback."""
    try:
        return True, answer(question)
    except Exception:
        return False, traceback.format_exc()


def get_ready(stops: Connection) -> None:
    """Begin to be a worker: load the compiled rules, and end when the service does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    threading.Thread(target=_obey, args=(stops,), daemon=True).start()
    warm_up.load()


def _obey(stops: Connection) -> None:
    """Note which question is no longer wanted; when the service is gone, even killed, leave at once."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            _current.stopped = stops.recv()
    os._exit(0)


def here(_question: None) -> int:
    """Which process this is: the answer shows that it is ready."""
    return os.getpid()


def decide(question: Question) -> tuple[int, ...]:
    """The actions with which a computer player ends its turn, as far as no card is turned up."""
    boards = (question.figures or packaged()).boards
    states, desks, dice = position(question.view), play.desks(), generator(question.seed)
    bot = registry.create(question.player)
    bot.stop_when(out_of_time)
    turn = turn_of(states[0])
    actions: list[int] = []
    while turn_of(states[0]) == turn and states[0].stage not in (REVEAL, OVER) and len(actions) < MOST_ACTIONS:
        count = play.legal(states, 0, boards, desks, 0)
        legal = [int(number) for number in desks[0].actions[:count]]
        actions.append(int(bot.choose(View(states.copy(), boards), legal, dice)))
        play.apply(states, 0, boards, actions[-1])
    bot.close()
    return tuple(actions)


def advise(doubt: Doubt) -> list[Suggestion]:
    """What the deciding seat could do, the best first."""
    game = Game.replay(doubt.setup, doubt.events, doubt.figures)
    if doubt.level in (None, hints.adviser()) or game.seat is None:
        return hints.suggest(game, out_of_time)
    actions = decide(Question(doubt.level or "", game.view_for(game.seat).tobytes(), doubt.seed, doubt.figures))
    first = groups(actions)[0]
    return [Suggestion(first, actions[len(first) :])]
