"""What there is to see in a position."""

import pytest
from tests.standing import TABLES, game_at, games_on_the_way

from elcapitan.actions import union as act
from elcapitan.engine.actions import BUILD, REOPEN, family
from elcapitan.engine.vocabulary import CITY_NAMES, LISBOA, NO_SITE, NOBODY
from elcapitan.game.game import Game
from elcapitan.position.facts import (
    FREE,
    SHUTTING,
    VACATED,
    CityFacts,
    CityRank,
    DecodedPosition,
    LoanPile,
    PrintedCard,
)

MARSEILLE, NAPOLI, PORTO = 0, 4, 9


def decoded(game: Game) -> DecodedPosition:
    return DecodedPosition(game.view_for(0), game.figures)


def looks(game: Game) -> dict[int, CityFacts]:
    return {each.number: each for each in decoded(game).cities}


def rank_of(game: Game, city: int, colour: int) -> int:
    """The rank of a colour, counted here once more; -1 without an open warehouse [MAJ-01, MAJ-04]."""
    sites = game.position.site[city].tolist()
    strength = {other: (-sites.count(other), sites.index(other)) for other in set(sites) if other != NOBODY}
    return sorted(strength, key=lambda other: strength[other]).index(colour) if colour in strength else -1


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_ranks_are_those_of_the_rules_and_earn_what_the_forecast_says(players: int, tiles: tuple[str, ...]) -> None:
    for game in games_on_the_way(players, tiles, seed=players, every=41):
        for city, seen in looks(game).items():
            colours = 4 if players == 2 else players
            ranks = {colour: rank_of(game, city, colour) for colour in range(colours)}
            present = sorted((colour for colour in ranks if ranks[colour] >= 0), key=lambda colour: ranks[colour])
            assert [each.colour for each in seen.order] == present
            assert sum(each.houses for each in seen.order) == seen.houses == sum(colour >= 0 for colour in seen.sites)
            earned = {income.seat: income.majority.get(CITY_NAMES[city], 0) for income in game.forecast()}
            assert {each.seat: each.earns for each in seen.order if each.seat is not None} == {
                seat: earned[seat] for seat in present if seat < players
            }
            assert all(each.earns == 0 and each.colour >= 2 == players for each in seen.order if each.seat is None)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_next_warehouse_does_what_the_city_shows(players: int, tiles: tuple[str, ...]) -> None:
    built = 0
    for game in games_on_the_way(players, tiles, seed=players, every=7):
        for action in game.legal():
            if family(action) not in ("build", "reopen"):
                continue
            before = game.position
            city = int(before.ship_city[game.seat])
            seen = looks(game)[city]
            if (action - (BUILD if action < REOPEN else REOPEN)) % 12 != seen.next:
                continue  # in an empty city there is a second site
            twin = game.copy()
            twin.play(action)
            front = int(before.front[city])
            closed = front != NO_SITE and int(twin.position.site[city, front]) == NOBODY
            assert seen.closes_next == (front if closed else None)
            assert looks(twin)[city].pays == seen.after_next
            built += 1
    assert built


def test_a_city_on_its_way() -> None:
    game = game_at("4 players, Y to move \n Marseille [Y .] G R G G G B \n Napoli [. .] R")
    marseille, napoli = looks(game)[MARSEILLE], looks(game)[NAPOLI]
    assert (marseille.next, marseille.closes_next, marseille.fullest, napoli.fullest) == (6, 0, True, False)
    assert [(each.seat, each.houses) for each in marseille.order] == [(2, 4), (0, 1), (3, 1)]
    assert (marseille.special, napoli.closes_next) == (None, None)


def test_an_empty_board_has_no_fullest_city() -> None:
    game = Game.new(3, ["Porto"], first=0, seed=1)
    assert not any(city.fullest for city in looks(game).values())
    assert looks(game)[PORTO].special == "PORTO-04"


def test_a_city_without_a_next_site() -> None:
    game = game_at("4 players, Y to move \n Marseille [Y .] R R R G G G B B B R R R")
    full = looks(game)[MARSEILLE]
    assert (full.next, full.closes_next, full.after_next) == (NO_SITE, None, full.pays)


def test_neutral_colours_are_ranked_and_earn_nothing() -> None:
    game = game_at("2 players, R to move \n Marseille [. .] r Y")
    assert looks(game)[MARSEILLE].order == (CityRank(2, None, 1, 0), CityRank(1, 1, 1, 0))


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_chart_has_everybody_on_it(players: int, tiles: tuple[str, ...]) -> None:
    for game in games_on_the_way(players, tiles, seed=3, every=50):
        chart = decoded(game).chart
        assert [entry[0] for entry in chart] == list(range(9 + len(tiles) + 1))
        stand = {seat: (cities, pays) for cities, pays, seats in chart for seat in seats}
        assert stand == {each.seat: (each.cities, each.proliferation) for each in game.forecast()}


def test_bank_and_bonus_cards() -> None:
    game = game_at("3 players, R to move \n R owes 2x10 \n Y 5 florins, 1st bonus")
    seen = decoded(game)
    assert seen.bank == [LoanPile(10, 12, 16, 16), LoanPile(16, 20, 30, 12)]
    assert seen.bonus_cards == [(15, 1), (10, None), (5, None)]
    assert [merchant.debt for merchant in seen.merchants] == [24, 0, 0]
    assert [merchant.bonus for merchant in seen.merchants] == [0, 15, 0]


def test_cards_for_sale_face_down_and_discarded() -> None:
    game = Game.new(3, first=0, seed=3)
    destinations, links = decoded(game).display
    assert (len(destinations), len(links), decoded(game).decks) == (4, 6, (14, 30))
    assert destinations[0] == PrintedCard(card=0, cities=(MARSEILLE,), seals=3, price=6)
    assert all(len(card.cities) == 2 and card.seals == 0 < card.price for card in links)
    game.play_text("buy Marseille/3")
    game.play_text("sail Marseille/3")
    assert decoded(game).discards == ([destinations[0]], [])
    assert decoded(game).display == (destinations[1:], links)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_prices_are_what_the_purse_pays(players: int, tiles: tuple[str, ...]) -> None:
    asked = set()
    for game in games_on_the_way(players, tiles, seed=70 + players, every=5):
        seat, facts = game.seat, decoded(game).facts
        for number in game.legal():
            assert seat is not None
            match act.decode(number, game.figures):
                case act.Build(_, neutral):
                    paid = game.position.ship_city[seat] != LISBOA or neutral  # Lisboa pays the builder at once
                    price = int(facts.build_price) if paid else None
                case act.BuildFortress():
                    price = int(facts.fortress_price[game.position.ship_city[seat]])
                case act.MovePirateForMoney(city):
                    price = int(facts.pirate_fare[city])
                case act.Repay(kind):
                    price = int(facts.owed[seat, kind, 0]) // int(game.position.loans[seat, kind, 0])
                case _:
                    price = None
            twin = game.copy()
            twin.play(number)
            if price is not None and len(twin.paydays) == len(game.paydays):  # a payday pays as well
                assert game.money[seat] - twin.money[seat] == price
                asked.add(number)
    assert asked


@pytest.mark.parametrize(
    ("drawing", "action", "price"),
    [
        ("3 players, R under way \n Marseille [. R] Y", "build 2", "build_price"),
        ("3 players, R under way \n Marseille [R .] Y \n Tunis [. .] forts(. .)", "fortress", "fortress_price"),
        ("3 players, R under way \n Marseille [R .] Y . . . . . . . . . . . forts(G .)", "fortress", "fortress_price"),
    ],
)
def test_prices_of_buildings(drawing: str, action: str, price: str) -> None:
    """[WARE-02, FORT-02, BOARD-03, BOARD-04]"""
    game = game_at(drawing)
    facts, cash = decoded(game).facts, game.money[0]
    asked = int(facts.build_price) if price == "build_price" else int(facts.fortress_price[MARSEILLE])
    game.play_text(action)
    assert cash - game.money[0] == asked > 0


def test_what_stands_on_sites_and_what_loans_show() -> None:
    """[WARE-04, BACK-01, SHUT-01, SHUT-06, LOAN-08]"""
    game = game_at("3 players, R to move \n R owes 10 16! \n Marseille [. .] . . G G G Y \n Napoli [. .] . R")
    marseille, napoli = looks(game)[MARSEILLE], looks(game)[NAPOLI]
    assert marseille.sites[:3] == (VACATED, VACATED, 2) and set(marseille.sites[6:]) == {FREE, SHUTTING}
    assert napoli.sites[:2] == (FREE, 0) and napoli.next == 0
    owed = decoded(game).facts.owed[0].tolist()
    assert owed == [[12, 0], [0, 30]] and int(decoded(game).facts.debt[0]) == 42
    backwards = looks(game_at("3 players, R to move \n Marseille [. .] . . . . . . . . . . . R"))[MARSEILLE]
    assert backwards.sites[:-1] == (FREE,) * 11 and backwards.next == 10 and backwards.closes_next is None


def test_a_record_is_decoded_only_when_it_is_asked_for() -> None:
    seen = decoded(Game.new(3, first=0, seed=3))
    assert not {"facts", "incomes", "cities", "merchants"} & set(vars(seen))
    assert seen.cities is seen.cities and "merchants" not in vars(seen)
