"""Decisions pinned: what the thinking players do in some games, the same compiled and interpreted.

`python -m tests.bots.test_decisions` writes the file anew; look at the difference before you keep it.
"""

from pathlib import Path

import pytest
from tests.bots.asked_bots import FIGURES, TILES, go_on
from tests.playing import random_game

from elcapitan.actions.text import to_text

FILE = Path(__file__).parent / "decisions.txt"
# Who plays, at which table, after how many actions by chance, and how many decisions are pinned.
CASES = [
    ("trader", 2, 1, 25, 24),
    ("trader", 3, 6, 25, 24),
    ("trader", 5, 0, 25, 24),
    ("captain", 2, 0, 0, 24),
    ("captain", 3, 3, 90, 24),
    ("captain", 4, 2, 120, 24),
    ("captain", 5, 4, 30, 16),
    ("navigator:sims=5", 2, 0, 130, 8),
    ("navigator:sims=5", 3, 2, 130, 8),
    ("navigator:sims=5", 4, 1, 130, 8),
    ("admiral:sims=2", 2, 0, 150, 4),
    ("admiral:sims=2", 3, 0, 150, 4),
]


def name(spec: str, players: int, tiles: int, played: int, most: int) -> str:
    return f"{spec}, {players} players, tiles {tiles:03b}, {played} + {most} actions"


def decisions(spec: str, players: int, tiles: int, played: int, most: int) -> str:
    """What computer players do in a game that chance has begun."""
    names = [tile for bit, tile in enumerate(TILES) if tiles >> bit & 1]
    game = random_game(players, names, seed=20 + players, most=played)
    return "; ".join(to_text(action, FIGURES) for action in go_on(game, [spec] * players, most))


def pinned() -> dict[str, str]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {key: value for key, _, value in (line.partition("| ") for line in lines)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_the_same_is_decided_as_ever(case: tuple[str, int, int, int, int]) -> None:
    assert decisions(*case) == pinned()[name(*case)]


def test_the_file_pins_these_cases_and_no_others() -> None:
    assert list(pinned()) == [name(*case) for case in CASES]
    assert all(pinned().values())


def write() -> None:
    """Pin what is decided now."""
    FILE.write_text("".join(f"{name(*case)}| {decisions(*case)}\n" for case in CASES), "utf-8")


if __name__ == "__main__":
    write()
