"""A preview tells exactly what playing does."""

import random

import pytest
from tests.standing import TABLES, game_at, games_on_the_way

from elcapitan.actions.text import from_text
from elcapitan.engine.actions import BUILD, END, LOAN, N_ACTIONS, family
from elcapitan.engine.vocabulary import TRANSIT
from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game
from elcapitan.position.preview import Preview, preview


def texts(game: Game, *actions: str) -> list[int]:
    """Actions by their texts."""
    return [number for text in actions for number in from_text(text, game.figures)]


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_a_preview_is_what_playing_does(players: int, tiles: tuple[str, ...]) -> None:
    dice = random.Random(players)
    families = set()
    for seed in range(3):
        for game in games_on_the_way(players, tiles, 10 * seed + players):
            before = game.position.tobytes()
            for action in dice.sample(game.legal(), min(len(game.legal()), 15)):
                check(game, action, preview(game, [action]))
                families.add(family(action))
            assert game.position.tobytes() == before
    assert {"buy", "sail", "build"} <= families


def check(game: Game, action: int, shown: Preview) -> None:
    """Play the action and compare everything that the preview says."""
    twin = game.copy()
    twin.play(action)
    was, now, seat = game.position, twin.position, game.seat
    assert seat is not None
    assert (shown.seat, shown.actions) == (seat, (action,))
    forecasts = zip(game.forecast(), twin.forecast(), strict=True)
    assert shown.gains == tuple(new.total - old.total for old, new in forecasts)
    if len(twin.paydays) == len(game.paydays):
        assert shown.money == tuple(new - old for old, new in zip(game.money, twin.money, strict=True))
        assert shown.cost == game.money[seat] - twin.money[seat]
    else:
        assert family(action) in ("loan", "end", "pass")
        assert shown.cost == (-int(game.figures.board.loan_amount[action - LOAN]) if LOAN <= action < END else 0)
    ship = int(now.ship_city[seat]), int(now.ship_space[seat])
    assert shown.berth == (ship if ship != (int(was.ship_city[seat]), int(was.ship_space[seat])) else None)
    pirate = int(now.pirate_city), int(now.pirate_space)
    assert shown.pirate == (pirate if pirate != (int(was.pirate_city), int(was.pirate_space)) else None)
    check_pieces(game, twin, action, shown)


def check_pieces(game: Game, twin: Game, action: int, shown: Preview) -> None:
    """What would stand is what stands then, and nothing else has changed."""
    site, fortress = game.position.site, game.position.fortress
    if shown.city is not None:
        city = int(game.position.ship_city[shown.seat])
        assert shown.city == city and family(action) in ("build", "reopen", "fortress")
        if shown.site is not None:
            assert shown.site == (action - BUILD) % 12
            assert shown.colour is not None
            site[city, shown.site] = shown.colour
        else:
            fortress[city, shown.fortress] = shown.seat
        if shown.closes:
            assert site[city, shown.closes[0]] == shown.closes[1]
            site[city, shown.closes[0]] = -1
    assert (site == twin.position.site).all() and (fortress == twin.position.fortress).all()


def test_a_warehouse_that_shuts_another_down() -> None:
    game = game_at("""
        4 players, Y to move
        Marseille [Y .] G R G G G B
    """)
    shown = preview(game, texts(game, "build 7"))
    assert (shown.city, shown.site, shown.colour, shown.closes) == (0, 6, 1, (0, 2))
    assert shown.cost == 4 and shown.money == (0, -4, 0, 0)
    assert shown.pays is not None and shown.pays[0] < shown.pays[1]
    assert shown.gains[1] > 0 and shown.berth is None and shown.fortress is None


def test_a_fortress() -> None:
    game = game_at("""
        4 players, Y to move
        Marseille [Y .] G R
    """)
    shown = preview(game, texts(game, "fortress"))
    assert (shown.city, shown.site, shown.fortress, shown.cost, shown.closes) == (0, None, 0, 8, None)
    assert shown.pays is not None and shown.pays[0] == shown.pays[1]


def test_several_actions_at_once() -> None:
    game = Game.new(3, ["Lisboa"], first=0, seed=3)
    shown = preview(game, texts(game, "buy Marseille/3", "sail Marseille/3", "build 2"))
    assert (shown.cost, shown.berth, shown.city, shown.site) == (10, (0, 0), 0, 1)
    assert preview(game, texts(game, "buy Marseille/3", "sail Marseille/3")).city is None
    assert preview(game, []).cost == 0


def test_a_payday_does_not_hide_what_the_turn_before_it_cost() -> None:
    game = game_at("""
        4 players, phase 3, B to move, with buy_before_loan
        R 0 houses, 0 fortresses
        B 20 florins
        Display: Athina/2
    """)
    bought = texts(game, "buy Athina/2")
    price = preview(game, bought).cost
    assert price > 0
    shown = preview(game, [*bought, *texts(game, "loan 10")])
    assert (shown.cost, shown.money) == (price - 10, (0, 0, 0, 10 - price))


def test_a_full_city_leaves_the_ship_without_a_harbour() -> None:
    game = game_at("""
        3 players, R to move
        Marseille [Y G]
        Napoli [R .]
        R hand Marseille/3, Venezia/2
    """)
    assert preview(game, texts(game, "sail Marseille/3")).berth == (0, TRANSIT)


def test_what_is_illegal_has_no_preview() -> None:
    game = Game.new(3, first=0, seed=3)
    with pytest.raises(IllegalAction) as refused:
        preview(game, texts(game, "build 2"))
    assert refused.value.rule
    for number in (-3, -2, -1, N_ACTIONS):
        with pytest.raises(IllegalAction, match="is not an action"):
            preview(game, [number])
    finished = next(games_on_the_way(2, (), 1))
    while not finished.over:
        finished.play(finished.legal()[0])
    with pytest.raises(IllegalAction):
        preview(finished, [0])
