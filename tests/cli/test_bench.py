"""The benchmark of the engine runs to its end: every figure is measured, none is zero."""

import pytest

from elcapitan.cli import bench

pytestmark = pytest.mark.compiled


def figures(measured: object) -> list[float]:
    if isinstance(measured, dict):
        return [figure for value in measured.values() for figure in figures(value)]
    return [float(measured)] if isinstance(measured, int | float) else []


def test_everything_is_measured() -> None:
    named: list[str] = []
    measured = bench.measure(0.5, named.append)
    assert len(named) > 5
    assert set(measured["batch"]) == {"games", "light", "uniform"}
    assert min(figures({name: measured[name] for name in ("games", "batch", "search")})) > 0
