"""Board files: the figures live there, marked by provenance, and those that break the rules' ground are refused."""

from importlib import resources
from pathlib import Path

import pytest
from tests.drawings import position

from elcapitan.board.figures import Figures, load
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.errors import BadBoard

PACKAGED = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")


def edited(tmp_path: Path, table: str, old: str, new: str) -> Path:
    """A file with one change in a table of the packaged one."""
    start = PACKAGED.index(f"\n[{table}]")
    assert old in PACKAGED[start:]
    path = tmp_path / "mine.toml"
    path.write_text(PACKAGED[:start] + PACKAGED[start:].replace(old, new, 1), encoding="utf-8")
    return path


def reason(path: Path) -> tuple[str, str]:
    """For which key and why a file is refused."""
    with pytest.raises(BadBoard) as caught:
        load(path)
    return caught.value.key, caught.value.reason


def test_another_price_needs_no_other_rules(tmp_path: Path) -> None:
    """[G-46] What is not in the rulebooks is data: who knows a better number changes the file alone."""
    dearer: Figures = load(edited(tmp_path, "cities.Tunis", "is = [2, 3]", "is = [6, 7]"))
    assert position("4 players, R to move \n Tunis [R .]", dearer).play("build 1").cash("R") == 20 - 6
    assert position("4 players, R to move \n Tunis [R .]").play("build 1").cash("R") == 20 - 2


def test_invented_values_are_marked() -> None:
    """[G-46] Marseille's prices are attested, those of Porto, Islas Canarias and most cards are choices."""
    sources = load().sources
    assert sources["cities.Marseille.harbours"] == sources["cities.Marseille.fortresses"] == "A"
    assert sources["expansion.Lisboa.harbours"] == sources["cards.links.Venezia-Tanger"] == "A"
    for key in ("expansion.Porto.harbours", "expansion.Islas Canarias.track", "cards.destinations.Tunis.1.price"):
        assert sources[key] == "X"


def test_a_figure_without_provenance_is_refused(tmp_path: Path) -> None:
    """[G-46] Every value says where it comes from."""
    path = edited(tmp_path, "cities.Tunis", ', source = "D"', "")
    assert reason(path) == ("cities.Tunis.place.source", "missing")


def test_the_known_fragments_hold() -> None:
    """[G-46] What the rulebooks do tell: prices, track fragments, one card, Lisboa's two sites."""
    printed = load().printed
    known = {
        "cities.Marseille.harbours": (4, 5),
        "cities.Marseille.fortresses": (8, 10),
        "expansion.Lisboa.harbours": (0, 1),
        "cards.links.Venezia-Tanger": 3,
        "cards.links.Marseille-Napoli": 2,
    }
    assert {key: printed[key].value for key in known} == known
    board = load().board
    marseille, lisboa = CITY_NAMES.index("Marseille"), CITY_NAMES.index("Lisboa")
    assert board.track[marseille, :3].tolist() == [0, 4, 8]
    assert board.track[lisboa, 2:4].tolist() == [4, 6]
    assert (board.dark[marseille].sum(), board.dark[lisboa].sum()) == (3, 2)


@pytest.mark.parametrize("dark", ["[1, 9, 11]", "[2, 9, 11]"])
def test_no_shut_down_before_the_third_site(tmp_path: Path, dark: str) -> None:
    """[G-60] A house on the first or second site could be its own front."""
    path = edited(tmp_path, "cities.Tunis", "is = [7, 9, 11]", f"is = {dark}")
    assert reason(path) == ("cities.Tunis.dark", "too-early")
    third = load(edited(tmp_path, "cities.Tunis", "is = [7, 9, 11]", "is = [3, 9, 11]"))
    after = position("4 players, R to move \n Tunis [R .] Y G", third).play("build 3")
    assert after.city("Tunis") == "Tunis [R .] . G R . . . . . . . . . shut(Y)"


@pytest.mark.parametrize("site", [1, 2])
def test_no_triangle_before_the_third_site(tmp_path: Path, site: int) -> None:
    """[G-60] The triangle is a shut-down site as well."""
    path = edited(tmp_path, "cities.Tunis", "is = 5", f"is = {site}")
    assert reason(path) == ("cities.Tunis.triangle", "too-early")


def test_fortress_prices_must_not_fall(tmp_path: Path) -> None:
    """[G-60] The first free site counts as the cheapest; equal prices are fine."""
    assert reason(edited(tmp_path, "cities.Tunis", "is = [4, 6]", "is = [6, 4]")) == (
        "cities.Tunis.fortresses",
        "falls",
    )
    equal = load(edited(tmp_path, "cities.Tunis", "is = [4, 6]", "is = [5, 5]"))
    assert position("4 players, R to move \n Tunis [R .] forts(Y .)", equal).play("fortress").cash("R") == 20 - 5


def test_on_another_board_the_first_space_may_be_the_dearer_one(tmp_path: Path) -> None:
    """[G-01, G-06, G-45] Red has 2 florins after the pirate has left Tunis, and then arrives on the space for 3."""
    figures = load(edited(tmp_path, "cities.Tunis", "is = [2, 3]", "is = [3, 2]"))
    drawing = "4 players, R to move \n R 4 florins; hand Tunis/1 \n Bank [R] \n Tunis [* .] \n Canarias"
    before = position(drawing, figures)
    assert before.play("sail Tunis/1").offers("build 1")
    assert before.legal("pirate") == []
