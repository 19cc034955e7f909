"""The benchmarks: what is counted, and the page and the plots, from figures that nobody measured."""

import time
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from benchmarks import turns
from benchmarks.contenders import CONTENDERS, GAMES, IN_BATCH, LIGHT_POLICY, SCALED, SEARCH, STARTS, our_game
from benchmarks.peers import GROWTH, Contestant, measure, started
from benchmarks.peers_page import page, plots
from benchmarks.their_engines import openspiel_game, openspiel_python
from benchmarks.turns import Done, searched


def figures() -> dict[str, Any]:
    lines = [
        {"name": each.name, "package": each.package, "kind": each.kind, "does": each.does}
        | {"mask": each.mask, "observation": each.observation}
        | {"actions": [] if each.package == "pgx" else [3_000_000, 1_000_000, 90_000_000 + number]}
        | {"playouts": [20_000 * (each.kind == SEARCH)] * 3, "problem": "no module named pgx"}
        for number, each in enumerate(CONTENDERS)
    ]
    growth = [{"by": by, **step, "actions": [1e6 + 1e5 * len(by)]} for by, steps in GROWTH.items() for step in steps]
    facts = {"date": "2026-01-01", "machine": "small", "method": "none", "versions": {"numba": "1"}}
    games = [{"name": name, "decisions": 500.0, "choices": 4.5, "size": 0, "problem": ""} for name in GAMES]
    games[-1] = {"name": games[-1]["name"], "problem": "not there"}
    scaling = [
        {"name": name, "cores": cores, "actions": [cores * 1e6], "problem": ""}
        for name in SCALED
        for cores in (1, 2, 4)
    ]
    starts = [{"name": name, "warm": [0.5, 0.7, 0.6], "cold": [9.0] * ("El" in name)} for name in STARTS]
    more = {"games": games, "scaling": scaling, "starts": starts, "growth": growth}
    return {**facts, "lines": lines, **more}


def test_the_page_has_every_contender_and_names_what_failed() -> None:
    written = page(figures())
    assert all(f"| {each.name} | {each.does} |" in written for each in CONTENDERS)
    assert "| no module named pgx |" in written and "| date | 2026-01-01 |" in written
    assert "play-outs/s" in written and "images/benchmark-growth.svg" in written
    assert "| fastcatan | 500 | 4.5 | - |" in written and "| not there |" in written


def test_a_rate_is_a_median_with_the_slowest_and_the_fastest_round() -> None:
    written = page(figures())
    assert "| El Capitán | step, restart | bits | - | 3.00 M (1.00 M to 90.00 M) |" in written
    assert "| 20.0 k (20.0 k to 20.0 k) |" in written
    assert "| fastcatan | 1.00 M (1.00 M to 1.00 M) | 2.00 M" in written
    assert "| El Capitán, fleet | 0.60 | 9.00 |" in written and "| fastcatan | 0.60 | - |" in written


def test_only_we_have_a_light_policy_so_it_stands_beside_no_peer() -> None:
    by_kind = {each.kind: {one.package for one in CONTENDERS if one.kind == each.kind} for each in CONTENDERS}
    assert {kind for kind, packages in by_kind.items() if packages == {"elcapitan"}} == {LIGHT_POLICY}
    assert not [each for each in CONTENDERS if "light" in each.does and each.kind not in (LIGHT_POLICY, SEARCH)]
    assert {each.kind for each in SCALED.values()} == {IN_BATCH}


def test_the_plots_are_drawings() -> None:
    for name, drawing in plots(figures()).items():
        assert name.endswith(".svg") and ET.fromstring(drawing).tag.endswith("svg")
        assert "fastcatan" in drawing or "players" in drawing


def test_a_rate_is_work_by_its_time() -> None:
    assert measure(lambda: Done(0.5, 100, 10), 2.0) == (200, 20)


def test_on_one_core_other_programs_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, clock in (({3}, time.process_time), ({0, 1}, time.perf_counter)):
        monkeypatch.setattr(turns, "cores", lambda cores=cores: cores)
        turns.clock.cache_clear()
        assert turns.clock() is clock
    monkeypatch.undo()
    turns.clock.cache_clear()


def test_a_search_counts_the_decisions_of_its_play_outs() -> None:
    done = searched(lambda: None, 12.5)()
    assert (done.actions, done.playouts) == (12.5 * turns.SEARCHED, turns.SEARCHED)


def test_chance_is_not_counted() -> None:
    """Each player of Kuhn poker is dealt a card; then two or three decisions are made, each between two actions."""
    turn = openspiel_python("kuhn_poker")
    assert {turn().actions for _ in range(50)} == {2, 3}
    game = openspiel_game("kuhn_poker")
    assert 2 < game.decisions < 3 and game.choices == 2


def test_our_game_is_described() -> None:
    game = our_game()
    assert 300 < game.decisions < 800 and 3 < game.choices < 8 and game.size == 593


def test_a_contender_that_fails_is_asked_no_more() -> None:
    failing = Contestant({"number": len(CONTENDERS), "cores": 1})
    failing.measure(0.1)
    failing.close()
    assert failing.problem.startswith("IndexError") and failing.actions == []


@pytest.mark.compiled
def test_a_contender_answers_in_every_round() -> None:
    standing_by = Contestant({"number": [each.name for each in CONTENDERS].index("El Capitán, PlainGame"), "cores": 1})
    for _ in range(3):
        standing_by.measure(0.01)
    standing_by.close()
    assert standing_by.problem == "" and len(standing_by.actions) == 3 and min(standing_by.actions) > 1000
    assert standing_by.playouts == [0, 0, 0]


def test_a_start_that_fails_takes_no_time() -> None:
    assert started("import nothing_of_this_name") == 0.0
    assert 0.1 <= started("time.sleep(0.1)") < 60
