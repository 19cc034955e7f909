"""What is said of a level on a board that its network was not trained for."""

import pytest
from tests.playing import other_board

from elcapitan.board.figures import packaged
from elcapitan.bots.registry import LEVELS
from elcapitan.text.catalogue import translator
from elcapitan.text.names import about_level, board_note, level_name

HERE, ELSEWHERE = packaged().boards, other_board().boards
ENGLISH = translator("en")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_who_learned_on_one_board_plays_as_another_on_others(players: int) -> None:
    assert not any(board_note(level, players, HERE, ENGLISH) for level in LEVELS)
    notes = {level: board_note(level, players, ELSEWHERE, ENGLISH) for level in LEVELS}
    said = {level: note for level, note in notes.items() if note}
    assert said == {
        "champion": "The champion was not trained for this board and plays like the admiral.",
        "helmsman": "The helmsman was not trained for this board and plays like the captain.",
    }


def test_persons_programs_and_budgets() -> None:
    assert board_note("human", 3, ELSEWHERE, ENGLISH) == board_note("cmd:./mine", 3, ELSEWHERE, ENGLISH) == ""
    for spec in ("champion:sims=1", "helmsman:strength=70"):
        level, _colon, _chosen = spec.partition(":")
        assert board_note(spec, 3, ELSEWHERE, ENGLISH) == board_note(level, 3, ELSEWHERE, ENGLISH)


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "helmsman, strength 70"), ("de", "Steuermann, Stärke 70"), ("fr", "timonier, force 70")],
)
def test_a_strength_is_told_with_the_name(language: str, name: str) -> None:
    t = translator(language)
    assert level_name("helmsman:strength=70", t) == name
    assert level_name("helmsman", t) == name.partition(",")[0]
    assert level_name("admiral:sims=400", t) == t.template("admiral")


@pytest.mark.parametrize(
    ("language", "note"),
    [
        ("de", "Der Champion wurde nicht für diesen Spielplan trainiert und spielt hier wie der Admiral."),
        ("fr", "Sans entraînement pour ce plateau, un champion y joue comme un amiral."),
    ],
)
def test_it_follows_the_description_of_the_level(language: str, note: str) -> None:
    t = translator(language)
    assert about_level("champion", HERE, t) == t.template(LEVELS["champion"].about)
    assert about_level("champion", ELSEWHERE, t) == f"{about_level('champion', HERE, t)} {note}"
