"""What runs in the processes of computer players: a question goes in; a turn, a hint or chances come out.

A question holds only what a seat may see, and dice that do not depend on the cards. So a worker cannot look at the
decks.
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

from elcapitan.board.figures import Figures, packaged
from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.bots.chances import Chances, win_chances
from elcapitan.engine import play, warm_up
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import OVER, REVEAL
from elcapitan.game.game import Game
from elcapitan.game.history import Event, action_groups, turn_of
from elcapitan.game.position_queries import position
from elcapitan.game.setup import Setup
from elcapitan.players import seats
from elcapitan.players.judge import Mistake, dearest_mistake
from elcapitan.players.seats import Suggestion

MOST_ACTIONS: Final = 100  # of one turn; more than any can have
POLITENESS: Final = 5  # added to the niceness, so that pages are served before computer players think


@dataclass(frozen=True)
class TurnQuestion:
    """A question for the turn of a computer player: its level, what it sees, and its dice."""

    player: str
    view: bytes  # from `Game.view_for`
    seed: int
    figures: Figures | None = None  # None for the packaged board


@dataclass(frozen=True)
class HintQuestion:
    """A question for a hint: everything that happened, as all players saw it."""

    setup: Setup
    events: tuple[Event, ...]
    level: str | None  # that is asked; None for the usual adviser
    seed: int
    figures: Figures | None = None


@dataclass(frozen=True)
class ChancesQuestion:
    """A question about a position: the chances of all seats."""

    view: bytes  # from `Game.view_for`
    figures: Figures | None = None


@dataclass(frozen=True)
class ReviewQuestion:
    """A question about a finished game: everything that happened in it."""

    setup: Setup
    events: tuple[Event, ...]
    figures: Figures | None = None


@dataclass
class _Current:
    """The question that this process is answering, and its deadline."""

    number: int = 0
    stopped: int = -1  # the last question that was cancelled
    ends: float = math.inf  # on the monotonic clock


_current: Final = _Current()


def out_of_time() -> bool:
    """Whether the question must be answered now, because its time is over or it was cancelled."""
    return time.monotonic() >= _current.ends or _current.stopped == _current.number


def serve(prepare: Callable[[Connection], None], questions: Connection, stops: Connection) -> None:
    """Call `prepare`, then answer questions, one after another, until the service is gone."""
    prepare(stops)
    with contextlib.suppress(EOFError, OSError):
        questions.send(None)
        while True:
            number, seconds, answer, question = questions.recv()
            _current.number, _current.ends = number, time.monotonic() + seconds
            questions.send(_tried(answer, question))


def _tried(answer: Callable[[Any], Any], question: Any) -> tuple[bool, Any]:
    """Return True and the answer, or False and the traceback."""
    try:
        return True, answer(question)
    except Exception:
        return False, traceback.format_exc()


def get_ready(stops: Connection) -> None:
    """Prepare a worker: load the compiled rules, and exit when the service does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    threading.Thread(target=obey_stops, args=(stops,), daemon=True).start()
    warm_up.load()


def obey_stops(stops: Connection) -> None:
    """Note which question was cancelled; exit at once when the service is gone, even if it was killed."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            _current.stopped = stops.recv()
    os._exit(0)


def here(_question: None) -> int:
    """Return the id of this process: the answer shows that it is ready."""
    return os.getpid()


def decide(question: TurnQuestion) -> tuple[int, ...]:
    """Return the actions of a computer player until its turn ends or a card is turned up."""
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


def advise(question: HintQuestion) -> list[Suggestion]:
    """Return what the deciding seat could do, the best first."""
    game = Game.replay(question.setup, question.events, question.figures)
    if question.level in (None, *seats.HINT_BUDGETS) or game.seat is None:
        return seats.suggest(game, out_of_time, question.level)
    actions = decide(
        TurnQuestion(question.level or "", game.view_for(game.seat).tobytes(), question.seed, question.figures)
    )
    first = action_groups(actions)[0]
    return [Suggestion(first, actions[len(first) :])]


def estimate(question: ChancesQuestion) -> Chances | None:
    """Return the chances of all seats; None on a board that the network was not trained on."""
    return win_chances(View(position(question.view), (question.figures or packaged()).boards))


def review(question: ReviewQuestion) -> Mistake | None:
    """Return the dearest mistake of a finished game."""
    return dearest_mistake(Game.replay(question.setup, question.events, question.figures), out_of_time)
