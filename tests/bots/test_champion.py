"""The champion: what it may see, what its file must be like, and how its budget is kept."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from tests.bots.asked_bots import BOARDS, answer, play_game, views_of_two_orders
from tests.drawings import position
from tests.playing import other_board

from elcapitan.bots import network, registry
from elcapitan.bots.bot import Budget, SearchedPlan, View
from elcapitan.bots.champion import Champion, ParallelGames
from elcapitan.bots.network import FOR_TWO, PACKAGED, knows_board, packaged_network, read_network
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.network.features import CELLS, SCALES
from elcapitan.engine.rng import generator
from elcapitan.errors import BadNetwork
from elcapitan.game.game import Game

GAMES_IN_EACH_SEAT = 4
DATA = Path(network.__file__).parents[1] / "data"


def champion(simulations: int | None = None) -> Champion:
    bot = registry.create("champion" if simulations is None else f"champion:sims={simulations}")
    assert isinstance(bot, Champion)
    return bot


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("tiles", [(), ("Porto", "Lisboa", "Islas Canarias")])
@pytest.mark.compiled
def test_it_plays_whole_games_against_captains(players: int, tiles: tuple[str, ...]) -> None:
    """By chance the network alone would win a share of one by the number of players; it plays in every seat."""
    won = 0.0
    for number in range(GAMES_IN_EACH_SEAT * players):
        seat = number % players
        specs = ["captain"] * players
        specs[seat] = "champion:sims=1"
        game = play_game(specs, 40 + number, tiles)
        won += game.win_shares[seat]
    assert won >= 0.75 * GAMES_IN_EACH_SEAT * players


@pytest.mark.compiled
def test_it_plays_on_from_its_plans_in_a_whole_game() -> None:
    game = play_game(["champion:sims=12", "captain", "champion:sims=12"], 7, ("Lisboa",))
    assert game.winners


@pytest.mark.parametrize("simulations", [None, 24] if COMPILED else [None])
def test_the_order_of_face_down_cards_makes_no_difference(simulations: int | None) -> None:
    """Two games that look the same to a seat, with other cards to come."""
    one, other = (champion(simulations).new_plan(view, generator(1)) for view in views_of_two_orders())
    assert one == other


def test_it_says_what_it_expects_of_every_plan() -> None:
    here = position("3 players, R to move\n Tunis [R .]")
    plans = champion().lines(View(here.states, BOARDS), generator(1))
    assert len(plans) > 1 and len({plan.actions for plan in plans}) == len(plans)
    for plan in plans:
        assert len(plan.win) == len(plan.money) == 3
        assert sum(plan.win) == pytest.approx(1, abs=1e-4)
    assert plans[0].win[0] >= plans[-1].win[0] - 0.1


@pytest.mark.compiled
@pytest.mark.parametrize(("simulations", "played", "best"), [(3, 0, 0), (6, 6, 3), (40, 39, 8), (48, 48, 10)])
def test_so_many_simulations_and_no_more(simulations: int, played: int, best: int) -> None:
    seen: list[int] = []

    def note(done: int, _plans: list[SearchedPlan]) -> bool:
        seen.append(done)
        return True

    view = View(Game.new(3, seed=5).view_for(0), BOARDS)
    bot = Champion(
        registry.create("admiral"),  # type: ignore[arg-type]
        Budget(simulations=simulations),
        progress=note,
    )
    plans = bot.lines(view, generator(1))
    assert (seen[-1] if seen else 0) == played == sum(plan.visits for plan in plans)
    assert [plan.visits for plan in plans] == sorted((plan.visits for plan in plans), reverse=True)
    assert plans[0].visits == best


@pytest.mark.compiled
def test_while_plans_are_played_on_only_the_others_draw_their_turns() -> None:
    games = ParallelGames(400)
    games.begin(View(Game.new(3, seed=5, first=0).view_for(0), BOARDS), packaged_network(3).layers, generator(1), 400)
    games.advance()
    chosen = set(games.chosen.tolist())
    games.let_others_draw(np.random.default_rng(1))
    assert set(games.chosen.tolist()) == chosen and len(chosen) == 1, "her own turn, in games that are alike"
    assert not games.luck.any()
    games.advance()
    assert (games.games["seat"] == 1).all() and len(set(games.chosen.tolist())) == 1
    games.let_others_draw(np.random.default_rng(1))
    assert len(set(games.chosen.tolist())) > 5
    scattered, without_luck = games.outcomes_by_seat(), games.outcomes_by_seat() - games.luck
    assert np.allclose(without_luck, without_luck[0], atol=1e-3), "one turn was drawn, and what it changed is known"
    assert np.allclose(without_luck[0], scattered.mean(axis=0), atol=4 * scattered.std(axis=0).max() / 20)


@pytest.mark.compiled
def test_chances_in_a_game_that_is_decided_stay_between_none_and_all() -> None:
    here = position("4 players, phase 3, R to move\n R 20 florins\n Y 150 florins\n Tunis [R .]")
    for plan in champion(12).lines(View(here.states, BOARDS), generator(3)):
        assert min(plan.win) >= 0 and max(plan.win) <= 1
        assert sum(plan.win) == pytest.approx(1, abs=1e-3)


def test_on_another_board_it_plays_as_the_admiral() -> None:
    boards = other_board().boards
    here = position("3 players, R to move\n Tunis [R .]")
    plans = champion(3).lines(View(here.states, boards), generator(1))
    assert sum(plan.visits for plan in plans) == 2, "three simulations of the search: the first finds the plans"
    for players in (2, 3, 4, 5):
        assert not packaged_network(players).fits(boards) and not knows_board(players, boards)
        assert packaged_network(players).fits(BOARDS) and knows_board(players, BOARDS)


def test_it_is_reproducible() -> None:
    here = "4 players, R to move\n Tunis [R .]"
    assert answer("champion", here) == answer("champion", here)


@pytest.mark.compiled
def test_what_it_thought_before_makes_no_difference() -> None:
    """Its work arrays are used again, for other numbers of players and of games too."""
    bot = champion(40)
    for players in (3, 5, 4):
        view = View(Game.new(players, seed=players, first=0).view_for(0), BOARDS)
        assert bot.lines(view, generator(2)) == champion(40).lines(view, generator(2))


@pytest.mark.parametrize("name", [PACKAGED, FOR_TWO])
def test_the_files_that_come_with_the_package(name: str) -> None:
    content = (DATA / name).read_bytes()
    assert len(content) < network.MOST_BYTES
    found = read_network(content, name)
    assert found.fits(BOARDS)
    assert {"mix", "seed", "minutes", "batch", "rate"} <= set(found.recipe)
    assert found.layers.first.shape[0] == CELLS == len(SCALES)


def altered(**changes: object) -> bytes:
    """The packaged file with some of its content changed; an entry of `about` by its name, or an array."""
    with np.load(DATA / PACKAGED) as archive:
        content = {name: archive[name] for name in archive.files}
    about = json.loads(str(content["about"]))
    for name, value in changes.items():
        if isinstance(value, np.ndarray):
            content[name] = value
        else:
            about[name] = value
    if "about" not in changes:
        content["about"] = np.array(json.dumps(about))
    file = io.BytesIO()
    np.savez(file, **content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "network-damaged"),
        (b"nothing", "network-damaged"),
        ((DATA / PACKAGED).read_bytes()[:100_000], "network-damaged"),
        (b"x" * 6_000_001, "network-too-large"),
        (altered(format=2), "network-of-other-version"),
        (altered(features=0), "network-of-other-version"),
        (altered(rules="0"), "network-of-other-version"),
        (altered(digest="0"), "network-damaged"),
        (altered(second_bias=np.zeros(256, np.float16)), "network-damaged"),
        (altered(last_bias=np.zeros(9, np.float16)), "network-damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else len(value),
)
def test_a_file_that_does_not_fit_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(BadNetwork) as refused:
        read_network(content, "mine.npz")
    assert refused.value.reason == reason
    assert "mine.npz" in str(refused.value)


def test_a_network_with_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    """Even if its digest fits."""
    layers = [np.array(part) for part in packaged_network(3).layers]
    for k in (0, -1):
        layers[k] = layers[k] / SCALES[:, None]
    network.write_network(tmp_path / "whole.npz", layers, BOARDS, {})
    read_network((tmp_path / "whole.npz").read_bytes(), "whole.npz")
    layers[3][0] = np.nan
    network.write_network(tmp_path / "broken.npz", layers, BOARDS, {})
    with pytest.raises(BadNetwork):
        read_network((tmp_path / "broken.npz").read_bytes(), "broken.npz")
