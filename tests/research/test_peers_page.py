"""The page and the plots of the benchmarks, from figures that nobody measured."""

import xml.etree.ElementTree as ET
from typing import Any

from benchmarks.contenders import CONTENDERS
from benchmarks.peers import GROWTH, measure
from benchmarks.peers_page import page, plots


def figures() -> dict[str, Any]:
    lines = [
        {"name": each.name, "package": each.package, "kind": each.kind, "cores": each.cores}
        | {"best": 0.0 if each.package == "pgx" else 10.0 ** (3 + number % 4), "problem": "no module named pgx"}
        for number, each in enumerate(CONTENDERS)
    ]
    growth = [{"by": by, **step, "best": 2e6 + 1e5 * len(by)} for by, steps in GROWTH.items() for step in steps]
    facts = {"date": "2026-01-01", "machine": "small", "method": "none", "versions": {"numba": "1"}}
    return {**facts, "lines": lines, "growth": growth}


def test_the_page_has_every_contender_and_names_what_failed() -> None:
    written = page(figures())
    assert all(f"| {each.name} |" in written for each in CONTENDERS)
    assert "| pgx chess | 1 | no module named pgx |" in written and "| date | 2026-01-01 |" in written
    assert "play-outs/s" in written and "images/benchmark-growth.svg" in written


def test_the_plots_are_drawings() -> None:
    for name, drawing in plots(figures()).items():
        assert name.endswith(".svg") and ET.fromstring(drawing).tag.endswith("svg")
        assert "fastcatan" in drawing or "players" in drawing


def test_a_rate_is_work_by_its_time() -> None:
    assert measure(lambda: (0.5, 100), 2.0) == 200
