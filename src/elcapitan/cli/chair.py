"""A seat at a table on a server, played from here: the game is followed, and whoever sits here is asked in turn."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from elcapitan.bots.bot import Bot
from elcapitan.cli.guest import News, Refused, Server
from elcapitan.errors import BotFault
from elcapitan.figures import Figures
from elcapitan.game import Game
from elcapitan.notation.record import FORMAT, from_json
from elcapitan.players.external import ProgramBot
from elcapitan.players.seats import choose_whole_action, create_seat, dice, dismiss
from elcapitan.setup import FEWEST
from elcapitan.text.catalogue import _

GONE = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


@dataclass(frozen=True)
class Step:
    """What is to be told: a fault of a program, or the last thing of all."""

    fault: BotFault | None = None
    last: str = ""
    arguments: dict[str, object] = field(default_factory=dict)


class Chair:
    """One seat of one game, and who plays it."""

    def __init__(
        self, server: Server, game: str, seat: int, player: str, seconds: float, figures: Figures, seed: int
    ) -> None:
        self._server = server
        self._name = game
        self._seat = seat
        self._player = player
        self._seconds = seconds
        self._figures = figures
        self._dice = dice(seed, seat)
        self._events: list[dict[str, Any]] = []
        self._last_id = "0"
        self._bot: Bot | None = None
        self._game = Game.bare(FEWEST, first=0, figures=figures)  # until the real one is told
        self._blamed = False  # whether the fault of a program was told

    def play(self) -> Iterator[Step]:
        """Follow the table and play, as long as the connection lasts; every step says what is to be told."""
        try:
            for news in self._server.follow(self._name, self._last_id):
                if news.name == "end":
                    break
                yield self._hear(news)
            else:
                return
        except Refused as error:
            if error.status not in GONE:
                raise
        yield Step(last=_("The seat was taken away."))

    def _hear(self, news: News) -> Step:
        """Take in what has happened, and act if it is our turn."""
        self._events[news.data["since"] :] = news.data["events"]
        self._last_id = news.id
        state = news.data["state"]
        if state["ended"]:
            return Step(last=_("The host has ended this game."))
        if self._bot is None or state["result"] or (state["yours"] and state["deciding"] == self._seat):
            self._look(state["setup"])
        if state["result"]:
            money = ", ".join(map(str, self._game.money))
            return Step(last=_("The game is over: {money}."), arguments={"money": money})
        if state["yours"] and state["deciding"] == self._seat:
            self._act(state)
        return Step(fault=self._new_fault())

    def _look(self, setup: dict[str, Any]) -> None:
        """Bring the game here to where it stands there; whoever is to sit here sits down."""
        header = {key: setup[key] for key in ("rules", "players", "tiles", "board", "first", "options")}
        self._game = from_json({"format": FORMAT, **header, "events": self._events}, self._figures)
        if self._bot is None:
            self._bot = create_seat(self._player, self._game.setup, self._seat, self._figures, self._seconds)

    def _act(self, state: dict[str, Any]) -> None:
        """Ask whoever sits here, and do it; if the table has changed meanwhile, that is told soon."""
        path = f"/games/{self._name}"
        try:
            if state["position"]["pirate"] and state["position"]["pirate"]["sailing"]:  # begun elsewhere, card by card
                self._server.ask(f"{path}/undo", {"number": state["number"]})
            else:
                self._server.ask(f"{path}/actions", {"number": state["number"], "actions": self._choice()})
        except Refused as error:
            if not error.stale:
                raise

    def _choice(self) -> list[int]:
        """The numbers of the next action; a voyage of the pirate is chosen to its end."""
        assert self._bot is not None
        return list(choose_whole_action(self._bot, self._game, self._dice))

    def _new_fault(self) -> BotFault | None:
        """The fault of a program, once."""
        if self._blamed or not isinstance(self._bot, ProgramBot) or self._bot.problem is None:
            return None
        self._blamed = True
        return self._bot.problem

    def leave(self) -> None:
        """Let whoever sits here go; a program hears how the game ended, if it did."""
        if self._bot:
            dismiss([self._bot], self._game)
