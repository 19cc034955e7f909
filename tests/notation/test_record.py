"""JSON records: written, judged by the referee, read back; and everything in them that does not hold is refused."""

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.playing import CANARIAS, game_with_voyage, random_game, well_refused
from tests.referee.judge import judge

from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.errors import BadRecord
from elcapitan.game.game import Game
from elcapitan.records.json_record import from_json, to_json

Record = dict[str, Any]
ALL = ("Porto", "Lisboa", CANARIAS)
FEW = 50  # actions


@pytest.mark.parametrize(
    ("players", "tiles", "policy", "options"),
    [
        (2, (), LIGHT, {}),
        (2, (), UNIFORM, {"buy_before_loan": True}),
        (3, (), LIGHT, {"reopen_shuts": False}),
        (3, ("Porto",), UNIFORM, {}),
        (4, ("Lisboa",), LIGHT, {"buy_before_loan": True, "reopen_shuts": False}),
        (4, ("Islas Canarias",), UNIFORM, {"pirate_before_loan": True}),
        (5, (), LIGHT, {}),
        (5, ("Porto", "Lisboa"), UNIFORM, {}),
        (2, ALL, LIGHT, {}),
        (3, (CANARIAS,), UNIFORM, {}),
        (5, ALL, LIGHT, {}),
    ],
)
def test_the_referee_agrees_and_records_round_trip(
    players: int, tiles: tuple[str, ...], policy: int, options: dict[str, bool]
) -> None:
    # Uniform players hoard cards, and the referee tries them in every order: their games are cut short.
    most = FEW if policy == UNIFORM else None
    game = random_game(players, tiles, 11, policy, most=most, options=options)
    traced = to_json(game, trace=True)
    judge(traced)
    text = json.dumps(traced)
    back = from_json(text)
    assert json.dumps(to_json(back, trace=True)) == text
    assert back.view_for(0).tobytes() == game.view_for(0).tobytes()
    plain = to_json(game)
    judge(plain)
    assert json.dumps(to_json(from_json(plain))) == json.dumps(plain)


def test_a_voyage_is_one_event() -> None:
    game, voyage = game_with_voyage(cards=2)
    game.play_all(voyage)
    record = to_json(game, trace=True)
    judge(record)
    event = record["events"][-1]
    assert (event["do"], event["by"], len(event["cards"])) == ("pirate", "cards", 2)
    assert json.dumps(to_json(from_json(record), trace=True)) == json.dumps(record)
    voyage_typed = {key: value for key, value in event.items() if key not in ("seat", "offered", "money")}
    event["offered"].append(voyage_typed)  # a voyage may be listed
    judge(record)
    from_json(record)
    event["offered"][-1] = {**voyage_typed, "cards": voyage_typed["cards"][::-1], "to": voyage_typed["cards"][0]["to"]}
    with pytest.raises(BadRecord):
        from_json(record)


def test_a_voyage_at_sea_is_left_out() -> None:
    game, voyage = game_with_voyage()
    before = to_json(game)
    game.play(voyage[0])
    assert to_json(game) == before


def test_keys_of_a_record() -> None:
    record = to_json(random_game(3, ["Lisboa"], most=3))
    assert list(record) == ["format", "rules", "players", "tiles", "board", "first", "events"]
    assert list(record["events"][0]["deal"]) == ["destination", "link"]
    over = to_json(random_game(2, options={"reopen_shuts": False}), trace=True)
    assert list(over)[6:] == ["options", "events", "result"]
    assert over["options"] == {"reopen_shuts": False}
    assert list(over["result"]) == ["money", "ranks", "winners"]
    assert list(over["events"][-1]) == ["payday", "paid"]
    assert list(over["events"][1])[:2] == ["seat", "do"] and list(over["events"][1])[-2:] == ["offered", "money"]


def test_a_game_read_can_be_played_on() -> None:
    game = from_json(to_json(random_game(4, most=25)))
    game.shuffle(1)
    game.play(game.legal()[0])


def test_both_orders_of_a_link_are_read() -> None:
    record = to_json(random_game(4, most=25))
    turned = json.loads(json.dumps(record))
    links = turned["events"][0]["deal"]["link"]
    links[:] = ["-".join(reversed(link.split("-"))) for link in links]
    assert to_json(from_json(turned)) == record


# ----------------------------------------------------------------------------------------------------- bad records


@cache
def _complete(trace: bool) -> str:
    return json.dumps(to_json(random_game(3, ["Lisboa"], seed=21), trace=trace))


def complete(trace: bool = True) -> Record:
    """A complete game, traced; without options."""
    content: Record = json.loads(_complete(trace))
    return content


def first(record: Record, key: str) -> int:
    return next(number for number, event in enumerate(record["events"]) if key in event)


def at_first(key: str, **values: object) -> Callable[[Record], int]:
    """Change the first event that has a key; the event's number."""

    def change(record: Record) -> int:
        number = first(record, key)
        record["events"][number].update(values)
        return number

    return change


def in_header(**values: object) -> Callable[[Record], None]:
    return lambda record: record.update(values)


def without(number: int) -> Callable[[Record], int]:
    def change(record: Record) -> int:
        del record["events"][number]
        return number

    return change


def drop_first(key: str) -> Callable[[Record], int]:
    return lambda record: without(first(record, key))(record)


def twice(number: int) -> Callable[[Record], int]:
    def change(record: Record) -> int:
        record["events"].insert(number, record["events"][number])
        return number + 1

    return change


def inside(number: int, *keys: Any, value: object) -> Callable[[Record], int]:
    """Replace something deep inside an event."""

    def change(record: Record) -> int:
        place = record["events"][number]
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
        return number

    return change


def cut_offer(record: Record) -> int:
    record["events"][1]["offered"].pop()
    return 1


def double_offer(record: Record) -> int:
    record["events"][1]["offered"] *= 2
    return 1


def headless(record: Record) -> None:
    del record["first"]


def one_card_short(record: Record) -> int:
    events = record["events"]
    number = next(n for n, event in enumerate(events) if "reveal" in event and "do" in events[n + 1])
    return without(number)(record)


def emptied(record: Record) -> int:
    record["events"][1] = {}
    return 1


def wrong_income(record: Record) -> int:
    number = first(record, "payday")
    record["events"][number]["paid"][0]["total"] += 1
    return number


def last_event_missing(record: Record) -> None:
    del record["events"][-3:]


def swapped(record: Record) -> int:
    number = first(record, "reveal")
    events = record["events"]
    events[number - 1], events[number] = events[number], events[number - 1]
    return number - 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (in_header(format="elcapitan-game/2"), "other-format"),
        (in_header(rules="0"), "other-rules"),
        (in_header(rules=1), "other-rules"),
        (in_header(board="atlantic@00000000"), "other-board"),
        (in_header(players=6), "bad-players"),
        (in_header(players=3.0), "bad-players"),
        (in_header(tiles="Lisboa"), "not-an-array"),
        (in_header(tiles=["Madeira"]), "bad-tile"),
        (in_header(tiles=[{}]), "bad-tile"),
        (in_header(first=3), "bad-first"),
        (in_header(options=[]), "not-an-object"),
        (in_header(options={"fast": True}), "bad-option"),
        (in_header(options={"reopen_shuts": 1}), "bad-option-value"),
        (in_header(events={}), "not-an-array"),
        (in_header(name="Ana"), "surplus-key"),
        (headless, "lacks-key"),
        (in_header(result=[]), "not-an-object"),
        (in_header(result={}), "lacks-key"),
        (lambda record: record["result"]["money"].reverse(), "other-result"),
        (lambda record: record["result"]["winners"].append(2), "other-result"),
        (lambda record: record["result"].update(time=3), "surplus-key"),
        (last_event_missing, "result-too-early"),
        (without(0), "deal-first"),
        (twice(0), "dealt-already"),
        (swapped, "no-card-wanted"),
        (inside(0, "deal", value=[]), "not-an-object"),
        (inside(0, "deal", "link", value="all"), "not-an-array"),
        (inside(0, "deal", "link", value=[]), "bad-deal"),
        (inside(0, "deal", "link", 0, value="Porto-Tunis"), "bad-card"),
        (inside(0, "deal", "links", value=[]), "surplus-key"),
        (inside(0, "seat", value=0), "surplus-key"),
        (at_first("reveal", reveal="Tunis"), "bad-card"),
        (at_first("reveal", reveal=["Tunis/1"]), "bad-card"),
        (at_first("reveal", seat=0), "surplus-key"),
        (one_card_short, "card-to-turn-up"),
        (emptied, "not-an-event"),
        (at_first("do", seat=7), "wrong-seat"),
        (at_first("do", seat="0"), "wrong-seat"),
        (at_first("do", seat=True), "wrong-seat"),
        (at_first("do", do="sell"), "bad-value"),
        (at_first("do", card="Venezia"), "bad-card"),
        (at_first("do", comment="!"), "surplus-key"),
        (at_first("do", money=[1, 2, 3]), "other-money"),
        (at_first("do", money=[20.0, 20.0, 20.0]), "other-money"),
        (at_first("do", offered=[]), "other-offer"),
        (at_first("do", offered={}), "not-an-array"),
        (at_first("do", offered=[{"do": "end"}, 3]), "not-an-object"),
        (cut_offer, "other-offer"),
        (double_offer, "other-offer"),
        (at_first("payday", payday=2), "other-payday"),
        (at_first("payday", paid=None), "other-payday"),
        (at_first("payday", note=""), "surplus-key"),
        (wrong_income, "other-payday"),
        (drop_first("payday"), "payday-missing"),
    ],
)  # fmt: skip
def test_bad_records(change: Callable[[Record], int | None], reason: str) -> None:
    record = complete()
    event = change(record)
    with pytest.raises(BadRecord) as caught:
        from_json(json.dumps(record))
    assert (caught.value.event, caught.value.reason) == (event, reason)
    assert str(caught.value).startswith("" if event is None else f"Event {event}:")


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"record"', b"\xff", "[" * 100_000, "{}", "9" * 5000])
def test_what_is_no_record(text: str | bytes) -> None:
    with pytest.raises(BadRecord):
        from_json(text)


def test_an_illegal_action_names_its_rule() -> None:
    record = to_json(Game.new(3, first=0, seed=1))
    record["events"].append({"seat": 0, "do": "loan", "amount": 10})
    with pytest.raises(BadRecord) as caught:
        from_json(record)
    assert caught.value.event == 1 and caught.value.rule
    assert f"[{caught.value.rule}]" in str(caught.value)


def test_another_board_is_asked_for() -> None:
    ours = packaged()
    other = Figures("atlantic", ours.boards, ours.cards, ours.printed)
    record = to_json(Game.new(3, seed=1, figures=other))
    with pytest.raises(BadRecord, match="give the board file"):
        from_json(record)
    assert to_json(from_json(record, other)) == record


_SCALARS = st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | st.text(max_size=5)
_JUNK = _SCALARS | st.lists(_SCALARS, max_size=3) | st.dictionaries(st.text(max_size=5), _SCALARS, max_size=3)


def _places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a record."""
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [path, *(place for key, value in inner for place in _places(value, (*path, key)))]


@cache
def _short() -> tuple[Record, list[tuple[Any, ...]]]:
    game = random_game(2, seed=31, most=25)
    record = to_json(game, trace=True)
    for event in record["events"][3:]:
        event.pop("offered", None)
    return record, _places(record)[1:]


@settings(deadline=None)
@given(st.data())
def test_mutated_records_are_read_or_refused(data: st.DataObject) -> None:
    record, places = _short()
    record = copy.deepcopy(record)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(places))
        try:
            target: Any = record
            for key in path[:-1]:
                target = target[key]
            how = data.draw(st.sampled_from(["drop", "junk", "copy"]))
            if how == "drop":
                del target[path[-1]]
            elif how == "junk":
                target[path[-1]] = data.draw(_JUNK)
            else:
                other: Any = record
                for key in data.draw(st.sampled_from(places)):
                    other = other[key]
                target[path[-1]] = copy.deepcopy(other)
        except (KeyError, IndexError, TypeError):
            continue  # a first mutation took the place of the second away
    assert well_refused(BadRecord, lambda: from_json(record))
