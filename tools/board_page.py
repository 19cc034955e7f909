"""Write the tables of docs/board.md from the packaged board file.

`python tools/board_page.py` writes them; with `--check` it exits with 1 if the page is out of date.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from citations import PACKAGE, ROOT

PAGE: Final = ROOT / "docs" / "board.md"
SECTION: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
BOARD: Final[Mapping[str, Any]] = tomllib.loads((PACKAGE / "data" / "mediterranean.toml").read_text(encoding="utf-8"))
COLUMNS: Final = ("harbours", "fortresses", "track", "dark", "triangle")
NAMES: Final = {
    "start": "starting money",
    "chart": "proliferation, for 0 to 12 cities",
    "bonus": "proliferation bonus cards",
    "charge": "protection money per building, by phase",
    "pirate_step": "moving the pirate for money, per step",
    "amount": "{} loan: amount",
    "cards": "{} loan: number of cards",
    "due": "{} loan: repayment",
    "extended": "{} loan: repayment once extended",
    "warehouses": "warehouses per player and phase",
    "neutral_warehouses": "neutral warehouses per player and phase, two players",
    "fortresses": "fortresses per player and phase",
}


def main(arguments: Sequence[str]) -> int:
    """Write the page, or compare it with the board file."""
    before = PAGE.read_text(encoding="utf-8")
    after = SECTION.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], before)
    if "--check" in arguments:
        if before != after:
            sys.stderr.write("docs/board.md is out of date: run `make docs`\n")
        return int(before != after)
    PAGE.write_text(after, encoding="utf-8")
    return 0


def cities() -> str:
    """Tabulate the figures of every city, with the notes of the board file below the table."""
    rows, notes = [], []
    for name, city in (BOARD["cities"] | BOARD["expansion"]).items():
        rows.append([name, *(_figure(city[column]) for column in COLUMNS)])
        said = [f"{column} ({city[column]['note']})" for column in COLUMNS if "note" in city[column]]
        notes.append(f"- {name}: {', '.join(said)}")
    head = ["city", "warehouse by harbour", "fortress by site", "track S1 to S12, T", "dark sites", "triangle"]
    return _table(head, rows) + "\nNotes:\n\n" + "\n".join(notes) + "\n"


def destinations() -> str:
    """Tabulate seals and prices of the two destination cards of every city."""
    rows = [
        [city, *(_figure(card[what]) for card in cards for what in ("seals", "price"))]
        for city, cards in BOARD["cards"]["destinations"].items()
    ]
    return _table(["city", "seals", "price", "seals of the other card", "price"], rows)


def links() -> str:
    """Tabulate the prices of the interconnection cards, as a triangle of cities."""
    names = list(BOARD["cities"])
    prices = BOARD["cards"]["links"]
    rows = [
        [city, *(_figure(prices[f"{city}-{other}"]) if f"{city}-{other}" in prices else "" for other in names[1:])]
        for city in names[:-1]
    ]
    return _table(["", *names[1:]], rows)


def money() -> str:
    """Tabulate money, loans and pieces."""
    loans = BOARD["money"]["loans"]
    figures = [(NAMES[name], figure) for name, figure in BOARD["money"].items() if name != "loans"]
    figures += [(NAMES[name].format(size), figure) for size, loan in loans.items() for name, figure in loan.items()]
    figures += [(NAMES[name], figure) for name, figure in BOARD["pieces"].items()]
    rows = [[name, _figure(figure), figure.get("note", "")] for name, figure in figures]
    return _table(["what", "figure", "note"], rows)


def _figure(figure: Mapping[str, Any]) -> str:
    """A figure and the letter of its source."""
    value = figure["is"]
    return f"{' '.join(map(str, value)) if isinstance(value, list) else value} ({figure['source']})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---" for _ in head], *rows]
    return "".join(f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in line)}|\n" for line in lines)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "cities": cities,
    "destinations": destinations,
    "links": links,
    "money": money,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
