"""The states of a table that are drawn and measured, and what a server would answer to their pages.

Each state is a game at some moment and somebody who sees it; a page is drawn in this process, without a server.
"""

import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.browser.positions import TILES, big_hand, game_where
from tests.playing import random_game

from elcapitan.engine import play
from elcapitan.engine.actions import family
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.errors import CannotUndo
from elcapitan.game.game import Act, Game
from elcapitan.game.setup import Setup
from elcapitan.players.seats import Suggestion
from elcapitan.position.routes import ways_to
from elcapitan.service import FRIEND, Rights, Seat, Table, TableSettings
from elcapitan.store.game_store import ChatLine
from elcapitan.web import render
from elcapitan.web.pages.rules import find_rule
from elcapitan.web.view.help_topics import ROOM as ROOM_TOPICS
from elcapitan.web.view.help_topics import page_topics
from elcapitan.web.view.plans import planned_table
from elcapitan.web.view.table_view import TableView, planning_view, table_at_payday, table_view
from elcapitan.web.view.waiting import room_view
from elcapitan.web.viewer import Viewer

NAMES: Final = ("Inês", "Marco", "Leyla", "Youssef", "Despina")
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
TILED: Final = 12  # cities, with all tiles of the expansion
PAYDAY: Final = 2  # the one that is told
SEEDS: Final = 200
LONG_WAY: Final = 2  # legs

TURN, STAGED, SETTLE, STAGE, END, OTHERS, ROOM = "turn", "staged", "settling", "payday", "end", "others", "room"
SEAT, WATCHING, REPLAY, PLANNING = "seat", "watching", "replay", "planning"
# Who sees it, and how, in each state. Nobody else sees what is staged.
SEEN: Final = {
    TURN: (SEAT, WATCHING),
    STAGED: (SEAT,),
    SETTLE: (SEAT, WATCHING),
    STAGE: (SEAT, WATCHING),
    END: (SEAT, WATCHING, REPLAY),
    OTHERS: (SEAT, WATCHING, REPLAY, PLANNING),
    ROOM: (SEAT, WATCHING),
}
# Cards in the hand of whoever decides; 0 stands for any number where it makes no difference.
HANDS: Final = {TURN: (0, 9), STAGED: (7,)}


@dataclass(frozen=True, order=True)
class Scene:
    """What a page shows, in one language."""

    state: str
    seen: str
    cities: int
    players: int
    hand: int
    language: str

    @property
    def id(self) -> str:
        """The id of the game: of its own, because a browser remembers what it has seen of a game."""
        return f"{self.state}-{self.seen}-{self.cities}-{self.players}-{self.hand}-{self.language}"

    @classmethod
    def of(cls, name: str) -> "Scene":
        """Read the id of a game."""
        state, seen, cities, players, hand, language = name.split("-")
        return cls(state, seen, int(cities), int(players), int(hand), language)


# ---------------------------------------------------------------------------------------------------------- positions


def _somebody_decides(game: Game) -> bool:
    """Whether it is the second day, and somebody with an empty hand is to move."""
    return game.phase == PAYDAY and game.round > PAYDAY and game.seat is not None and not _hand(game)


def _hand(game: Game) -> int:
    return int(game.position.hand[game.seat or 0])


def _can_borrow(game: Game) -> bool:
    return any(family(each) == "loan" for each in game.legal())


def _settles(game: Game) -> bool:
    return game.seat is not None and int(game.position.stage) == SETTLING


def _loan_with(cards: int, players: int, tiles: tuple[str, ...], seed: int) -> Game:
    """A game in which whoever has so many cards can take a loan: a hand is filled first, then played from."""
    game = big_hand(players, tiles, seed, cards)
    dice, desks = generator(seed), play.desks()
    while not game.over:
        if game.seat is not None and _hand(game).bit_count() == cards and _can_borrow(game):
            return game
        buys = [each for each in game.legal() if family(each) == "buy"] if _hand(game).bit_count() < cards else []
        choice = play.choose(game.view_for(0), 0, game.figures.boards, desks, 0, dice, LIGHT)
        game.play(buys[0] if buys else choice)
    raise AssertionError("nobody borrows with such a hand")


@functools.cache
def game_for(state: str, cities: int, players: int, hand: int) -> Game:
    """A game at the moment of a state."""
    tiles = TILES if cities == TILED else ()
    make: dict[str, Callable[[int], Game]] = {
        TURN: lambda seed: big_hand(players, tiles, seed, hand),
        STAGED: lambda seed: _loan_with(hand, players, tiles, seed),
        SETTLE: lambda seed: game_where(_settles, players, tiles, seed),
        STAGE: lambda seed: random_game(players, tiles, seed),
        END: lambda seed: random_game(players, tiles, seed),
        ROOM: lambda _seed: Game.from_setup(Setup.of(players, tiles, 0, None), None),
    }
    for seed in range(1, SEEDS):
        try:
            if (state in HANDS and not hand) or state not in make:
                return game_where(_somebody_decides, players, tiles, seed)
            return make[state](seed)
        except AssertionError:
            continue
    raise AssertionError((state, cities, players, hand))


def _running(game: Game) -> tuple[int, ...]:
    """The actions of the running turn."""
    begun = game.copy()
    try:
        begun.undo_turn()
    except CannotUndo:  # nothing was done yet
        return ()
    played = game.events[begun.event_count :]
    return tuple(number for event in played if isinstance(event, Act) for number in event.numbers)


def _next_turn(game: Game, seat: int) -> tuple[int, ...]:
    """A next turn for a seat: the longest of the cheapest ways to a city, and a build there."""
    ahead = game.in_turn_of(seat)
    if ahead is None:
        return ()
    ways = [way for city in range(9) for way in ways_to(ahead, city)]
    turns = [(*way.actions, way.builds[0].action) for way in ways if way.builds and len(way.legs) >= LONG_WAY]
    return max(turns, key=len, default=())


# ------------------------------------------------------------------------------------------------------------- tables


@functools.cache
def table_for(scene: Scene) -> Table:
    """The table of a scene."""
    game = game_for(scene.state, scene.cities, scene.players, scene.hand)
    friends = scene.state in (OTHERS, ROOM)
    seats = tuple(
        Seat(
            FRIEND if friends and seat else "human",
            NAMES[seat],
            seat,
            ready=seat == 1,
            free=seat > PAYDAY and not game.dealt,
        )
        for seat in range(scene.players)
    )
    lines = ((0, "Bom vento!"), (1, "Und allzeit eine Handbreit Wasser unter dem Kiel, ihr drei."), (0, "Merci !"))
    chat = tuple(ChatLine(number, EPOCH + timedelta(minutes=number), *line) for number, line in enumerate(lines))
    more: dict[str, Any] = {"chat": chat if friends else (), "present": frozenset(range(scene.players - 1))}
    if scene.state == TURN and scene.hand:
        more["turn"] = _running(game)
    if scene.state == STAGED:
        more["held_action"] = next(each for each in game.legal() if family(each) == "loan")
    if scene.state == OTHERS and game.seat is not None:
        more["present"] = frozenset(range(scene.players))
        mine = _mine(scene, game)
        more["prepared"] = {mine: _next_turn(game, mine)}
    settings = TableSettings(seats)
    return Table(
        scene.id, settings, game, 7, EPOCH, EPOCH, 0, undoable=2, redoable=1, thinking=False, read_at=EPOCH, **more
    )


def _mine(scene: Scene, game: Game) -> int:
    """The seat of the viewer: who decides, or who comes next."""
    seat = game.seat or 0
    return (seat + 1) % scene.players if scene.state == OTHERS else seat


def viewer_of(scene: Scene) -> Viewer:
    """Who sees a scene."""
    if scene.seen == WATCHING:
        guest = frozenset({2} if scene.state == ROOM and scene.players > 2 else ())
        return Viewer(scene.language, rights=Rights(host=False, seats=guest))
    if scene.state in (OTHERS, ROOM):
        game = game_for(scene.state, scene.cities, scene.players, scene.hand)
        return Viewer(scene.language, rights=Rights(host=True, seats=frozenset({_mine(scene, game)})))
    return Viewer(scene.language)


def view_of(scene: Scene) -> TableView:
    """The view of a table that has begun."""
    table, who = table_for(scene), viewer_of(scene)
    if scene.state == STAGE:
        view = table_at_payday(table, who, PAYDAY)
    elif scene.seen == PLANNING:
        view = planning_view(table, who)
    else:
        at = table.game.event_count * 3 // 4 if scene.seen == REPLAY else None
        view = table_view(table, who, at)
    assert view is not None
    return view


@functools.cache
def page_of(scene: Scene) -> str:
    """The page of a scene."""
    table, who = table_for(scene), viewer_of(scene)
    given: dict[str, Any] = {"request_path": "/", "table": table, "notice": None, "live": False, "now": 0}
    if scene.state == ROOM:
        return render.rendered(
            "pages/room.html", who, view=room_view(table, who), topics=page_topics(who.t, ROOM_TOPICS), **given
        )
    return render.rendered("pages/table.html", who, view=view_of(scene), **given)


# ---------------------------------------------------------------------------------------------------- what is asked for


def answer_to(path: str, scene: Scene) -> str | None:
    """What a server answers to a page of a scene; None if there is nothing."""
    table, who = table_for(scene), viewer_of(scene)
    last = path.rpartition("/")[2].partition("?")[0]
    if path.startswith("rules/"):
        entry = find_rule(scene.language, last)
        return render.rendered("pages/rule.html", who, entry=entry) if entry else None
    if path == f"games/{scene.id}":
        return page_of(scene)
    if "/ways/" in path:
        found = planned_table(table, who) if "/plan/" in path else (table,)
        return render.routes_fragment(found[0], who, int(last)) if found else None
    if last == "hint" and table.game.seat is not None:
        money = tuple(float(amount) for amount in table.game.money)
        advice = [Suggestion((number,), (), 0.5, money) for number in table.game.legal()[:3]]
        return render.hint_fragment(table, who, advice)
    return None


def scenes() -> Iterator[Scene]:
    """List all sensible scenes in all languages; at some tables with the fewest and the most players only."""
    for state, ways in SEEN.items():
        for seen in ways:
            cities = (9,) if state == ROOM else (9, TILED)
            players = (2, 3, 4, 5) if seen == SEAT else (2, 4, 5)
            for values in itertools.product(cities, players, HANDS.get(state, (0,)), ("en", "de", "fr")):
                yield Scene(state, seen, *values)


__all__ = ["Scene", "answer_to", "page_of", "replace", "scenes"]
