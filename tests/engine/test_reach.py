"""G-06 against exhaustion: the engine's exact test beside a referee that tries everything."""

import pytest
from tests.drawings import Position, position
from tests.playing import random_game
from tests.referee.judge import judge

from elcapitan.actions.text import to_text
from elcapitan.board.figures import MOST_MONEY
from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.state import Desks
from elcapitan.engine.vocabulary import CITIES
from elcapitan.records import json_record as record

TILES = ("Porto", "Lisboa", "Islas Canarias")
SETS = [tuple(tile for bit, tile in enumerate(TILES) if bits >> bit & 1) for bits in range(8)]


@pytest.mark.parametrize("tiles", SETS, ids=lambda tiles: "+".join(tiles) or "none")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_list_of_offers_is_what_exhaustive_search_finds(players: int, tiles: tuple[str, ...]) -> None:
    """[G-02, G-06, G-45, D-01, D-02, D-03, D-04, D-12] Thousands of positions of light games, all lists compared."""
    game = random_game(players, tiles, seed=31 * players + len(tiles), policy=LIGHT, most=150 if COMPILED else 25)
    judge(record.to_json(game, trace=True), sample=1.0 if len(tiles) < 2 else 0.5)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_poor_players_with_many_cards_are_judged_alike(players: int) -> None:
    """[G-06, G-08] Uniform players, who spend everything on cards, meet the dead ends that light ones avoid."""
    game = random_game(players, (), seed=players, policy=UNIFORM, most=60 if COMPILED else 30)
    judge(record.to_json(game, trace=True))


def listed(here: Position, desks: Desks) -> list[str]:
    """The texts of everything legal in a position, worked out on a given desk."""
    count = play.legal(here.states, 0, here.figures.boards, desks, 0)
    return [to_text(int(number), here.figures) for number in desks[0].actions[:count]]


def test_a_desk_forgets_where_cards_have_led() -> None:
    """[G-06, D-01] Red leaves Tunis by the card to Valencia; once that is gone, the card to full Napoli is no use."""
    drawing = "4 players, R to move \n Tunis [R .] R R R forts(Y B) \n Napoli [Y G] \n Display: Napoli-Tunis{}"
    desks = play.desks()
    for more, buys in ((", Valencia-Tunis", ["buy Valencia-Tunis", "buy Napoli-Tunis"]), ("", [])):
        assert listed(position(drawing.format(more)), desks) == [*buys, "loan 10", "loan 16"]


def test_a_desk_forgets_the_voyage_before() -> None:
    """[G-06, G-09, D-09] With two cards Red comes to Tanger, where she can pay a house; with one she does not."""
    loans = "Y owes 18x10 \n G owes 12x16"
    drawing = f"4 players, R to move \n {loans} \n R 2 florins; hand Venezia/1{{}} \n Marseille [R .] R R R"
    desks = play.desks()
    sails = ["sail Valencia/1", "sail Venezia/1 ~ Valencia", "sail Valencia/1 ~ Valencia"]
    for more, legal in ((", Valencia/1", sails), ("", ["pass"])):
        assert listed(position(drawing.format(more)), desks) == legal


def test_a_missing_tile_is_no_stop_on_a_voyage() -> None:
    """[G-06, G-39, REOPEN-03, D-09] With cards of one seal Red comes from Porto to Islas Canarias only by Lisboa."""
    drawing = (
        "4 players, R to move \n Y owes 18x10 \n G owes 12x16 \n R 0 florins; hand Marseille/1, Napoli/1 \n"
        " Porto [R . .] \n Canarias [. *] . Y G Y G shut(R) {}"
    )
    desks = play.desks()
    assert "sail Napoli/1 ~ Lisboa" in listed(position(drawing.format("\n Lisboa")), desks)
    assert listed(position(drawing.format("")), desks) == ["pass"]


def test_what_a_search_has_left_on_a_desk_does_not_count() -> None:
    """[G-06] Desks on which every place was reached with a fortune give the same answers as empty ones."""
    for seed in range(16):
        game = random_game(2 + seed % 4, TILES, seed=seed, policy=UNIFORM, most=20 + 4 * seed)
        if game.seat is None:
            continue
        here = Position(game.view_for(game.seat), game.figures)
        for cash in (0, 4, 8):
            here.s.cash[game.seat] = cash
            used = play.desks()
            used[0].left[:], used[0].used[:], used[0].trails[:] = MOST_MONEY, 0, 0
            used[0].seen[:] = used[0].fresh[:] = (1 << CITIES) - 1
            assert listed(here, used) == listed(here, play.desks())
