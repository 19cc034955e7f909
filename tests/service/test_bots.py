"""Computer players: asked elsewhere, shown only what a seat may see, refused when late, and never a reason to stop."""

import asyncio
import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.service import pool_questions
from tests.service.table_helpers import following, give_budget, play_randomly, settings_for, until, waits, with_tables

from elcapitan.errors import BadBot, BadSetup, NoSuchGame, NotYourTurn, StaleVersion
from elcapitan.game.game import Game
from elcapitan.game.history import Act, action_groups
from elcapitan.game.position_queries import position, without_secrets
from elcapitan.service import HUMAN, PACES, Seat, Table, Tables, TableSettings, TimeControl, bot_pool, open_table
from elcapitan.service import bots as service_bots
from elcapitan.service.bot_pool import BotPool, NoAnswer
from elcapitan.service.bot_worker import HintQuestion, TurnQuestion, advise, decide, here

pytestmark = pytest.mark.compiled


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def over(table: Table) -> bool:
    return table.game.over


# ------------------------------------------------------------------------------------------- what runs elsewhere


def question(game: Game, player: str, seed: int = 1) -> TurnQuestion:
    assert game.seat is not None
    return TurnQuestion(player, game.view_for(game.seat).tobytes(), seed)


@pytest.mark.parametrize("player", ["wanderer", "trader", "captain", "helmsman:strength=30", "navigator:sims=30"])
def test_a_whole_turn_is_decided_at_once(player: str) -> None:
    game = Game.new(3, ["Islas Canarias"], seed=5)
    for number in range(40):
        seat, turn = game.seat, game.round
        actions = decide(question(game, player, number))
        assert actions == decide(question(game, player, number)), "the same dice, the same turn"
        for action in actions:
            assert (game.seat, game.round) == (seat, turn)
            game.play(action)
        if game.over:
            break
        assert game.seat != seat or game.stage in ("start", "settling", "naming")


def test_advice_of_any_level() -> None:
    game = Game.new(3, seed=5)
    for level in (None, "champion", "admiral", "captain", "wanderer"):
        advice = advise(HintQuestion(game.setup, tuple(game.events), level, 1))
        assert 1 <= len(advice) <= 3
        for suggestion in advice:
            trial = game.copy()
            trial.play_all(suggestion.actions)
            assert action_groups(suggestion.actions) == [suggestion.actions]
            assert (suggestion.win is not None) == (level not in ("captain", "wanderer"))


# ------------------------------------------------------------------------------------------------------- at a table


def test_computer_players_play_to_the_end(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("wanderer", "trader", "captain", "navigator"))
        assert table.thinking
        ended = await until(tables, table.id, over)
        assert not ended.thinking and ended.game.over
        again = await tables.writer.load(table.id)
        assert again.state.dealt.problem is None and again.state.dealt.game.events == ended.game.events

    with_tables(file, look)


def test_people_and_computer_players_together(file: Path, inside: list[object]) -> None:
    async def look(tables: Tables) -> None:
        table = await play_randomly(
            tables, await tables.create(settings_for(HUMAN, "captain", HUMAN)), random.Random(1)
        )
        assert table.game.over
        assert {event.seat for event in table.game.events if isinstance(event, Act)} == {0, 1, 2}

    with_tables(file, look)


def test_they_go_on_after_a_restart(file: Path, inside: list[object]) -> None:
    async def begin(tables: Tables) -> str:
        table = await tables.create(settings_for("captain", "captain", HUMAN))
        assert table.thinking and table.number == 2
        return table.id

    game = with_tables(file, begin, bots=False)

    async def go_on(tables: Tables) -> None:
        table = await asyncio.wait_for(_stored(tables, game), 60)
        assert table.deciding == 2 and table.number > 2

    async def _stored(tables: Tables, game: str) -> Table:
        """Wait without looking at the table, which would wake them as well."""
        while True:
            (summary,) = await tables.summaries()
            if summary.waits_for_people:
                return await tables.get(game)
            await asyncio.sleep(0.05)

    with_tables(file, go_on)


def asked(monkeypatch: pytest.MonkeyPatch, answer: Callable[[BotPool, Any, Any], Any]) -> None:
    """Let all questions be answered by a test."""
    monkeypatch.setattr(BotPool, "ask", answer)


def test_they_see_what_their_seat_may_see(file: Path, inside: list[object]) -> None:
    async def look(tables: Tables) -> None:
        new = [await tables.create(settings_for("captain", "wanderer", seed=seed)) for seed in (1, 2)]
        for table in new:
            await until(tables, table.id, over)

    with_tables(file, look)
    questions = [each for each in inside if isinstance(each, TurnQuestion)]
    assert len(questions) > 50
    for each in questions:
        view = position(each.view)
        assert without_secrets(view).tobytes() == each.view, "sorted decks and no source of chance"
        assert each.seed not in (1, 2)


def test_a_late_answer_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person takes the seat over and moves while the computer player is still thinking."""
    thinking, done = asyncio.Event(), asyncio.Event()

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        if isinstance(asking, TurnQuestion):
            thinking.set()
            await done.wait()
        return answer(asking)

    asked(monkeypatch, ask)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", HUMAN))
        await thinking.wait()
        table = await tables.change(table.id, players=[HUMAN, HUMAN])
        assert not table.thinking
        table = await tables.act(table.id, table.number, [table.game.legal()[-1]], [0])
        mine = table.game.events
        table = await tables.change(table.id, players=["captain", HUMAN])
        thinking.clear()
        done.set()
        await thinking.wait()
        table = await until(tables, table.id, lambda table: table.deciding == 1)
        assert table.game.events[: len(mine)] == mine, "the old answer was for another position"

    with_tables(file, look)


def test_no_answer_for_a_game_thrown_away(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, done = asyncio.Event(), asyncio.Event()

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        thinking.set()
        await done.wait()
        return answer(asking)

    asked(monkeypatch, ask)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", HUMAN))
        await thinking.wait()
        await tables.delete(table.id)
        done.set()
        await asyncio.sleep(0.05)
        with pytest.raises(NoSuchGame):
            await tables.get(table.id)

    with_tables(file, look)


def turns(table: Table) -> int:
    """How many turns were begun."""
    seats = [event.seat for event in table.game.events if isinstance(event, Act)]
    return len(list(itertools.groupby(seats)))


def test_the_pace_of_the_table(file: Path, inside: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACES, "slow", 30.0)
    monkeypatch.setitem(PACES, "fast", 0.1)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain", pace="fast"))
        begun = time.monotonic()
        table = await until(tables, table.id, lambda table: turns(table) >= 6)
        assert time.monotonic() - begun >= 0.1 * turns(table)
        table = await tables.change(table.id, pace="slow")
        await asyncio.sleep(0.3)
        assert turns(await tables.get(table.id)) <= turns(table) + 1
        table = await tables.change(table.id, pace="instant")
        assert (await until(tables, table.id, over, 20)).game.over, "who waits is woken by another pace"

    with_tables(file, look)


def test_each_turn_is_one_change_of_the_table(file: Path, inside: list[object]) -> None:
    """So a page gets it as a whole, and shows one turn after another."""

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain", "captain", pace="fast"))
        seen = [turns(table)]
        async with following(tables, table.id) as versions:
            async for _version in versions:
                table = await tables.get(table.id)
                assert table.undoable == 0, "no turn is seen half done"
                seen.append(turns(table))
                if seen[-1] > 9:
                    break
        assert sorted(set(seen)) == list(range(seen[-1] + 1))

    with_tables(file, look)


async def after_my_turn(tables: Tables, table: Table) -> Table:
    """A person has ended their turn."""
    dice = random.Random(3)
    while waits(table):
        table = await tables.act(table.id, table.number, [dice.choice(table.game.legal())])
    return table


def test_they_play_ahead_of_what_the_page_of_a_person_shows(
    file: Path, inside: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page keeps the pace, so nobody waits here; but with a clock a person's time would run meanwhile."""
    monkeypatch.setitem(PACES, "slow", 600.0)

    async def look(tables: Tables) -> None:
        captains = ("captain", "captain", "captain")
        table = await after_my_turn(tables, await tables.create(settings_for(HUMAN, *captains, pace="slow")))
        begun = time.monotonic()
        assert waits(await until(tables, table.id, waits))
        assert time.monotonic() - begun >= 2 * open_table.AHEAD, "each turn reaches those who look on"
        clock = TimeControl("turn", 600)
        held = await after_my_turn(
            tables, await tables.create(settings_for(HUMAN, *captains, pace="slow", clock=clock))
        )
        await asyncio.sleep(3 * open_table.AHEAD)
        assert (await tables.get(held.id)).number == held.number

    with_tables(file, look)


USUAL_PACE = TableSettings(()).pace
MOST_WAITING = 60.0  # seconds of a whole game


def test_waiting_for_three_captains_takes_less_than_a_minute_of_a_game(file: Path, inside: list[object]) -> None:
    """All that a person waits for them at the usual pace, paydays not counted; thinking takes them no time to speak of.

    A turn comes when it is due at the table. A page shows it at once, but each for as long as the pace says.
    """

    async def between_turns(tables: Tables) -> float:
        table = await tables.create(settings_for(HUMAN, "captain", "captain", "captain", pace=USUAL_PACE))
        return tables.in_memory[table.id].between_turns

    gap, shown = with_tables(file, between_turns), PACES[USUAL_PACE]
    assert shown >= 0.5, "there is time to see each"
    for seed in (1, 2, 3):
        game, waited, actions = Game.new(4, seed=seed), 0.0, 0
        due, seen = 0.0, -shown  # when the last turn came and when it was shown, since the person's turn
        while not game.over:
            if game.seat == 0:
                waited, due, seen = waited + max(seen, 0.0), 0.0, -shown
            else:
                due += gap
                seen = max(due, seen + shown)
            answer = decide(question(game, "captain", seed + len(game.events)))
            actions += len(answer) if game.seat else 0
            game.play_all(answer)
        assert actions > 200 and 20 < waited < MOST_WAITING


def test_after_a_payday_there_is_more_time(file: Path, inside: list[object]) -> None:
    waited: list[tuple[bool, float]] = []

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("wanderer", "wanderer"))
        table = await until(tables, table.id, over)
        await tables.change(table.id, pace="fast")
        loaded = await tables.writer.load(table.id)
        for payday in (False, True):
            loaded.payday, loaded.moved_at = payday, time.monotonic()
            begun = time.monotonic()
            await loaded.pause()
            waited.append((payday, time.monotonic() - begun))

    with_tables(file, look)
    assert 0.2 < waited[0][1] < 0.6 < waited[1][1] < 1.5


def test_hints(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for(HUMAN, "captain"))
        advice = await tables.hint(table.id, table.number)
        assert advice and advice[0].actions[0] in table.game.legal() and advice[0].money is not None
        assert (await tables.hint(table.id, table.number, "captain"))[0].actions[0] in table.game.legal()
        with pytest.raises(StaleVersion):
            await tables.hint(table.id, table.number - 1)
        with pytest.raises(BadBot):
            await tables.hint(table.id, table.number, "bosun")
        asking = asyncio.create_task(tables.hint(table.id, table.number, "admiral"))  # thinks longer than a move takes
        await asyncio.sleep(0)
        await tables.act(table.id, table.number, [table.game.legal()[0]])
        with pytest.raises(StaleVersion):
            await asking
        table = await tables.change(table.id, hints=False)
        with pytest.raises(BadSetup, match="no hints"):
            await tables.hint(table.id, table.number)

    with_tables(file, look)


# --------------------------------------------------------------------------------------------------- what goes wrong


def test_a_game_goes_on_when_its_process_is_killed(file: Path) -> None:
    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain", "navigator"))
        table = await until(tables, table.id, lambda table: table.number > 20)
        os.kill(await tables.bots.processes.ask(here, None), signal.SIGKILL)
        assert (await until(tables, table.id, over)).game.over

    with_tables(file, look)


def test_if_no_process_answers_a_quick_level_plays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never the dice: the same level where it needs no search, else the one that stands in for people."""
    answering = True

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        if answering:
            return answer(asking)
        raise NoAnswer

    asked(monkeypatch, ask)

    async def look(tables: Tables) -> None:
        nonlocal answering
        games = []
        for players in (["captain", "trader"], ["captain", "trader"], ["admiral", "trader"]):
            table = await tables.create(settings_for(*players))
            games.append((await until(tables, table.id, over)).game.events)
            answering = False
        assert games[0] == games[1] == games[2]
        table = await tables.create(settings_for(HUMAN, "captain"))
        with pytest.raises(BadSetup, match="do not answer"):
            await tables.hint(table.id, table.number)

    with_tables(file, look)


def test_an_answer_that_is_not_legal_does_no_harm(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_bots, "AFTER_TROUBLE", 0.01)
    answers = 0

    async def ask(_self: BotPool, answer: Callable[[Any], Any], asking: Any, _priority: int = 0) -> Any:
        nonlocal answers
        answers += 1
        return [99_999] if answers % 2 and isinstance(asking, TurnQuestion) else answer(asking)

    asked(monkeypatch, ask)

    async def look(tables: Tables) -> None:
        table = await tables.create(settings_for("captain", "captain"))
        assert (await until(tables, table.id, over)).game.over

    with_tables(file, look)


def test_who_thinks_for_long_does_not_hold_up_the_end(file: Path) -> None:
    with_tables(file, lambda tables: tables.create(settings_for("admiral", HUMAN)), bots=False)
    give_budget(file, "admiral", "ms=600000")

    async def run() -> list[int]:
        async with Tables.open(file, workers=2) as tables:
            (game,) = await tables.summaries()
            workers = tables.bots.processes
            ids = [await workers.ask(here, None)]
            asking = asyncio.create_task(workers.ask(pool_questions.sleep, None))
            await asyncio.sleep(0.3)
            assert (await tables.get(game.id)).thinking
            begun = time.monotonic()
        assert time.monotonic() - begun < 5
        with pytest.raises(NoAnswer):
            await asking
        return ids

    for process in asyncio.run(run()):
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize("how", ["end", "delete", "change"])
def test_questions_of_a_game_that_is_gone_are_cancelled(file: Path, how: str) -> None:
    """The only process thinks for ten minutes, and is free for others as soon as nobody waits for it."""
    with_tables(file, lambda tables: tables.create(settings_for("admiral", HUMAN)), bots=False)
    give_budget(file, "admiral", "ms=600000")

    async def look(tables: Tables) -> None:
        (game,) = await tables.summaries()
        workers = tables.bots.processes
        while not workers.processes:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        if how == "change":
            await tables.change(game.id, players=[HUMAN, HUMAN])
        else:
            await getattr(tables, how)(game.id)
        await workers.ask(here, None)
        assert time.monotonic() - begun < bot_pool.DEADLINE / 2

    with_tables(file, look)


def test_a_budget_ends_with_the_deadline(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old game with a large budget goes on, by the best plan found within the time that a table waits."""
    monkeypatch.setattr(bot_pool, "DEADLINE", 0.2)
    with_tables(file, lambda tables: tables.create(settings_for("admiral", HUMAN)), bots=False)
    give_budget(file, "admiral", "ms=600000")

    async def look(tables: Tables) -> None:
        (game,) = await tables.summaries()
        table = await until(tables, game.id, waits)
        assert table.deciding == 1 and table.settings.seats[0].player == "admiral:ms=600000"
        assert tables.bots.processes.processes == 1

    with_tables(file, look)


def test_the_loop_is_free_while_they_think(file: Path) -> None:
    """While several searches run, the event loop is never held up for long."""

    async def look(tables: Tables) -> float:
        table = await tables.create(settings_for("navigator", "navigator"))
        longest = 0.0
        for _ in range(300):
            begun = time.perf_counter()
            await asyncio.sleep(0.002)
            longest = max(longest, time.perf_counter() - begun)
        assert (await tables.get(table.id)).number > 2 or longest < 1
        return longest

    assert with_tables(file, look, workers=2) < 0.5, "0.02 s on a quiet machine"


def test_seats_that_are_taken_over(file: Path, inside: list[object]) -> None:
    """A person leaves, a computer player goes on, and the person comes back."""

    async def look(tables: Tables) -> None:
        table = await tables.create(
            TableSettings((Seat(HUMAN, "A", 0), Seat(HUMAN, "B", 1)), first=0, pace="instant", seed=4)
        )
        table = await tables.change(table.id, players=["captain", HUMAN])
        table = await until(tables, table.id, waits)
        assert table.deciding == 1 and len(table.game.events) > 1
        with pytest.raises(NotYourTurn):
            await tables.act(table.id, table.number, [table.game.legal()[0]], [0])
        table = await tables.change(table.id, players=[HUMAN, HUMAN])
        assert table.human(0)

    with_tables(file, look)
