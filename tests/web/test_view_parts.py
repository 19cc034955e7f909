"""Parts of the table: where things stand, what has just happened, the log, looking back, paydays and the end."""

from itertools import pairwise

import pytest
from tests.playing import game_with_voyage, random_game
from tests.web.drawn_tables import COLOURS, ENGLISH, NAMES, seated

from elcapitan.engine.vocabulary import SITES
from elcapitan.game.game import Act, Game
from elcapitan.web.view.city_layout import HEIGHT, Box, berth_boxes, city_layout, closed_boxes, tower_boxes
from elcapitan.web.view.context import change, florins, merchant_names, price
from elcapitan.web.view.history import changes, game_at
from elcapitan.web.view.results import payday_view
from elcapitan.web.view.table_view import table_view

GROUNDS = pytest.mark.parametrize("cities", [9, 10, 12])


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes do not overlap."""
    return one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y


@GROUNDS
@pytest.mark.parametrize(("berths", "towers"), [(2, 2), (3, 1)])
def test_nothing_in_a_city_covers_anything_else(cities: int, berths: int, towers: int) -> None:
    lie = city_layout(cities)
    boxes = [*lie.spaces, *berth_boxes(lie, berths, towers), *tower_boxes(lie, towers), lie.square]
    for number, box in enumerate(boxes):
        assert box.x >= 0 and box.right <= lie.width and box.y >= 0 and box.bottom <= HEIGHT
        assert all(apart(box, other) for other in boxes[number + 1 :])


@GROUNDS
def test_the_track_is_a_u(cities: int) -> None:
    """Neighbouring sites touch, the first is top left and the last space top right [BOARD-02]."""
    spaces = city_layout(cities).spaces
    assert len(spaces) == SITES + 1
    for one, other in pairwise(spaces):
        steps = abs(one.x - other.x) > 1, abs(one.y - other.y) > 1
        assert sorted(steps) == [False, True]
        assert abs(one.x - other.x) < 2 * one.w and abs(one.y - other.y) < 2 * one.h
    assert spaces[0].y == spaces[-1].y < spaces[1].y and spaces[0].x < spaces[-1].x


@pytest.mark.parametrize("count", range(1, 13))
def test_closed_warehouses_stay_on_the_square(count: int) -> None:
    lie = city_layout(12)
    boxes = closed_boxes(lie, count)
    assert len(boxes) == count and lie.square.x <= boxes[0].x and boxes[-1].right <= lie.square.right


def test_the_last_turn_is_marked() -> None:
    game = random_game(4, seed=3, most=30)
    acted = [event.seat for event in game.events if isinstance(event, Act)][-1]
    marked = changes(tuple(game.history()))
    assert marked.ships <= {acted}
    before = game_at(game, _begin(game)).position
    for city, site in marked.sites:
        assert game.position.site[city, site] == acted and before.site[city, site] != acted
    assert changes(tuple(Game.new(3, first=0, seed=1).history())) == changes(())


def _begin(game: Game) -> int:
    """How many events had happened before the last turn in which somebody acted."""
    events = game.events
    acts = [number for number, event in enumerate(events) if isinstance(event, Act)]
    first = acts[-1]
    for number in reversed(acts):
        event, last = events[number], events[acts[-1]]
        assert isinstance(event, Act) and isinstance(last, Act)
        if event.seat != last.seat:
            break
        first = number
    return first


def test_the_log_is_grouped_by_turn() -> None:
    game = random_game(3, seed=4, most=40)
    shown = table_view(seated(game), ENGLISH).journal
    assert shown.events == len(game.events)
    assert [turn.last for turn in shown.turns] == sorted(turn.last for turn in shown.turns)
    assert shown.turns[-1].last == len(game.events)
    acting = [turn.name for turn in shown.turns if turn.name]
    assert set(acting) <= set(NAMES[:3]) and acting
    for one, other in pairwise(acting):
        assert one != other
    assert shown.news
    assert shown.turns[0].heading


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_turn_of_the_log_has_a_key_of_its_own(players: int) -> None:
    game = random_game(players, seed=players)
    keys = [turn.key for turn in table_view(seated(game), ENGLISH).journal.turns]
    assert len(keys) == len(set(keys)) > 1


def test_an_earlier_moment_shows_what_was_then() -> None:
    game = random_game(3, seed=4, most=40)
    for at in (1, 7, len(game.events)):
        replayed = Game.replay(game.setup, game.events[:at])
        assert game_at(game, at).view_for(0).tobytes() == replayed.view_for(0).tobytes()
        seen = table_view(seated(game), ENGLISH, at)
        assert seen.journal.events == at and not seen.live and not seen.acting
        assert seen.replay is not None
        assert seen.replay.told
    assert table_view(seated(game), ENGLISH, 0).replay == table_view(seated(game), ENGLISH, 1).replay


def test_a_voyage_that_has_not_landed_is_no_moment_yet() -> None:
    game, voyage = game_with_voyage(seed=3)
    events = len(game.events)
    before = game.view_for(0).tobytes()
    game.play(voyage[0])
    assert len(game.events) == events
    assert game_at(game, events).view_for(0).tobytes() == before


@pytest.mark.compiled
def test_a_payday_adds_up() -> None:
    game = random_game(4, ("Lisboa",), seed=5)
    table = seated(game)
    for held in game.paydays:
        shown = payday_view(table, ENGLISH, held.number)
        assert shown is not None
        assert shown.totals == tuple(income.total for income in held.paid) == shown.steps[-1].step.running
        assert sorted(line.total for line in shown.recap) == sorted(shown.totals)
        assert all(sum(line.parts) == line.total for line in shown.recap)
        for each in shown.steps:
            assert [line.amount for line in each.lines] == [line.amount for line in each.step.lines]
            assert all(line.reasons and all(reason.rule for reason in line.reasons) for line in each.lines)
        assert [colour for _name, colour in shown.merchants] == list(COLOURS[:4])


@pytest.mark.compiled
def test_the_end_of_a_game() -> None:
    game = random_game(5, seed=6)
    shown = table_view(seated(game), ENGLISH).result
    assert shown is not None
    found = shown.result
    assert [place.rank for place in found.places] == sorted(game.ranks)
    assert sorted(place.money for place in found.places) == sorted(game.money)
    for number, place in enumerate(found.places):
        assert sum(source.amounts[number] for source in (*found.income, *found.spending)) == place.money
    chart = shown.chart
    for curve in chart.curves:
        points = [tuple(map(float, point.split(","))) for point in curve.points.split()]
        assert all(chart.left <= x <= chart.right and chart.top <= y <= chart.bottom for x, y in points)
        assert points[-1] == curve.end
    labels = sorted(curve.label_y for curve in chart.curves)
    assert all(later - before > 14 for before, later in pairwise(labels))
    assert [payday for payday, _worths in found.paydays] == [payday for _x, payday in chart.paydays] == [1, 2, 3]
    assert found.paydays[-1][1] == tuple(place.money for place in found.places), (
        "after the last one nobody owes anything"
    )
    assert not shown.same_deal and not shown.rematch  # a game whose shuffle was not published


def test_who_has_no_name_goes_by_the_colour() -> None:
    table = seated(Game.new(2, first=0, seed=1))
    names = table.names()
    assert merchant_names(table.settings, ENGLISH.t) == list(NAMES[:2]) == names
    nameless = seated(Game.new(2, first=0, seed=1))
    object.__setattr__(nameless.settings.seats[0], "name", "")
    assert merchant_names(nameless.settings, ENGLISH.t) == ["Yellow", "Marco"]  # the palette's saffron


@pytest.mark.parametrize(
    ("amount", "changed", "priced"),
    [
        (3, "+3", "3\N{NO-BREAK SPACE}ƒ"),
        (-5, "\N{MINUS SIGN}5", "+5\N{NO-BREAK SPACE}ƒ"),
        (0, "0", "0\N{NO-BREAK SPACE}ƒ"),
    ],
)
def test_how_amounts_are_written(amount: int, changed: str, priced: str) -> None:
    assert change(amount) == changed
    assert price(amount) == priced
    assert florins(abs(amount)) == f"{abs(amount)}\N{NO-BREAK SPACE}ƒ"
