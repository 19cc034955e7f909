"""What there is to see in a position."""

import pytest
from tests.standing import TABLES, game_at, games_on_the_way

from elcapitan import look
from elcapitan.engine.actions import BUILD, REOPEN, family
from elcapitan.engine.rules.payday import rank
from elcapitan.engine.vocabulary import CITY_NAMES, NO_SITE, NOBODY
from elcapitan.game import Game
from elcapitan.text.names import interpreted

MARSEILLE, NAPOLI, PORTO = 0, 4, 9


def looks(game: Game) -> dict[int, look.CityLook]:
    return {each.number: each for each in look.cities(game.view_for(0)[0], game.figures, game.forecast())}


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_ranks_are_those_of_the_rules_and_earn_what_the_forecast_says(players: int, tiles: tuple[str, ...]) -> None:
    for game in games_on_the_way(players, tiles, seed=players, every=41):
        for city, seen in looks(game).items():
            colours = 4 if players == 2 else players
            ranks = {colour: interpreted(rank)(game.position, city, colour) for colour in range(colours)}
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
    assert looks(game)[MARSEILLE].order == (look.RankLook(2, None, 1, 0), look.RankLook(1, 1, 1, 0))


@pytest.mark.parametrize(("players", "tiles"), TABLES)
def test_the_chart_has_everybody_on_it(players: int, tiles: tuple[str, ...]) -> None:
    for game in games_on_the_way(players, tiles, seed=3, every=50):
        chart = look.chart(game.view_for(0)[0], game.figures)
        assert [entry[0] for entry in chart] == list(range(9 + len(tiles) + 1))
        stand = {seat: (cities, pays) for cities, pays, seats in chart for seat in seats}
        assert stand == {each.seat: (each.cities, each.proliferation) for each in game.forecast()}


def test_bank_and_bonus_cards() -> None:
    game = game_at("3 players, R to move \n R owes 2x10 \n Y 5 florins, 1st bonus")
    s = game.view_for(0)[0]
    assert look.bank(s, game.figures) == [look.LoanLook(10, 12, 16, 16), look.LoanLook(16, 20, 30, 12)]
    assert look.bonus_cards(s, game.figures) == [(15, 1), (10, None), (5, None)]
    assert [merchant.debt for merchant in look.merchants(s, game.figures)] == [24, 0, 0]


def test_cards_for_sale_face_down_and_discarded() -> None:
    game = Game.new(3, first=0, seed=3)
    s = game.view_for(0)[0]
    destinations, links = look.display(s, game.figures)
    assert (len(destinations), len(links), look.decks(s)) == (4, 6, (14, 30))
    assert destinations[0] == look.CardLook(card=0, cities=(MARSEILLE,), seals=3, price=6)
    assert all(len(card.cities) == 2 and card.seals == 0 < card.price for card in links)
    game.play_text("buy Marseille/3")
    game.play_text("sail Marseille/3")
    assert look.discards(game.view_for(0)[0], game.figures) == ([destinations[0]], [])
    assert look.display(game.view_for(0)[0], game.figures) == (destinations[1:], links)
