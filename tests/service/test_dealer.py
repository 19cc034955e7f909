"""The dealer: every card from a key, nothing at the table that would tell it, and old games that go on with a seed."""

import base64
import gc
import json
import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.playing import random_game
from tests.service.table_helpers import play_randomly, settings_for, with_tables

from elcapitan.board.figures import packaged
from elcapitan.engine.rng import generator
from elcapitan.engine.state import STATE
from elcapitan.game.game import RULES_VERSION, Game
from elcapitan.game.history import Act, Deal, Reveal
from elcapitan.game.position_queries import position
from elcapitan.game.setup import Setup
from elcapitan.records import shuffles
from elcapitan.records.shuffles import any_key, dice, from_json
from elcapitan.service import HUMAN, Table, Tables
from elcapitan.service.dealer import KeyedDealer
from elcapitan.service.dealt_game import DealtGame, taken_over
from elcapitan.service.log import Back, LogEntry, read, written
from elcapitan.service.state import FORM, continued, replayed
from elcapitan.store.game_store import GameRow, LogRow, Snapshot

BOARD = packaged()
KEY = "0123456789abcdef" * 4
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
OLD = json.loads((Path(__file__).parent / "games_with_a_seed.json").read_text("utf-8"))


def begun(key: str = KEY, players: int = 3) -> DealtGame:
    course = DealtGame(Setup.of(players, [], 0), BOARD)
    course.begin(key)
    return course


# ------------------------------------------------------------------------------------------------ with a key


def test_every_card_comes_as_the_order_said() -> None:
    """The order that is worked out for the store is the one that comes, until a deck is made anew."""
    course, chosen = begun(players=5), random.Random(4)
    renewed = 0
    while not course.game.over:
        before, left = order_of(course.arranged), course.game.position.deck_left.tolist()
        came: dict[bool, list[int]] = {False: [], True: []}
        for event in course.act([chosen.choice(course.game.legal())]):
            if isinstance(event, Reveal):
                came[event.card >= 18].append(event.card)
        for kind, cards in came.items():
            renewed += len(cards) > left[kind]
            assert cards[: left[kind]] == before[kind][: len(cards)]
    assert renewed > 1, "decks were made anew from their discards"


def order_of(game: Game) -> list[list[int]]:
    """The cards that will come of each kind, in order."""
    deck, (destinations, links) = game.position.deck.tolist(), game.position.deck_left.tolist()
    return [deck[:destinations][::-1], deck[18 : 18 + links][::-1]]


def test_cards_that_were_seen_differ_from_key_to_key_and_are_all_as_likely() -> None:
    """From one position, which is the same to the last bit, any face-down card may come next."""
    played = random_game(3, seed=2, most=30)
    while played.stage != "start":
        played.play(played.legal()[0])
    courses = [taken_over(played.setup, BOARD, played.events, f"{number:064x}")[0] for number in range(150)]
    assert len({course.game.position.tobytes() for course in courses}) == 1
    tops = Counter(order_of(course.arranged)[1][0] for course in courses)
    possible = order_of(courses[0].arranged)[1]
    assert set(tops) <= set(possible) and len(tops) > 0.9 * len(possible)
    assert max(tops.values()) < 20


def test_a_live_game_holds_no_generator_that_knows_its_cards(tmp_path: Path) -> None:
    """What could be computed from open cards before: a game with a seed, or a generator beside the decks.

    Whatever the table keeps is searched, records and objects: there is no seed, every generator is untouched, and
    what the engine would draw by itself are not the cards that come.
    """

    async def look(tables: Tables) -> None:
        right = drawn = 0
        for _ in range(10):
            table = await tables.create(settings_for(HUMAN, HUMAN, HUMAN, seed=None))
            table = await play_randomly(tables, table, random.Random(5), 60)
            course = tables.in_memory[table.id].state.dealt
            assert isinstance(course.dealer, KeyedDealer) and list(vars(course.dealer)) == ["_key"]
            reached = list(everything_in(course))
            games = [each for each in reached if isinstance(each, Game)]
            assert games == [course.game] and course.game.seed is None
            for each in reached:
                if isinstance(each, bytes) and len(each) == STATE.itemsize:
                    assert without_seed(each)
            guess = course.game.copy()
            order = order_of(course.arranged)
            for kind, cards in enumerate(order_of(guess)):
                right += sum(one == other for one, other in zip(cards, order[kind], strict=True))
                drawn += len(cards)
        assert drawn > 150 and right < drawn / 4, "no better than by chance"

    with_tables(tmp_path / "games.db", look)


def without_seed(content: bytes) -> bool:
    """Whether the generator of a position is that of any game which is told its cards: its seed is nought."""
    rng = position(content)[0].rng
    return bool(np.array_equal(rng[:2], generator(0)[0].rng[:2]))


def everything_in(thing: Any) -> Iterator[Any]:
    """Whatever can be reached from an object, but for classes, modules and functions."""
    found, left = set(), [thing]
    while left:
        each = left.pop()
        if id(each) in found or isinstance(each, type) or callable(each) or each is BOARD:
            continue
        found.add(id(each))
        yield each
        left += gc.get_referents(each)


def test_the_dice_of_computer_players_come_from_the_key() -> None:
    course, twin, other = begun(), begun(), begun(any_key())
    assert [course.dice(number) for number in (1, 2)] == [dice(KEY, 1), dice(KEY, 2)]
    assert course.dice(1) == twin.dice(1) != course.dice(2)
    assert course.dice(1) != other.dice(1)


def test_a_deck_that_is_made_anew_in_another_way_comes_in_another_order() -> None:
    """After going back across the renewal of a deck, other discards tell nothing: they are shuffled anew."""
    course, chosen = begun(players=5), random.Random(4)
    while course.game.position.deck_left[0] > 2:
        course.act([chosen.choice(course.game.legal())])
    ways = set()
    for attempt in range(6):
        twin, dice_ = course.copy(), random.Random(attempt)
        while twin.game.position.deck_left[0] <= 2:
            twin.act([dice_.choice(twin.game.legal())])
        ways.add((twin.game.turned_up[0], tuple(order_of(twin.arranged)[0])))
    assert len(ways) > 1


def test_a_stored_game_comes_back_with_its_key(tmp_path: Path) -> None:
    async def begin(tables: Tables) -> tuple[Table, bytes]:
        table = await tables.create(settings_for(HUMAN, HUMAN, seed=None))
        table = await play_randomly(tables, table, random.Random(1), 30)
        return table, tables.in_memory[table.id].state.dealt.secret

    before, secret = with_tables(tmp_path / "games.db", begin)

    async def go_on(tables: Tables) -> None:
        table = await tables.get(before.id)
        course = tables.in_memory[table.id].state.dealt
        assert course.problem is None and course.secret == secret
        table = await play_randomly(tables, table, random.Random(2), 60)
        table = await tables.end(table.id)
        exported = json.loads(tables.export(table, "json"))["shuffles"]
        assert shuffles.check(table.game, from_json(exported, len(table.game.events))).fair

    with_tables(tmp_path / "games.db", go_on)


# ------------------------------------------------------------------------------------------------ with a seed


def entries_of(old: dict[str, Any], number: int, end: int) -> list[LogRow]:
    """Entries of an old log."""
    log = old["log"]
    return [LogRow(each + 1, log[each][0], log[each][1], NOON) for each in range(number, end)]


def row_of(old: dict[str, Any]) -> GameRow:
    return GameRow(
        id="old",
        created=NOON,
        changed=NOON,
        rules=RULES_VERSION,
        board=BOARD.name,
        setup=old["setup"],
        plan={"seats": [{}] * old["setup"]["players"]},
        length=old["stopped"],
        over=False,
        standing={},
    )


@pytest.mark.parametrize("old", OLD.values(), ids=list(OLD))
def test_a_game_that_was_begun_before_there_were_keys_goes_on_with_its_cards(old: dict[str, Any]) -> None:
    """Its log was written by a program that knew only seeds, and so was what follows: the same must come."""
    stopped, log = old["stopped"], old["log"]
    snapshot = Snapshot(stopped, old["form"], base64.b85decode(old["position"]))
    state = replayed(row_of(old), entries_of(old, 0, stopped), snapshot, BOARD)
    course = state.dealt
    assert course.problem is None and state.number == stopped
    assert old["form"] != FORM or course.secret == snapshot.position
    assert course.dice(stopped) == old["dice"]
    followed = continued(state, entries_of(old, stopped, len(log)))
    assert followed and followed.dealt.game.over
    went_on: list[LogEntry] = []
    while stopped + len(went_on) < len(log):
        kind, content = log[stopped + len(went_on)]
        match read(kind, content, BOARD):
            case Act(_, numbers):
                went_on += course.act(numbers)
            case Back(seat, at):
                went_on += course.back(seat, at)
            case other:
                raise AssertionError(other)
    assert [list(written(each, BOARD)) for each in went_on] == log[stopped:]
    assert course.game.over and course.secret == followed.dealt.secret
    promises = from_json(old["record"], course.event_count)
    assert course.told_promises(over=True) == promises
    finding = shuffles.check(course.game, promises)
    assert finding.verdict == (shuffles.PARTLY if promises[0].at else shuffles.FAIR)


def test_a_seed_that_was_chosen_keeps_its_cards(tmp_path: Path) -> None:
    async def look(tables: Tables) -> Table:
        return await tables.create(settings_for(HUMAN, HUMAN, HUMAN, seed=99, first=None))

    table, alone = with_tables(tmp_path / "games.db", look), Game.new(3, seed=99)
    assert table.game.events == alone.events and table.game.setup == alone.setup
    assert isinstance(table.game.events[0], Deal) and table.promises[0].scheme == ""


def test_an_unknown_scheme_is_only_looked_at() -> None:
    old = OLD["begun"]
    entry = LogRow(1, "shuffle", {"scheme": "of tomorrow", "key": KEY, "salt": "0f" * 16}, NOON)
    state = replayed(row_of(old), [entry], None, BOARD)
    assert state.dealt.problem is not None and state.number == 0 and not state.table_events
