"""Databases that earlier versions wrote open, show every game as it was, and let everybody play on.

`sqlite` and `postgresql` are of the version before the modules were merged and renamed, `sqlite-0003` is of one whose
cards all came from seeds, and `sqlite-0002` of one without keys. `make.py` made them and wrote down what was seen.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from tests.cli.running import run
from tests.stored.server import FOLDER, Json, Server, good, serving, steady, unpacked

pytestmark = pytest.mark.compiled
LONGEST = 150  # seconds for any test, however busy the machine is
ALL = ("sqlite", "postgresql", "sqlite-0003", "sqlite-0002")
NEWEST = ("sqlite", "postgresql")
WITH_KEYS = (*NEWEST, "sqlite-0003")
PERSONS = ("human", "friend")


@dataclass(frozen=True)
class Stored:
    """A copy of a stored database, and what is known of its games."""

    database: str | Path
    games: list[Json]

    def serve(self, work: Callable[[Server], Awaitable[None]], *, bots: bool = False) -> None:
        """Open the database and do something with the server."""

        async def opened() -> None:
            async with asyncio.timeout(LONGEST), serving(self.database, bots=bots) as server:
                await work(server)

        asyncio.run(opened())

    def named(self, name: str) -> Json:
        """One game."""
        (found,) = [each for each in self.games if each["name"] == name]
        return found

    @property
    def played(self) -> list[Json]:
        """The games in which a person is to move."""
        return [each for each in self.games if _person_moves(each["seen"]["state"])]


@pytest.fixture
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stored]:
    """A copy of the stored database that a test is about."""
    name: str = request.param
    postgres = request.getfixturevalue("postgres") if name.startswith("postgresql") else None
    (packed,) = FOLDER.glob(f"{name}.*.gz")
    database = unpacked(packed, tmp_path, postgres)
    games = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    for game in games:  # a table option that came later and is off wherever it was not known
        game["seen"]["state"]["setup"]["options"] |= {"pirate_before_loan": False}
    yield Stored(database, games)
    if postgres:
        postgres.drop(database)


def of(*names: str) -> pytest.MarkDecorator:
    """Some of the stored databases."""
    return pytest.mark.parametrize("stored", names, indirect=True)


def _person_moves(state: Json) -> bool:
    seat = None if state["ended"] else state["deciding"]
    return seat is not None and not state["seats"][seat]["stand_in"] and state["seats"][seat]["player"] in PERSONS


async def _host(server: Server, game: Json) -> str:
    """The host's key, which games of the first versions do not have."""
    if not game["host"]:
        game["host"] = await server.tables.keys.link(game["game"], "host")
    return str(game["host"])


async def _mover(server: Server, game: Json, state: Json) -> str:
    """The key of whoever is to move: of a friend their own, of those at the host's screen the host's."""
    return game["seats"].get(str(state["deciding"])) or await _host(server, game)


# ---------------------------------------------------------------------------------------------------------- looking


@of(*ALL)
def test_every_game_is_seen_as_before(stored: Stored) -> None:
    async def look(server: Server) -> None:
        for game in stored.games:
            assert await server.seen(game["game"], await _host(server, game)) == game["seen"], game["name"]
        summaries = await server.tables.summaries()
        assert {each.id for each in summaries} == {game["game"] for game in stored.games}

    async def look_again(server: Server) -> None:
        for game in stored.games:
            state = await server.state(game["game"], await _host(server, game))
            assert steady(state) == game["seen"]["state"], game["name"]

    stored.serve(look)
    stored.serve(look_again)  # looking has changed nothing


@of(*NEWEST)
def test_time_that_runs_is_what_is_left_of_it(stored: Stored) -> None:
    async def look(server: Server) -> None:
        kinds = set()
        for game in stored.games:
            clocks = (await server.state(game["game"], game["watch"] or game["host"]))["clocks"]
            if clocks and clocks["running"] is not None:
                kinds.add(clocks["kind"])
                until = datetime.fromisoformat(clocks["due"]) - datetime.fromisoformat(clocks["at"])
                assert 0 < clocks["left"][clocks["running"]] == pytest.approx(until.total_seconds(), abs=0.1)
        assert kinds == {"turn", "bank"}

    stored.serve(look)


@of("sqlite-0002")
def test_an_older_file_is_kept_as_it_was(stored: Stored) -> None:
    async def look(_server: Server) -> None:
        assert isinstance(stored.database, Path)
        (copy,) = stored.database.parent.glob(f"{stored.database.stem}-before-*{stored.database.suffix}")
        assert copy.stat().st_size > 0

    stored.serve(look)


# ------------------------------------------------------------------------------------------------------------- keys


@of(*WITH_KEYS)
def test_keys_and_phrases_open_what_they_opened(stored: Stored) -> None:
    async def come(server: Server) -> None:
        for game in stored.games:
            roles = {"host": game["host"], "watch": game["watch"]}
            roles |= {f"seat-{seat}": key for seat, key in game["seats"].items()}
            for role, key in roles.items():
                if key:
                    opened = await server.post("/join", key=key)
                    assert (opened["game"], opened["role"], opened["key"]) == (game["game"], role, key)
            if game["phrase"]:
                opened = await server.post("/join", phrase=game["phrase"].upper())
                assert (opened["game"], opened["role"]) == (game["game"], "seat-0")
                assert (await server.state(game["game"], opened["key"]))["you"]["seats"] == [0]
            if game["dropped"]:
                assert (await server.get(f"/games/{game['game']}", game["dropped"])).status_code == 401

    stored.serve(come)


@of(*WITH_KEYS)
def test_a_seat_that_is_free_is_taken_by_whoever_joins(stored: Stored) -> None:
    async def join(server: Server) -> None:
        game = stored.named("a player was removed")
        key = game["seats"]["1"]
        assert game["seen"]["state"]["seats"][1]["stand_in"] == "captain"
        await server.post("/join", key=key)
        state = await server.state(game["game"], key)
        assert state["seats"][1]["stand_in"] == "" and state["you"]["seats"] == [1]

    stored.serve(join)


# ---------------------------------------------------------------------------------------------------------- playing


@of(*ALL)
def test_what_was_taken_back_is_done_again(stored: Stored) -> None:
    async def redo(server: Server) -> None:
        game = stored.named("in the middle of a turn")
        before = await server.state(game["game"], await _host(server, game))
        key = await _mover(server, game, before)
        assert before["undoable"] and before["redoable"]
        path = f"/games/{game['game']}"
        done = await server.post(f"{path}/redo", key, number=before["number"], count=before["redoable"])
        assert done["position"] != before["position"] and done["redoable"] == 0
        back = await server.post(f"{path}/undo", key, number=done["number"], count=before["redoable"])
        assert back["position"] == before["position"] and back["redoable"] == before["redoable"]
        start = await server.post(f"{path}/undo", key, number=back["number"], count=before["undoable"])
        assert start["undoable"] == 0 and start["events"] == before["events"] - before["undoable"]

    stored.serve(redo)


@of(*ALL)
def test_unfinished_games_go_on(stored: Stored) -> None:
    after: dict[str, Json] = {}

    async def play(server: Server) -> None:
        dice = random.Random(1)
        for game in stored.played:
            host = await _host(server, game)
            state = await server.state(game["game"], host)
            for step in range(15):
                if not _person_moves(state):
                    break
                key = await _mover(server, game, state)
                legal = await server.legal(game["game"], key)
                chosen = legal[0] if step == 0 else dice.choice(legal)
                form = ("action", "text", "typed")[step % 3]
                acted = await server.act(state, key, chosen[form])
                assert acted["number"] > state["number"] and acted["wish"] is None
                if step == 0 and acted["undoable"]:
                    back = await server.post(f"/games/{game['game']}/undo", key, number=acted["number"])
                    assert back["position"] == state["position"] and back["events"] == state["events"]
                    assert await server.legal(game["game"], key) == legal
                    acted = await server.post(f"/games/{game['game']}/redo", key, number=back["number"])
                state = acted
            assert state["events"] > game["seen"]["state"]["events"]
            after[game["name"]] = steady(await server.state(game["game"], host))

    async def look(server: Server) -> None:
        for game in stored.played:
            again = steady(await server.state(game["game"], await _host(server, game)))
            assert again == after[game["name"]], game["name"]

    stored.serve(play)
    stored.serve(look)
    assert len(after) >= 3


@of(*WITH_KEYS)
@pytest.mark.parametrize("yes", [True, False])
def test_an_open_wish_is_answered(stored: Stored, *, yes: bool) -> None:
    async def answer(server: Server) -> None:
        game = stored.named("a wish is open")
        state = await server.state(game["game"], game["host"])
        wish, events = state["wish"], state["events"]
        assert wish["agreed"] and len(wish["waiting"]) >= 2
        for seat in wish["waiting"]:
            if state["wish"]:
                path, key = f"/games/{game['game']}/wish/answer", game["seats"][str(seat)]
                state = await server.post(path, key, number=state["number"], yes=yes)
        assert state["wish"] is None and state["events"] == (wish["at"] if yes else events)

    stored.serve(answer)


@of(*ALL)
def test_what_nobody_can_play_any_more_is_refused(stored: Stored) -> None:
    async def refuse(server: Server) -> None:
        over = [game for game in stored.games if game["seen"]["state"]["ended"] or game["seen"]["state"]["result"]]
        for game in over:
            key = game["seats"].get("0") or await _host(server, game)
            number = game["seen"]["state"]["number"]
            answer = await server.try_post(f"/games/{game['game']}/actions", key, number=number, actions=[0])
            code = answer.json()["error"]["code"]
            assert code == ("game-ended" if game["seen"]["state"]["ended"] else "game-over")
        assert over

    stored.serve(refuse)


@of(*ALL)
def test_computer_players_go_on(stored: Stored) -> None:
    names = ("whoever stands in is to move", "a computer player begins", "a computer player with a budget begins")

    async def wait(server: Server) -> None:
        waiting = [game for game in stored.games if game["name"] in names]
        for game in waiting:
            key, events = await _host(server, game), game["seen"]["state"]["events"]
            while (await server.state(game["game"], key))["events"] <= events:
                await asyncio.sleep(0.05)
        assert waiting

    stored.serve(wait, bots=True)


# ---------------------------------------------------------------------------------------------------------- records


@of(*ALL)
def test_the_shuffle_of_a_finished_game_is_proved(stored: Stored, tmp_path: Path) -> None:
    """Cards of the first versions came from a seed without a salt, so nothing was promised and nothing is proved."""
    checked: dict[Path, str] = {}

    async def export(server: Server) -> None:
        for game in stored.games:
            if game["name"].startswith("finished") and game["name"] != "finished, imported":
                answer = await server.get(f"/games/{game['game']}/export/json", await _host(server, game))
                assert good(answer)["events"]
                file = tmp_path / f"{game['game']}.json"
                file.write_bytes(answer.content)
                checked[file] = game["seen"]["state"]["commitment"]

    stored.serve(export)
    for file, commitment in checked.items():
        promised = ["--commitment", commitment] if commitment else []
        done = run("verify", file, *promised)
        assert done.exit_code == (0 if commitment else 1), done.output
    assert checked
