"""Write and read games as JSON, the record for referees and other programs.

    {"format": "elcapitan-game/1", "rules": "1", "players": 4, "tiles": ["Lisboa"], "board": "mediterranean",
     "first": 0,
     "events": [{"deal": {"destination": [4 cards], "link": [6 cards]}},
                {"seat": 0, "do": "buy", "card": "Marseille/3"}, ...
                {"reveal": "Napoli-Tunis"}, ...],
     "result": {"money": [...], "ranks": [...], "winners": [...]}}

"options" stands after "first" when they are not the usual ones, "result" only at the end of a complete game. "seats"
may stand before "events": who played them, "human" or a computer player; the game does not depend on it. "shuffles"
may stand behind it: how the cards were shuffled, to be checked by `elcapitan verify` (see `records.shuffles`).
A traced record carries more: with every action the list of what was "offered" before it and the "money" of all seats
after it, and every payday as an event. Reading checks everything that is there; what does not hold is refused as
`BadRecord`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from typing_extensions import TypedDict

from elcapitan.actions.typed import Typed, find_card, numbers_of, voyage_to_typed
from elcapitan.board.board_file import nearest, short
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import play
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import RULES_VERSION, Act, Deal, Event, Game, Income, Payday, Reveal
from elcapitan.game.position_queries import in_typed_form, legal_in
from elcapitan.records import shuffles as shuffling
from elcapitan.records.shuffles import Promise
from elcapitan.untrusted_input import too_complex

FORMAT: Final = "elcapitan-game/1"
HEADER: Final = ("format", "rules", "players", "tiles", "board", "first")
RECORD: Final = (*HEADER, "events")
TRACE: Final = ("offered", "money")  # what a trace adds to an action
RESULT: Final = ("money", "ranks", "winners")
MOST_OFFERED: Final = 2000  # actions that a trace lists before one is chosen; without voyages of the pirate some forty


class IncomeJson(TypedDict):
    """What a payday pays a seat, item by item."""

    seat: int
    cities: int
    proliferation: int
    majority: dict[str, int]
    fortress: dict[str, int]
    bonus: int
    total: int


class ResultJson(TypedDict):
    """How a game ended, seat by seat; the winners are seats in ascending order."""

    money: list[int]
    ranks: list[int]
    winners: list[int]


# ----------------------------------------------------------------------------------------------------------- writing


def to_json(
    game: Game, *, trace: bool = False, seats: Sequence[str] = (), shuffles: Sequence[Promise] = ()
) -> dict[str, Any]:
    """The record of a game as it stands; a voyage of the pirate by cards that has not landed is left out."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": RULES_VERSION,
        "players": game.players,
        "tiles": list(game.setup.tiles),
        "board": game.figures.name,
        "first": game.setup.first,
    }
    if game.setup.unusual:
        record["options"] = game.setup.unusual
    if seats:
        record["seats"] = list(seats)
    if shuffles:
        record["shuffles"] = shuffling.to_json(shuffles)
    record["events"] = _traced_events(game) if trace else [event_to_json(each, game.figures) for each in game.events]
    if game.over:
        record["result"] = result_of(game)
    return record


def result_of(game: Game) -> ResultJson:
    """The end of a game [END-05, G-31]."""
    return {"money": game.money, "ranks": game.ranks, "winners": game.winners}


def event_to_json(event: Event, figures: Figures) -> dict[str, Any]:
    """Write one event without traces."""
    if isinstance(event, Deal):
        names = {"destination": event.destination, "link": event.link}
        return {"deal": {kind: [figures.cards[card] for card in cards] for kind, cards in names.items()}}
    if isinstance(event, Reveal):
        return {"reveal": figures.cards[event.card]}
    return {"seat": event.seat, **voyage_to_typed(event.numbers, figures)}


def payday_to_json(payday: Payday) -> dict[str, Any]:
    """A payday as an event of a trace."""
    return {"payday": payday.number, "paid": [income_to_json(income) for income in payday.paid]}


def income_to_json(income: Income) -> IncomeJson:
    """One seat's line of a payday."""
    return {
        "seat": income.seat,
        "cities": income.cities,
        "proliferation": income.proliferation,
        "majority": income.majority,
        "fortress": income.fortress,
        "bonus": income.bonus,
        "total": income.total,
    }


def _traced_events(game: Game) -> list[dict[str, Any]]:
    """All events, with what was offered before each action, the money after it, and the paydays."""
    desks = play.desks()
    events = []
    for moment in game.history():
        event = event_to_json(moment.event, game.figures)
        if isinstance(moment.event, Act):
            event["offered"] = in_typed_form(legal_in(moment.before, game.figures, desks), game.figures)
            event["money"] = play.scores(moment.after, 0)
        events.append(event)
        if moment.payday:
            events.append(payday_to_json(moment.payday))
    return events


# ----------------------------------------------------------------------------------------------------------- reading


def from_json(record: Mapping[str, Any] | str | bytes, figures: Figures | None = None) -> Game:
    """Replay a record, checking everything in it; the game can be looked at, walked through and played on."""
    return with_shuffles(record, figures)[0]


def with_shuffles(
    record: Mapping[str, Any] | str | bytes, figures: Figures | None = None
) -> tuple[Game, tuple[Promise, ...]]:
    """The same, and what the record tells about how its cards were shuffled: its form is checked, not its truth."""
    content = parsed(record)
    _expect(content, RECORD, optional=("options", "seats", "shuffles", "result"))
    seats_in(content)
    game = _set_up(content, figures or packaged())
    events = content["events"]
    if not isinstance(events, list):
        raise BadRecord("not-an-array", key="events", found=short(events))
    traced = any(isinstance(event, dict) and not {*TRACE, "payday"}.isdisjoint(event) for event in events)
    _Replay(game, traced).run(events)
    if "result" in content:
        _check_result(game, content["result"])
    return game, shuffling.from_json(content.get("shuffles", []), len(game.events))


def seats_in(record: Mapping[str, Any] | str | bytes) -> tuple[str, ...]:
    """Who plays the seats, if the record tells."""
    seats = parsed(record).get("seats", [])
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise BadRecord("not-an-array", key="seats", found=short(seats))
    return tuple(seats)


def parsed(record: object) -> dict[str, Any]:
    """Parse a record unless it is parsed already. Raises `BadRecord` for anything but an object."""
    if isinstance(record, str | bytes):
        try:
            text = record if isinstance(record, str) else record.decode(json.detect_encoding(record), "surrogatepass")
            if too_complex(text):
                raise BadRecord("json-too-complex")
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadRecord("not-json", problem=short(str(error))) from None
    if not isinstance(record, dict):
        raise BadRecord("not-an-object", key="record", found=short(record))
    return record


def _expect(
    content: Mapping[str, Any], keys: Sequence[str], optional: Sequence[str] = (), event: int | None = None
) -> None:
    """Refuse keys that are not known here, then keys that are missing."""
    for key in content:
        if key not in keys and key not in optional:
            known = nearest(str(key), (*keys, *optional))
            raise BadRecord("surplus-key", event=event, key=short(key), nearest=known)
    for key in keys:
        if key not in content:
            raise BadRecord("lacks-key", event=event, key=key)


def _set_up(content: Mapping[str, Any], figures: Figures) -> Game:
    """The game described by the header."""
    if content["format"] != FORMAT:
        raise BadRecord("other-format", found=short(content["format"]), wanted=FORMAT)
    if content["rules"] != RULES_VERSION:
        raise BadRecord("other-rules", found=short(content["rules"]), wanted=RULES_VERSION)
    if content["board"] != figures.name:
        raise BadRecord("other-board", found=short(content["board"]), wanted=figures.name)
    tiles, options = content["tiles"], content.get("options", {})
    if not isinstance(tiles, list):
        raise BadRecord("not-an-array", key="tiles", found=short(tiles))
    if not isinstance(options, dict):
        raise BadRecord("not-an-object", key="options", found=short(options))
    try:
        return Game.bare(content["players"], tiles, first=content["first"], options=options, figures=figures)
    except ElCapitanError as error:
        raise BadRecord.because(error) from None


class _Replay:
    """Plays the events of a record on a game, one after another."""

    def __init__(self, game: Game, traced: bool) -> None:
        self.game = game
        self.traced = traced
        self.paydays = 0  # read so far
        self.number = 0  # of the event

    def run(self, events: Iterable[object]) -> None:
        """Play all events of the record."""
        for self.number, event in enumerate(events):
            if not isinstance(event, dict):
                self.refuse("not-an-object", key="event", found=short(event))
            try:
                self.happen(event)
            except BadRecord:
                raise
            except ElCapitanError as error:
                raise BadRecord.because(error, event=self.number) from None
        self.number += 1
        self.check_no_payday_due()

    def refuse(self, reason: str, **arguments: object) -> NoReturn:
        """Raise `BadRecord` for the current event."""
        raise BadRecord.because(ElCapitanError(reason, **arguments), event=self.number)

    def happen(self, event: dict[str, Any]) -> None:
        """Play one event and check its trace."""
        if "payday" in event:
            self.check_payday(event)
            return
        self.check_no_payday_due()
        if "deal" in event:
            self.deal(event)
        elif "reveal" in event:
            _expect(event, ("reveal",), event=self.number)
            self.game.reveal(self.card(event["reveal"]))
        elif "do" in event:
            self.act(event)
        else:
            self.refuse("not-an-event")

    def card(self, name: object) -> int:
        """Read a card and return its number."""
        card = find_card(name, self.game.figures) if isinstance(name, str) else None
        if card is None:
            known = nearest(str(name), self.game.figures.cards)
            self.refuse("bad-card", key="card", found=short(name), nearest=known)
        return card

    def deal(self, event: dict[str, Any]) -> None:
        """Read the deal and lay out the opening display."""
        _expect(event, ("deal",), event=self.number)
        deal = event["deal"]
        if not isinstance(deal, dict):
            self.refuse("not-an-object", key="deal", found=short(deal))
        _expect(deal, ("destination", "link"), event=self.number)
        for kind, cards in deal.items():
            if not isinstance(cards, list):
                self.refuse("not-an-array", key=kind, found=short(cards))
        self.game.deal(*([self.card(name) for name in deal[kind]] for kind in ("destination", "link")))

    def act(self, event: dict[str, Any]) -> None:
        """Carry out an action of a seat and check what a trace says about it."""
        game = self.game
        if "seat" not in event:
            self.refuse("lacks-key", key="seat")
        numbers = numbers_of({key: value for key, value in event.items() if key not in ("seat", *TRACE)}, game.figures)
        game.expect_action()
        if not _same(event["seat"], game.seat):
            self.refuse("wrong-seat", found=short(event["seat"]), wanted=game.seat)
        if "offered" in event:
            self.check_offered(event["offered"])
        game.play_all(numbers)
        if "money" in event and not _same(event["money"], game.money):
            self.refuse("other-money", found=short(event["money"]), wanted=game.money)

    def check_offered(self, offered: object) -> None:
        """A trace lists exactly what is legal; voyages of the pirate by cards may be among it or left out."""
        if not isinstance(offered, list):
            self.refuse("not-an-array", key="offered", found=short(offered))
        if len(offered) > MOST_OFFERED:
            self.refuse("other-offer", lacking=0, surplus=len(offered) - MOST_OFFERED)
        listed = [tuple(numbers_of(typed, self.game.figures)) for typed in offered]
        for voyage in dict.fromkeys(listed):
            if len(voyage) > 1:
                self.game.copy().play_all(voyage)
        single = [numbers[0] for numbers in listed if len(numbers) == 1]
        legal = set(numbers_of_all(self.game.offered(), self.game.figures))
        if set(single) != legal or len(set(single)) < len(single):
            lacking, surplus = len(legal - set(single)), len(single) - len(legal & set(single))
            self.refuse("other-offer", lacking=lacking, surplus=surplus)

    def check_payday(self, event: dict[str, Any]) -> None:
        """A payday of a trace stands where it was held and says what it paid."""
        _expect(event, ("payday", "paid"), event=self.number)
        held = self.game.paydays
        if self.paydays == len(held):
            self.refuse("no-payday")
        ours = payday_to_json(held[self.paydays])
        if not _same(event, ours):
            self.refuse("other-payday", found=short(event), wanted=[line["total"] for line in ours["paid"]])
        self.paydays += 1

    def check_no_payday_due(self) -> None:
        """In a traced record the next thing after a payday was held is its event."""
        if self.traced and self.paydays < len(self.game.paydays):
            self.refuse("payday-missing")


def numbers_of_all(actions: Iterable[Typed], figures: Figures) -> list[int]:
    """The numbers of typed actions none of which is a voyage."""
    return [number for typed in actions for number in numbers_of(typed, figures)]


def _check_result(game: Game, result: object) -> None:
    """A result stands at the end of a complete game and is right."""
    if not game.over:
        raise BadRecord("result-too-early")
    if not isinstance(result, dict):
        raise BadRecord("not-an-object", key="result", found=short(result))
    _expect(result, RESULT)
    for key, value in result_of(game).items():
        if not _same(result[key], value):
            raise BadRecord("other-result", found=short(result[key]), wanted=value)


def _same(found: object, wanted: object) -> bool:
    """Equality as JSON has it: neither true nor 1.0 is 1."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(_same(found[key], wanted[key]) for key in wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    return type(found) is type(wanted) and found == wanted
