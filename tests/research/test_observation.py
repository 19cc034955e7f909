"""What learners see: everything public, nothing face down, from their own seat."""

import random
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from tests.playing import random_game
from tests.research.plain_observation import plain

from elcapitan.engine import fleet, play
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import DESTINATIONS, TILE_NAMES
from elcapitan.game.game import Game
from elcapitan.game.position_queries import without_secrets
from elcapitan.position.as_numbers import observe
from elcapitan.research.layout import CELLS, PARTS, VERSION, markdown, part, scales

TABLES = [(2, ()), (3, ("Porto",)), (4, ("Lisboa", "Islas Canarias")), (5, TILE_NAMES)]


def seen(states: States, viewer: int) -> bytes:
    rows = np.full((3, CELLS), 99, np.int8)
    fleet.look(states, 0, viewer, rows, 1)
    assert (rows[[0, 2]] == 99).all()  # nothing beside its own row is touched
    return bytes(rows[1])


def positions(game: Game) -> Iterator[States]:
    for moment in game.history():
        yield moment.after


@pytest.fixture(scope="module", params=TABLES, ids=[f"{players} players" for players, _ in TABLES])
def games(request: pytest.FixtureRequest) -> list[Game]:
    players, tiles = request.param
    return [random_game(players, tiles, seed, policy, most=120) for seed in range(4) for policy in (LIGHT, UNIFORM)]


def test_the_parts_cover_a_row_without_a_gap() -> None:
    parts = list(PARTS.values())
    assert parts[0].begin == 0 and parts[-1].end == CELLS
    assert all(before.end == after.begin for before, after in pairwise(parts))
    assert all(f"| `{name}` | {each.begin} |" in markdown() for name, each in PARTS.items())
    assert scales().shape == (CELLS,) and (scales() > 0).all()


def test_a_new_version_moves_no_offset() -> None:
    """What version 1 had stands where it stood; an option that came later has a cell at the end."""
    assert VERSION == 2 and CELLS == 951
    assert (PARTS["options"].begin, PARTS["options"].shape, PARTS["decks"].end) == (7, (2,), 950)
    begins = {"phase": 9, "stage": 13, "display": 63, "florins": 171, "hand": 326, "sites": 656, "bank": 946}
    assert {name: PARTS[name].begin for name in begins} == begins
    for chosen in (False, True):
        *_, last = positions(Game.new(3, options={"pirate_before_loan": chosen}, seed=1))
        row = observe(last, 0)
        assert part(row, "pirate_before_loan") == [chosen] and list(part(row, "options")) == [0, 1]


def test_a_part_is_a_view_in_its_own_shape() -> None:
    rows = np.zeros((7, CELLS), np.int8)
    hands = part(rows, "hand")
    assert hands.shape == (7, 5, 54) and np.shares_memory(hands, rows)
    assert part(rows[0], "round").shape == (1,)


def test_every_cell_says_what_its_part_says(games: list[Game]) -> None:
    for game in games:
        for number, states in enumerate(positions(game)):
            viewer = number % game.players
            assert seen(states, viewer) == plain(states[0], viewer).astype(np.int8).tobytes()


def test_the_order_of_the_face_down_cards_changes_nothing(games: list[Game]) -> None:
    dice = random.Random(1)
    for game in games:
        for states in positions(game):
            other = states.copy()
            for deck, first in enumerate((0, DESTINATIONS)):
                face_down = slice(first, first + int(other[0].deck_left[deck]))
                cards = other[0].deck[face_down].tolist()
                dice.shuffle(cards)
                other[0].deck[face_down] = cards
            other[0].rng[:] = [dice.randrange(2**32) for _ in range(3)]
            for viewer in range(game.players):
                assert seen(states, viewer) == seen(other, viewer)


def test_it_changes_exactly_when_public_information_changes(games: list[Game]) -> None:
    for viewer in range(games[0].players):
        pairs = {
            (without_secrets(states).tobytes(), seen(states, viewer)) for game in games for states in positions(game)
        }
        assert len({public for public, _ in pairs}) == len({row for _, row in pairs}) == len(pairs) > 100


@pytest.mark.parametrize("cash", [-32768, -129, -128, 0, 127, 128, 25_000, 32_639])
def test_any_purse_is_told_exactly(cash: int) -> None:
    states = play.states()
    play.new(states, 0, random_game(3, most=0).figures.boards, 3, 0, 2, 0, 1, 0)
    states[0].cash[1] = cash
    row = np.frombuffer(seen(states, 0), np.int8)
    low, high = part(row, "florins")[1].tolist()
    assert 256 * high + low == cash
