"""The commands that are about the engine itself: what they do with what it tells."""

import json
from collections.abc import Callable

import pytest
from tests.cli.running import flat, output

from elcapitan.actions.text import from_text
from elcapitan.board.figures import packaged
from elcapitan.cli import engine
from elcapitan.engine import warm_up
from elcapitan.engine.jit import COMPILED


def test_perft(monkeypatch: pytest.MonkeyPatch) -> None:
    (buy,) = from_text("buy Marseille/3", packaged())
    monkeypatch.setattr(engine, "count_sequences", lambda _states, _boards, depth: 10**depth)
    monkeypatch.setattr(engine, "count_by_first_action", lambda *_: [(buy, 12)])
    page = output("perft", "--depth", "3")
    assert [line.split()[:2] for line in page.splitlines()] == [
        ["Depth", "Positions"],
        ["1", "10"],
        ["2", "100"],
        ["3", "1000"],
    ]
    assert output("perft", "--split").splitlines()[1].split() == ["buy", "Marseille/3", "12"]


def test_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
        progress("games")
        return {"machine": "small", "games": {"3 players": {"games_per_second": 20_000.0 * seconds}}}

    monkeypatch.setattr(engine, "measure", measure)
    assert json.loads(output("bench", "--json", "--seconds", "2"))["games"]["3 players"]["games_per_second"] == 40_000
    page = [line.split() for line in output("bench", "--seconds", "1").splitlines()]
    assert ["machine", "small"] in page
    assert ["games,", "3", "players:", "games", "per", "second", "20,000"] in page


def test_warm_up_of_interpreted_rules() -> None:
    if not COMPILED:
        assert "nothing to compile" in flat(output("warm-up"))


@pytest.mark.parametrize(("compiled_before", "sentence"), [(True, "were compiled already"), (False, "it took 0 s")])
def test_warm_up(monkeypatch: pytest.MonkeyPatch, compiled_before: bool, sentence: str) -> None:
    made: list[str] = []

    def compile_all(done: Callable[[str], None]) -> None:
        for name in ("new", "legal"):
            made.append(name)
            done(name)

    monkeypatch.setattr("elcapitan.cli.engine.COMPILED", True)
    monkeypatch.setattr(warm_up, "is_ready", lambda: compiled_before)
    monkeypatch.setattr(warm_up, "compile_all", compile_all)
    assert sentence in flat(output("warm-up"))
    assert made == ([] if compiled_before else ["new", "legal"])


@pytest.mark.compiled
def test_everything_is_measured() -> None:
    named: list[str] = []
    measured = engine.measure(0.5, named.append)
    assert len(named) > 5
    assert set(measured["batch"]) == {"games", "light", "uniform"}
    assert min(figures({name: measured[name] for name in ("games", "batch", "search")})) > 0


def figures(measured: object) -> list[float]:
    if isinstance(measured, dict):
        return [figure for value in measured.values() for figure in figures(value)]
    return [float(measured)] if isinstance(measured, int | float) else []
