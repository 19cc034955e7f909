"""Search: the same chance, the same game; nothing hidden is seen; the numbers in the tree add up."""

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, TILES, Thinker, go_on, legal_in, play_game, walk
from tests.drawings import position
from tests.playing import random_game

from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import generator
from elcapitan.engine.search.tree import BY_PLAY, BY_WORTH, CHILDREN, ROOT, START_OF_SEARCH, TO_PAYDAY
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import DESTINATIONS
from elcapitan.game.game import Game

STYLES = {"by worth": (BY_WORTH, 0), "by play": (BY_PLAY, 0), "to payday": (TO_PAYDAY, 64)}
SIMULATIONS = 200 if COMPILED else 8
HERE = """
    3 players, phase 3, R to move
    R 15 florins, 2 houses, 1 fortress; hand Tunis/1
    Y 12 florins, 1 house, 0 fortresses
    G 14 florins, 2 houses, 0 fortresses
    Tunis [R .] Y R G
    Napoli [Y .] R Y
    Athina [G .] G Y R
    Display: Tanger/1, Napoli/1, Valencia/1, Venezia/2, Napoli-Tunis, Napoli-Athina, Athina-Alexandria, Valencia-Napoli
"""
styles = pytest.mark.parametrize("style", STYLES if COMPILED else ["by worth", "by play"])


def searched(style: str, nodes: int = 5000) -> Thinker:
    """A search that is through, in slices as a player makes it."""
    thinker = Thinker(position(HERE).states, nodes=nodes)
    used = 0
    for part in (1, SIMULATIONS // 2 - 1, SIMULATIONS - SIMULATIONS // 2):
        used = thinker.think(used, part, *STYLES[style])
    assert used <= nodes
    return thinker


@styles
def test_the_visits_add_up(style: str) -> None:
    """The first visit opens a node; each of the others goes on to a child, unless no child fits the cards."""
    thinker = searched(style)
    nodes = thinker.nodes
    assert int(nodes[ROOT].visits) == SIMULATIONS
    assert sum(int(nodes[child].visits) for child in thinker.children(ROOT)) == SIMULATIONS - 1
    pile, opened = thinker.children(ROOT), 0
    while pile:
        node = pile.pop()
        below = thinker.children(node)
        opened += bool(below)
        assert len(below) <= CHILDREN
        assert sum(int(nodes[child].visits) for child in below) <= max(0, int(nodes[node].visits) - 1)
        pile += below
    assert opened > 2


@styles
def test_every_visit_gives_one_victory_to_share(style: str) -> None:
    """A child has been guessed at once before its first visit; seats that nobody has get nothing."""
    thinker = searched(style)
    nodes = thinker.nodes
    assert sum(nodes[ROOT].won) == pytest.approx(SIMULATIONS)
    pile = thinker.children(ROOT)
    while pile:
        node = pile.pop()
        assert sum(nodes[node].won) == pytest.approx(int(nodes[node].visits) + 1)
        assert (nodes[node].won >= 0).all() and (nodes[node].won[3:] == 0).all()
        pile += thinker.children(node)


@pytest.mark.parametrize("room", [2, 8, 30])
@styles
def test_a_full_tree_is_searched_on_without_new_nodes(style: str, room: int) -> None:
    thinker = searched(style, nodes=room)
    children = thinker.children(ROOT)
    assert len(children) == min(CHILDREN, room - 1)
    assert sum(int(thinker.nodes[child].visits) for child in children) == SIMULATIONS - 1
    for child in children:
        assert sum(thinker.nodes[child].won) == pytest.approx(int(thinker.nodes[child].visits) + 1)


@pytest.mark.compiled
def test_a_position_without_room_for_children_is_played_out_whenever_it_is_met() -> None:
    """Played to the end, every game has whole winners: what comes on top of the first guess is whole or shared."""
    thinker = searched("by play", nodes=2)
    (child,) = thinker.children(ROOT)
    guess = Thinker(position(HERE).states, nodes=2)
    guess.think(0, 1, *STYLES["by play"])
    shares = 6 * (thinker.nodes[child].won - guess.nodes[child].won)  # two or three may share a victory
    assert shares.tolist() == pytest.approx(np.round(shares).tolist())


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["navigator:sims=12", "admiral:sims=6", "captain", "trader", "wanderer"])
@pytest.mark.parametrize("tiles", [(), TILES])
def test_the_same_seed_gives_the_same_game(spec: str, tiles: tuple[str, ...]) -> None:
    first, second = (play_game([spec] * 3, seed=5, tiles=tiles) for _ in range(2))
    assert first.over and first.events == second.events
    assert play_game([spec] * 3, seed=6, tiles=tiles).events != first.events


def test_the_same_seed_gives_the_same_turns() -> None:
    played = []
    for _ in range(2):
        game = random_game(3, seed=4, most=60)
        played.append(go_on(game, ["navigator:sims=3"] * 3, most=12 if COMPILED else 4))
    assert played[0] == played[1]


def shuffled(game: Game, seed: int) -> Game:
    """The same game with other cards on top of the decks and other chance to come."""
    chance, state = np.random.default_rng(seed), game.position
    for deck, first in enumerate((0, DESTINATIONS)):
        beyond = first + int(state.deck_left[deck])
        state.deck[first:beyond] = chance.permutation(state.deck[first:beyond])
    return game.with_decks(state.deck.tobytes(), int(chance.integers(0, 2**62)), int(chance.integers(0, 2**32)))


@pytest.mark.parametrize("spec", ["trader", "captain", "navigator:sims=30", "admiral:sims=12"])
def test_nobody_sees_what_is_face_down(spec: str) -> None:
    """[SET-06] With the same dice the same is done, whatever the order of the decks and the chance to come."""
    if not COMPILED:
        spec = spec.replace("sims=30", "sims=2").replace("sims=12", "sims=1")
    for most in (12, 70) if COMPILED else (70,):
        game = random_game(3, ["Lisboa"], seed=most, most=most)
        twin = shuffled(game, seed=most)
        assert game.position.deck.tolist() != twin.position.deck.tolist()
        assert game.view_for(0).tobytes() == twin.view_for(0).tobytes()
        done = []
        for each in (game, twin):
            bot = registry.create(spec)
            done.append(bot.choose(View(each.view_for(0), BOARDS), each.legal(), generator(1)))
        assert done[0] == done[1]


@styles
def test_the_kernel_itself_does_not_use_the_chance_of_the_position(style: str) -> None:
    """The source of chance that lies in the record is replaced before anything is turned up."""
    found = []
    for seed in (1, 2):
        thinker = Thinker(position(HERE).states)
        thinker.line[START_OF_SEARCH].rng[:] = seed
        used = thinker.think(0, 20 if COMPILED else 3, *STYLES[style])
        found.append(thinker.nodes[:used].tobytes())
    assert found[0] == found[1]


@pytest.mark.compiled
def test_a_search_leaves_the_position_and_the_view_alone() -> None:
    for _, states in walk(4, 7, seed=3, of_each=2):
        before = states.tobytes()
        _choose_all(states)
        assert states.tobytes() == before


def _choose_all(states: States) -> None:
    for spec in ("captain", "navigator:sims=3", "admiral:sims=2"):
        registry.create(spec).choose(View(states, BOARDS), legal_in(states), generator(1))
