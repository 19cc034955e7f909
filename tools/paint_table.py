"""Paint a table into a folder, to look at it without a server: a position of a record, or one played by computers.

    python tools/paint_table.py FOLDER --record tests/games/15-*.json --at 120 --language de --theme dark
    python tools/paint_table.py FOLDER --players 4 --tiles Porto,Lisboa --seed 3 --moves 90

The folder then holds index.html with its static files; links and buttons lead nowhere. Scripts run only if the folder
is served, as by `python -m http.server`.
"""

import argparse
import shutil
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

from elcapitan.bots import registry
from elcapitan.bots.bot import View
from elcapitan.engine.rng import generator
from elcapitan.game.game import Game
from elcapitan.position.routes import ways_to
from elcapitan.records.capitan import from_capitan
from elcapitan.records.json_record import from_json
from elcapitan.service import Seat, Table, TableSettings
from elcapitan.web import render as pages
from elcapitan.web.view.previews import routes_view
from elcapitan.web.view.results import payday_view
from elcapitan.web.view.table_view import table_view
from elcapitan.web.viewer import Viewer

PAGE = """<!doctype html>
<html lang="{language}" class="scripted" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>El Capitán</title>
<link rel="stylesheet" href="static/theme.css">
<link rel="stylesheet" href="static/table.css">
<link rel="stylesheet" href="static/table_panels.css">
<link rel="stylesheet" href="static/table_popovers.css">
<link rel="stylesheet" href="static/table_screens.css">
</head>
<body class="at-table">
{around}
<div class="screen">{fragment}</div>
<template id="ways-example" data-city="{city}">{ways}</template>
<template id="payday-example">{payday}</template>
<script src="static/table.js" type="module"></script>
</body>
</html>
"""
NAMES = ("Inês", "Marco", "Leyla", "Youssef", "Despina")


EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def table_of(game: Game, *, people: Sequence[int] | None = None) -> Table:
    """A table around a game; people sit everywhere if nothing else is said."""
    seats = tuple(
        Seat("human" if people is None or seat in people else "captain", NAMES[seat], seat)
        for seat in range(game.players)
    )
    return Table("painted", TableSettings(seats), game, 7, EPOCH, EPOCH, 0, undoable=2, redoable=1, thinking=False)


def played(players: int, tiles: Sequence[str], seed: int, moves: int, level: str = "captain") -> Game:
    """A game that computer players have begun."""
    game = Game.new(players, tiles, seed=seed)
    bot, dice = registry.create(level), generator(seed)
    for _ in range(moves):
        if game.seat is None:
            break
        game.play(bot.choose(View(game.view_for(game.seat), game.figures.boards), game.legal(), dice))
    return game


def read(file: Path, at: int | None) -> Game:
    """A game from a record, up to some event."""
    text = file.read_text(encoding="utf-8")
    game = from_json(text) if file.suffix == ".json" else from_capitan(text).game
    if at is not None:
        game.take_back(max(0, len(game.events) - at))
    return game


def paint(folder: Path, table: Table, viewer: Viewer, at: int | None = None) -> str:
    """Write a page with this table; the fragment is returned."""
    static = resources.files("elcapitan.web") / "static"
    with resources.as_file(static) as source:
        shutil.copytree(source, folder / "static", dirs_exist_ok=True)
    shown = table_view(table, viewer, at)
    fragment = pages.rendered("table/table.html", viewer, view=shown, notice=None)
    around = pages.rendered("table/around.html", viewer, view=shown, request_path="/")
    city = shown.cities[0].city.number
    parts = {"ways": "", "payday": ""}
    if table.game.seat is not None and at is None:
        for each in (now.city for now in shown.cities):
            found = routes_view(table, viewer, each.number, ways_to(table.game, each.number))
            if len(found.ways) > 1:
                city = each.number
                parts["ways"] = pages.rendered("table/routes.html", viewer, ways=found)
                break
    if table.game.paydays:
        held = payday_view(table, viewer, table.game.paydays[-1].number)
        parts["payday"] = pages.rendered("table/payday.html", viewer, payday=held)
    page = PAGE.format(
        language=viewer.language, theme=viewer.theme, around=around, fragment=fragment, city=city, **parts
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
    return fragment


def main() -> None:
    """Read the command line and paint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--at", type=int)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--tiles", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--language", default="en")
    parser.add_argument("--theme", default="light")
    parser.add_argument("--replay", type=int, help="show this moment as a replay")
    wanted = parser.parse_args()
    if wanted.record:
        game = read(wanted.record, wanted.at)
    else:
        game = played(wanted.players, [each for each in wanted.tiles.split(",") if each], wanted.seed, wanted.moves)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    table, viewer = table_of(game), Viewer(wanted.language, wanted.theme)
    fragment = paint(wanted.folder, table, viewer, wanted.replay)
    begun = time.perf_counter()
    for _ in range(10):
        shown = table_view(table, viewer, wanted.replay)
    seen = time.perf_counter()
    for _ in range(10):
        pages.rendered("table/table.html", viewer, view=shown, notice=None)
    rendered = time.perf_counter()
    kilobytes, looking, drawing = len(fragment.encode()) / 1000, 100 * (seen - begun), 100 * (rendered - seen)
    print(f"{kilobytes:.1f} kB; scene {looking:.1f} ms, template {drawing:.1f} ms")  # noqa: T201


if __name__ == "__main__":
    main()
