"""Every computer player answers legally, wherever a game may have got to."""

from collections import Counter

import pytest
from tests.bots.asked_bots import BOARDS, FIGURES, KINDS, TABLES, TILES, answer, legal_in, play_game, walk
from tests.drawings import position

from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.rng import generator
from elcapitan.engine.vocabulary import DESTINATIONS

SPECS = [name if level.search is None else f"{name}:sims=3" for name, level in registry.LEVELS.items()]
FAST = ["wanderer", "trader", "captain", "navigator:sims=1"]  # fast enough to be interpreted
OPTIONS = range(4)


def test_every_level_is_asked() -> None:
    assert [spec.partition(":")[0] for spec in SPECS] == list(registry.LEVELS)


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "tiles"), [each for each in TABLES if sum(each) % 2])
def test_every_level_answers_legally_wherever_random_play_leads(players: int, tiles: int) -> None:
    bots = {spec: registry.create(spec) for spec in SPECS}
    dice = generator(7)
    met = Counter[str]()
    for options in OPTIONS:
        for what, states in walk(players, tiles, 10 * players + tiles + 100 * options, of_each=5, options=options):
            met[what] += 1
            legal = legal_in(states)
            for spec, bot in bots.items():
                assert bot.choose(View(states, BOARDS), legal, dice) in legal, (spec, what)
    wanted = KINDS if tiles & 4 else KINDS - {"free move due", "pirate at sea"}
    assert wanted <= set(met) and met.total() > 80, met


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[::5])
def test_answers_are_legal_at_every_table(players: int, tiles: int) -> None:
    bots = {spec: registry.create(spec) for spec in FAST}
    dice = generator(7)
    asked = 0
    for what, states in walk(players, tiles, players + tiles, of_each=1, options=tiles % 4, beginning=5 * (tiles % 3)):
        legal = legal_in(states)
        asked += 1
        for spec, bot in bots.items():
            assert bot.choose(View(states, BOARDS), legal, dice) in legal, (spec, what)
    assert asked >= 3


@pytest.mark.parametrize("spec", SPECS if COMPILED else FAST)
def test_answers_are_legal_where_no_displayed_card_leads_anywhere(spec: str) -> None:
    """[G-04, G-11] All destinations are in other hands, and from the bank an interconnection leads nowhere."""
    names = FIGURES.cards[:DESTINATIONS]
    here = position(f"""
        4 players, R to move
        Y hand {", ".join(names[:9])}
        G hand {", ".join(names[9:])}
        Bank [R]
        Display: Napoli-Tunis, Venezia-Tunis
    """)
    bot = registry.create(spec)
    for seed in range(10):
        assert answer(bot, here, seed) in ("loan 10", "loan 16")


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("spec", SPECS)
def test_every_level_plays_whole_games(spec: str, players: int) -> None:
    """The checked door refuses what is not legal, and every game comes to its end."""
    tiles = TILES[: players - 2] if players < 5 else TILES
    assert play_game([spec] * players, seed=players, tiles=tiles).over
