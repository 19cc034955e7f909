"""Toy bots for tests, and how they are seated."""

import signal
from collections.abc import Callable, Mapping, Sequence

import pytest

from elcapitan.bots.bot import Bot, View
from elcapitan.bots.registry import LOWEST, Wanderer, create
from elcapitan.engine.actions import END, LOAN
from elcapitan.engine.rng import Generators
from elcapitan.experiments.arena.games import Batch
from elcapitan.players import seats


class Debtor(Wanderer):
    """Borrows whenever that is legal, and so ends deep in debt."""

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        loans = [action for action in legal if LOAN <= action < END]
        return loans[-1] if loans else super().choose(view, legal, rng)


class Stumbler(Wanderer):
    """Plays, but reports a fault."""

    fault = "./toy: It stumbled."


class Quitter(Bot):
    """Fails at once."""

    closed = 0

    def choose(self, view: View, legal: Sequence[int], rng: Generators) -> int:
        raise RuntimeError("no more")

    def close(self) -> None:
        type(self).closed += 1


def ask_about_interrupts(*_: object, **__: object) -> Batch:
    """What a worker would do on Ctrl-C, in place of games."""
    return Batch((signal.getsignal(signal.SIGINT),), 1.0)  # type: ignore[arg-type]


TOYS: Mapping[str, Callable[[], Bot]] = {"debtor": Debtor, "cmd:./toy": Stumbler, "quitter": Quitter}


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat toy bots by name; this holds in this process only."""

    def create_seat(spec: str, *_: object) -> Bot:
        return TOYS[spec]() if spec in TOYS else create(spec)

    monkeypatch.setattr(seats, "create_seat", create_seat)
    monkeypatch.setattr(seats, "check", lambda spec: None)


__all__ = ["LOWEST", "toys"]
