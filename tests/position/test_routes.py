"""The route finder: every way can be sailed, and none is cheaper."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import pytest
from tests.standing import TABLES, game_at, games_on_the_way

from elcapitan.actions.union import decode_leg
from elcapitan.engine import play
from elcapitan.engine.actions import BUILD, BUY, FREE_PIRATE, LOAN, PAID_PIRATE, SAIL
from elcapitan.engine.vocabulary import CARDS, CITIES, TRANSIT
from elcapitan.game.game import Game
from elcapitan.game.position_queries import legal_in, position
from elcapitan.position import routes
from elcapitan.position.facts import bits
from elcapitan.position.routes import MOST_LEGS, Way, cheapest, ways_to

MARSEILLE, VENEZIA, VALENCIA, NAPOLI, TUNIS, PORTO, CANARIAS = 0, 1, 3, 4, 7, 9, 11


def turns(players: int, tiles: tuple[str, ...], seed: int) -> Iterator[Game]:
    """Beginnings of turns in a game played by dice."""
    for game in games_on_the_way(players, tiles, seed, every=13):
        while game.stage not in ("start", "bought", "under way") and len(game.events) > 1:
            game.take_back()
        if game.seat is not None and len(game.events) > 1:
            yield game


def cities(game: Game) -> tuple[int, ...]:
    return bits(int(game.position.in_play))


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_every_way_can_be_sailed_and_costs_what_it_says(players: int, tiles: tuple[str, ...]) -> None:
    found = 0
    for game in turns(players, tiles, seed=players):
        before = game.position.tobytes()
        for city in cities(game):
            ways = ways_to(game, city)
            found += len(ways)
            for way in ways:
                sail(game, city, way)
            assert ways == sorted(ways, key=lambda way: way.total)
            used = [frozenset(leg.card for leg in way.legs) for way in ways]
            assert len(set(used)) == len(used)
            check_worth_offering(game, ways)
        assert game.position.tobytes() == before
    assert found


def sail(game: Game, city: int, way: Way) -> None:
    """Play a way and everything that could be built at its end through the checked door."""
    twin = game.copy()
    seat = game.seat
    assert seat is not None
    hand, cash = int(game.position.hand[seat]), game.money[seat]
    for action in way.actions:
        assert not twin.card_due
        twin.play(action)
    assert cash - twin.money[seat] == way.fare - way.charge
    now = twin.position
    assert (int(now.ship_city[seat]), int(now.ship_space[seat])) == (city, way.berth) and way.berth != TRANSIT
    check_cards(game, way, hand)
    assert {build.action for build in way.builds} == {action for action in twin.legal() if BUILD <= action < LOAN}
    for build in way.builds:
        there = twin.copy()
        there.play(build.action)
        assert cash - there.money[seat] == way.fare + build.cost - way.charge
        forecasts = zip(game.forecast(), there.forecast(), strict=True)
        assert build.gains == tuple(new.total - old.total for old, new in forecasts)
    assert way.total == way.fare + min(build.cost for build in way.builds)


def check_worth_offering(game: Game, ways: list[Way]) -> None:
    """Every way is cheaper than another one, or saves a card of the hand that the other one uses up, or stays."""
    assert game.seat is not None
    hand = int(game.position.hand[game.seat])
    for way, dearer in combinations(ways, 2):
        spent, saved = ({leg.card for leg in each.legs if hand >> leg.card & 1} for each in (way, dearer))
        assert not spent <= saved or not dearer.legs


def check_cards(game: Game, way: Way, hand: int) -> None:
    """Exactly the cards that are not in the hand are bought, and each is used for one leg."""
    bought = [action - BUY for action in way.actions if action < BUY + CARDS]
    legs = [action - SAIL for action in way.actions if SAIL <= action < BUILD]
    assert bought == [leg.card for leg in way.legs if not hand >> leg.card & 1]
    assert [(leg.card, leg.city) for leg in way.legs] == [
        (leg.card, leg.city) for leg in (decode_leg(number, game.figures) for number in legs)
    ]
    assert sum(leg.price for leg in way.legs) == way.fare
    assert bool(way.charge) == any(action >= FREE_PIRATE for action in way.actions)
    assert all(leg.price == 0 for leg in way.legs if hand >> leg.card & 1)
    assert way.hand_cards == sum(hand >> leg.card & 1 for leg in way.legs)
    assert len(way.legs) <= MOST_LEGS


def brute_force(game: Game, legs: int) -> dict[int, int]:
    """The least that building in each city costs, by trying every purchase and leg in every order, and no charge."""
    best: dict[int, int] = defaultdict(lambda: 10_000)
    figures, desks, seat = game.figures, play.desks(), game.seat
    assert seat is not None
    waiting = [(game.view_for(seat), 0, 0)]
    seen = set()
    while waiting:
        states, bought, sailed = waiting.pop()
        place, cash = int(states["ship_city"][0, seat]), int(states["cash"][0, seat])
        for action in legal_in(states, figures, desks):
            buys, sails = action < SAIL, SAIL <= action < BUILD
            if (buys and bought < legs) or (sails and sailed < legs) or BUILD <= action < LOAN:
                after = position(states.tobytes())
                play.apply(after, 0, figures.boards, action)
                if buys or sails:
                    if after.tobytes() not in seen:
                        seen.add(after.tobytes())
                        waiting.append((after, bought + buys, sailed + sails))
                else:
                    paid = game.money[seat] - int(after["cash"][0, seat])
                    best[place] = min(best[place], paid)
        assert cash <= game.money[seat]
    return dict(best)


def fares(game: Game) -> dict[int, int]:
    """Return every city where something can be built in this turn, with the least that costs in all."""
    return {city: way.total for city, way in cheapest(game).items()}


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_no_way_is_cheaper(players: int, tiles: tuple[str, ...]) -> None:
    looked_at = 0
    for game in list(turns(players, tiles, seed=20 + players))[::3]:
        known = fares(game)
        for city, least in brute_force(game, 2).items():
            assert known[city] <= least
            best, *others = ways_to(game, city, most=50)
            short = [way.total for way in (best, *others) if len(way.legs) <= 2]
            assert all(total >= least for total in short)
            assert len(best.legs) > 2 or best.total == least  # a cheaper way with more legs leaves dearer ones out
            looked_at += 1
    assert looked_at


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_cheapest_ways_are_the_best_to_each_city(players: int, tiles: tuple[str, ...]) -> None:
    for game in turns(players, tiles, seed=40 + players):
        best = {city: ways_to(game, city, most=1) for city in cities(game)}
        assert fares(game) == {city: ways[0].total for city, ways in best.items() if ways}


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_cheapest_cities_are_found_without_the_others(players: int, tiles: tuple[str, ...]) -> None:
    for game in turns(players, tiles, seed=60 + players):
        every, few = cheapest(game), cheapest(game, 3)
        dearest = sorted(way.total for way in every.values())[:3][-1:]
        wanted = {city: way for city, way in every.items() if [way.total] <= dearest}
        assert {city: way for city, way in few.items() if [way.total] <= dearest} == wanted


def test_staying_is_a_way_without_legs() -> None:
    game = game_at("4 players, R to move \n Napoli [R .] \n R hand Tunis/1")
    ways = ways_to(game, NAPOLI)
    assert ways[0].legs == () and ways[0].actions == () and ways[0].fare == 0
    assert ways[0].total == game.figures.board.harbour_price[NAPOLI, 0] and len(ways) == 1


def test_no_way_comes_back_to_where_the_ship_lies_for_no_less() -> None:
    game = game_at("""
        4 players, R to move
        R hand Tunis/1, Napoli/1
        Napoli [R .]
        Display: Tunis/3, Napoli-Tunis
    """)
    (stay,) = ways_to(game, NAPOLI, most=50)
    assert stay.legs == () and len(ways_to(game, TUNIS)) == 3  # a way away uses up what it takes


def test_a_ship_may_come_back_to_a_better_harbour() -> None:
    """[SAIL-03, SAIL-10] The first harbour has become free; two cards of the hand lead out and back."""
    game = game_at("4 players, R to move \n Napoli [. R] \n R hand Tunis/1, Napoli/1")
    stay, back = sorted(ways_to(game, NAPOLI), key=lambda way: len(way.legs))
    assert (stay.berth, len(stay.legs), back.berth, len(back.legs)) == (1, 0, 0, 2)
    prices = game.figures.board.harbour_price[NAPOLI]
    assert (stay.total, back.total) == (prices[1], prices[0])
    assert ways_to(game, NAPOLI)[0] == (back if prices[0] < prices[1] else stay)


def test_the_hand_comes_before_the_display_and_few_cards_before_many() -> None:
    game = game_at("""
        4 players, R to move
        R hand Tunis/1
        Napoli [R .]
        Display: Tunis/3, Napoli-Tunis
    """)
    best, bought = ways_to(game, TUNIS)
    assert [(leg.card, leg.price, leg.use) for leg in best.legs] == [(card(game, "Tunis/1"), 0, "destination")]
    assert [leg.card for leg in bought.legs] == [card(game, "Napoli-Tunis")] and bought.fare > 0
    prices = game.figures.board.card_price
    assert prices[card(game, "Tunis/3")] > bought.fare, "that way is dearer and saves no card, so it is left out"


def card(game: Game, name: str) -> int:
    return game.figures.cards.index(name)


def test_a_tile_city_is_reached_by_a_sea_route() -> None:
    """[EXP-06, EXP-07] From the bank a destination has to come first."""
    game = game_at("""
        3 players, R to move
        R hand Valencia/1, Tanger/2
        Bank [R]
        Porto
    """)
    way = ways_to(game, PORTO)[0]
    assert [leg.use for leg in way.legs][-1] == "route" and len(way.legs) == 2


def test_a_full_city_cannot_be_built_in_but_leads_on() -> None:
    game = game_at("5 players, R to move \n R hand Tunis/1, Napoli-Tunis \n Tunis [Y G]")
    assert ways_to(game, TUNIS) == []
    assert [leg.city for leg in ways_to(game, NAPOLI)[0].legs] == [TUNIS, NAPOLI]
    assert set(fares(game)) == {NAPOLI}


def test_whom_the_charge_helps_moves_the_pirate_first() -> None:
    """[CANA-02, PIRATE-05] Without money a building at Islas Canarias can only be paid from the charge."""
    game = game_at("""
        3 players, R to move, phase 3
        R 0 florins; hand Tanger/1
        Tanger [R .]
        Napoli [. .] Y G Y G
        Canarias [. *]
    """)
    ways = ways_to(game, CANARIAS)
    assert len(ways) == 1 and FREE_PIRATE <= ways[0].actions[-1] < PAID_PIRATE
    assert ways[0].fare == 0 and ways[0].charge == 12 and ways[0].total == ways[0].builds[0].cost > 0
    sail(game, CANARIAS, ways[0])


def test_nobody_decides_nothing_is_found() -> None:
    game = Game.bare(3, first=0)
    assert ways_to(game, NAPOLI) == [] and fares(game) == {}


def test_after_the_main_action_there_is_no_way() -> None:
    game = Game.new(3, first=0, seed=3)
    game.play_text("buy Marseille/3")
    game.play_text("sail Marseille/3")
    assert ways_to(game, MARSEILLE)[0].legs == ()
    game.play_text("build 2")
    assert fares(game) == {}


@pytest.mark.compiled
def test_the_search_is_not_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich merchants with many cards, where everything leads everywhere."""
    drawing = """
        5 players, R to move
        R 80 florins; hand Tunis/1, Tunis/3, Napoli/1, Venezia/2, Athina/3, Napoli-Tunis, Venezia-Athina, Athina-Tunis
        Napoli [R .]
        Marseille [Y G]
        Porto
        Lisboa
        Canarias
        Display: Valencia/2, Marseille/3, Tanger/1, Alexandria/3, Marseille-Napoli, Napoli-Athina, Tanger-Tunis
    """
    game = game_at(drawing)
    found = [ways_to(game, city) for city in range(CITIES)]
    assert sum(map(len, found)) > CITIES
    monkeypatch.setattr(routes, "MOST_NODES", 100 * routes.MOST_NODES)
    assert [ways_to(game, city) for city in range(CITIES)] == found
