"""What thinking players value: a data file that names everything once and nothing else."""

import tomllib
from importlib import resources
from typing import Any

import pytest

from elcapitan.bots.bot import SPREAD, WEIGHED, WEIGHTS_FILE, read_weights, weights
from elcapitan.engine.search.worth import FEATURES, WEIGHTS_SHAPE
from elcapitan.engine.vocabulary import PHASES, SEATS

SETS: dict[str, Any] = tomllib.loads((resources.files("elcapitan") / "data" / WEIGHTS_FILE).read_text("utf-8"))
FLAT = {"cash": 1, "spread": 40}


@pytest.mark.parametrize("players", range(2, SEATS + 1))
@pytest.mark.parametrize("phase", range(1, PHASES + 1))
def test_every_table_and_phase_weighs_every_feature(players: int, phase: int) -> None:
    given = SETS["worth"][f"players{players}"][f"phase{phase}"]
    assert list(given) == list(WEIGHED)
    assert weights("worth")[players - 2, phase - 1].tolist() == list(given.values())


def test_the_file_has_these_sets_and_no_table_but_theirs() -> None:
    assert list(SETS) == ["forecast", "worth"]
    assert set(SETS["worth"]) == {f"players{players}" for players in range(2, SEATS + 1)}
    assert all(set(phases) == {"phase1", "phase2", "phase3"} for phases in SETS["worth"].values())


def test_a_set_may_be_the_same_for_all() -> None:
    table = weights("forecast")
    assert table.shape == WEIGHTS_SHAPE and (table == table[0, 0]).all()
    assert dict(zip(WEIGHED, table[0, 0].tolist(), strict=True)) == dict.fromkeys(WEIGHED, 0) | SETS["forecast"]


@pytest.mark.parametrize("name", ["forecast", "worth"])
def test_money_is_good_and_debts_are_bad(name: str) -> None:
    table = weights(name)
    assert (table[:, :, FEATURES.index("cash")] > 0).all()
    assert (table[:, :, FEATURES.index("debt")] < 0).all()


def test_weights_cannot_be_changed_by_chance() -> None:
    with pytest.raises(ValueError, match="read-only"):
        weights("worth")[0, 0, 0] = 1


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (FLAT | {"luck": 1}, "weighs luck, which nobody counts"),
        ({"players3": {"phase2": FLAT | {"chash": 1}}} | FLAT, "players3"),
        ({f"players{n}": {f"phase{k}": FLAT for k in (1, 2)} for n in (2, 3, 4, 5)}, "phase1, phase2"),
        ({"cash": 1}, f"no {SPREAD} for 2 players in phase 1"),
        (FLAT | {"spread": 0}, f"no {SPREAD}"),
    ],
)
def test_a_set_that_weighs_something_unknown_or_is_not_complete_is_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_weights(given)
