"""An arena from its first game to what is printed and written about it."""

import json
import os
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from elcapitan.arena.edition import DIGEST, version
from elcapitan.arena.match import Played
from elcapitan.arena.report import charts, page
from elcapitan.arena.schedule import Config
from elcapitan.arena.summary import Summary, summarise, to_json
from elcapitan.arena.tournament import Results, check, play_arena
from elcapitan.cli import engine, standings
from elcapitan.cli.bars import games_bar
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.records import write_text
from elcapitan.cli.terminal import Terminal
from elcapitan.game import RULES_VERSION

RESULTS: Final = "results.json"  # the same on every machine
RUN: Final = "run.json"  # when, where and how long
GAMES: Final = "games.jsonl"  # what came of each game, one in a line
RECORDS: Final = "games"  # every game as a record


def hold(
    screen: Terminal, config: Config, *, jobs: int | None, cluster: str | None, out: Path | None, as_json: bool
) -> Results:
    """Play all games, then print and write what came of them."""
    check(config)
    if out:
        _prepare(out)
    if not as_json:
        standings.announce(screen, config)
    engine.ready(screen)
    begun = time.perf_counter()
    results = _play(screen, config, jobs=jobs, cluster=cluster, out=out)
    seconds = time.perf_counter() - begun
    if results.games:
        summary = summarise(results)
        text = as_text(to_json(summary, versions()))
        if out:
            facts = run_facts(len(results.games), seconds, complete=results.complete)
            _write(screen, out, results, summary, text, run=facts)
        if as_json:
            print(text, end="")  # noqa: T201 - not to be wrapped
        else:
            standings.show(screen, summary, seconds=seconds, out=out)
    if not results.complete:
        screen.err.print(
            screen.text(
                "Stopped early: {played} of {scheduled} games were played.",
                played=len(results.games),
                scheduled=config.scheduled,
            ),
            soft_wrap=True,
        )
    return results


def _play(screen: Terminal, config: Config, *, jobs: int | None, cluster: str | None, out: Path | None) -> Results:
    """Play all games under a progress bar, and write each one down when it is finished."""
    with games_bar(screen) as bar:
        task = bar.add_task(screen.text("Games"), total=config.scheduled)

        def finished(played: Played) -> None:
            if out and played.record:
                write_text(out / RECORDS / f"game-{played.result.number + 1:06d}.json", played.record)
            bar.advance(task)

        return play_arena(config, jobs=jobs, cluster=cluster, with_records=out is not None, watch=finished)


def _prepare(folder: Path) -> None:
    """Make the folder; one that has results already is left alone."""
    if (folder / RESULTS).exists() or any((folder / RECORDS).glob("*")):
        raise BadInput("results-there", folder=folder)
    try:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("cannot-write", file=folder, problem=error.strerror or error) from None


def _write(
    screen: Terminal, folder: Path, results: Results, summary: Summary, text: str, *, run: dict[str, Any]
) -> None:
    """Write everything but the records of the games, which are there already."""
    write_text(folder / RESULTS, text)
    write_text(folder / RUN, as_text(run))
    lines = [json.dumps(game.to_json(), ensure_ascii=False) for game in results.games]
    write_text(folder / GAMES, "\n".join(lines) + "\n")
    drawn = charts(screen.translator, summary)
    for name, chart in drawn.items():
        write_text(folder / f"{name}.svg", chart.alone())
    write_text(folder / "report.html", page(screen.translator, summary, drawn, versions()))


def versions() -> dict[str, str]:
    """The versions that decide the results."""
    return {"elcapitan": version("elcapitan"), "rules": RULES_VERSION, "openskill": version("openskill")}


def run_facts(played: int, seconds: float, *, complete: bool) -> dict[str, Any]:
    """What depends on when and where the games were played."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "games_per_second": round(played / max(seconds, 1e-9), 3),
        "complete": complete,
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "sources": DIGEST,
    }


def as_text(content: dict[str, Any]) -> str:
    """An object as the content of a file."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
