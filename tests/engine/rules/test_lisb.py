"""LISB: Lisboa, which pays its builders at once."""

from importlib import resources
from pathlib import Path

import pytest
from tests.drawings import position

from elcapitan.board.figures import load

PACKAGED = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")
LOW = "[0, 2, 4, 6, 8, 10, 12, 14, 16, 14, 12, 10, 8]"


def test_reached_and_scored_like_other_tiles() -> None:
    """[LISB-01, G-41] By sea route; on a payday the first gets all, the others half, whatever was paid at once."""
    before = position("4 players, R to move \n R hand Tunis/1 \n Valencia [R .] \n Lisboa Y G")
    after = before.play("sail Tunis/1 ~ Lisboa", "build 3")
    assert after.cash("R") == 20 + 3
    assert after.majority("Lisboa") == {"Y": 6, "R": 3, "G": 3}


def test_prices() -> None:
    """[LISB-02] Nothing from the first space, 1 from the second, apart from the 2 that Lisboa pays for the first."""
    assert position("4 players, R to move \n Lisboa [R .]").play("build 1").cash("R") == 20 - 0 + 2
    assert position("4 players, R to move \n Lisboa [Y R]").play("build 1").cash("R") == 20 - 1 + 2


@pytest.mark.parametrize(
    ("chain", "site", "paid"),
    [
        ("", 1, 2),
        ("", 2, 4),
        (". Y", 1, 4),
        ("Y", 2, 2),
        ("R Y", 3, 6),
        ("Y R", 3, 6),
        ("Y Y R", 4, 4),
        ("R Y Y", 4, 8),
    ],
)
def test_the_builder_is_paid_at_once(chain: str, site: int, paid: int) -> None:
    """[LISB-03, G-41] All of the amount with the majority, ties decided by position, else half."""
    after = position(f"4 players, R to move \n Lisboa [R .] {chain}").play(f"build {site}")
    assert after.cash("R") == 20 + paid


def test_only_the_builder_is_paid_and_only_for_a_warehouse() -> None:
    """[LISB-03] Nothing for the others, nothing for a fortress, nothing for a house elsewhere."""
    before = position("4 players, R to move \n Lisboa [R .] Y Y")
    built = before.play("build 3")
    assert [built.cash(letter) for letter in "RYGB"] == [20 + 3, 20, 20, 20]
    assert before.play("fortress").cash("R") == 20 - 6
    assert position("4 players, R to move \n Tunis [R .] \n Lisboa").play("build 1").cash("R") == 20 - 2


def shutting_sites(players: int, city: str) -> list[int]:
    """The sites of a city on which a house shuts the front down."""
    found = []
    for site in range(3, 13):
        chain = " ".join("Y" if number % 2 else "R" for number in range(site - 1))
        letter = "Y" if site % 2 else "R"
        before = position(f"{players} players, phase 3, {letter} to move \n {city} [{letter} .] {chain}")
        if "shut(R)" in before.play(f"build {site}").city(city):
            found.append(site)
    return found


@pytest.mark.parametrize(
    ("players", "in_lisboa", "in_tunis"),
    [(2, 2, 4), (3, 2, 4), (4, 2, 3), (5, 2, 3)],
)
def test_two_shut_down_sites(players: int, in_lisboa: int, in_tunis: int) -> None:
    """[LISB-04, G-40] Two in Lisboa for any number of players; elsewhere three, and the triangle for two or three."""
    assert len(shutting_sites(players, "Lisboa")) == in_lisboa
    assert len(shutting_sites(players, "Tunis")) == in_tunis


def test_re_opening_is_not_paid() -> None:
    """[G-41] The payment belongs to building."""
    before = position("4 players, phase 2, R to move \n Lisboa [R .] . Y Y R shut(R)")
    assert before.play("reopen 5").cash("R") == 20
    assert before.play("build 5").cash("R") == 20 + 5


def test_paid_after_the_shut_down() -> None:
    """[G-41] The house on S7 shuts Red's front; only thereby Yellow has the majority and gets all of 14."""
    after = position("4 players, Y to move \n Lisboa [Y .] R Y Y R G R").play("build 7")
    assert after.city("Lisboa") == "Lisboa [Y .] . Y Y R G R Y . . . . . shut(R)"
    assert after.cash("Y") == 20 + 14


def test_the_price_must_be_in_cash_first() -> None:
    """[G-41] Without a florin nothing can be built from the second space, though Lisboa would pay more."""
    poor = "4 players, R to move \n R {} \n Lisboa [Y R] Y R"
    assert position(poor.format("0 florins")).legal("build") == []
    assert position(poor.format("1 florin")).play("build 3").cash("R") == 1 - 1 + 6


def test_half_is_rounded_down(tmp_path: Path) -> None:
    """[G-41] On a board whose Lisboa shows 7 after three houses, a builder without majority gets 3."""
    start = PACKAGED.index("[expansion.Lisboa]")
    odd = tmp_path / "odd.toml"
    odd.write_text(PACKAGED[:start] + PACKAGED[start:].replace(LOW, LOW.replace(" 6,", " 7,"), 1), encoding="utf-8")
    after = position("4 players, B to move \n Lisboa [B .] R Y", load(odd)).play("build 3")
    assert after.cash("B") == 20 + 3


def test_in_the_backward_stage_the_last_space_pays() -> None:
    """[G-41] 8 with the majority, else 4, wherever the front is."""
    chain = ". . Y R R Y R Y Y R Y {}"
    first = position(f"4 players, phase 3, R to move \n Lisboa [R .] {chain.format('R')}").play("build 2")
    assert first.cash("R") == 20 + 8
    other = position(f"4 players, phase 3, G to move \n Lisboa [G .] {chain.format('R')}").play("build 2")
    assert other.cash("G") == 20 + 4
    last_site = position(f"4 players, phase 3, G to move \n Lisboa [G .] {chain.format('.')}").play("build 12")
    assert last_site.cash("G") == 20 + 4


def test_price_nothing_in_debt() -> None:
    """[G-58] From the first space a house can be built with less than nothing; from the second it cannot."""
    drawing = "4 players, phase 2, R to move \n R -9 florins \n Lisboa [{}]"
    assert position(drawing.format("R .")).play("build 2").cash("R") == -9 + 4
    assert position(drawing.format("Y R")).legal("build") == []


@pytest.mark.parametrize(("harbour", "offered"), [("[. .]", True), ("[. Y]", True), ("[Y .]", False)])
def test_in_debt_one_may_sail_to_build_for_nothing(harbour: str, offered: bool) -> None:
    """[G-58, G-28] With a card in hand Lisboa's first space is a goal even with less than nothing, the second none."""
    debtor = "4 players, phase 2, R to move \n R -9 florins; hand Tunis/1 \n Valencia [R .]"
    assert position(f"{debtor} \n Lisboa {harbour}").offers("sail Tunis/1 ~ Lisboa") == offered


def test_in_debt_there_is_no_pass_while_a_house_costs_nothing() -> None:
    """[G-58, G-09] No loan is left, yet Red can build from the first space and so must; from the second Red passes."""
    drawing = "4 players, phase 2, R to move \n R -9 florins \n Y 0 florins; owes 18x10 12x16 \n Lisboa [{}]"
    assert position(drawing.format("R .")).legal() == ["build 1", "build 2"]
    assert position(drawing.format("G R")).legal() == ["pass"]
