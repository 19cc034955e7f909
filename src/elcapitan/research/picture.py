"""A position as a small SVG picture, the same for every seat, for notebooks, logs and papers.

The table in the browser shows much more; this is what `render` returns.
"""

import xml.etree.ElementTree as ET
from typing import Final

from elcapitan.board.figures import Figures
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import AWAY, BANK, CITY_NAMES, NOBODY, PIRATE
from elcapitan.experiments.arena.svg import NAMESPACE, add, write
from elcapitan.notation.diagram import headline
from elcapitan.notation.sketch import colour_letters
from elcapitan.position.facts import CityFacts, DecodedPosition, MerchantFacts

COLOURS: Final = (
    "#c8321e",
    "#d9a514",
    "#2e8540",
    "#1f4fa6",
    "#6b2d7a",
)  # each has a letter too
PIRATE_COLOUR: Final = "#1e2429"
SITE: Final = 15
WIDE, HIGH, GAP = 12 * SITE + 16, 96, 10  # of a city
COLUMNS, ROWS = 4, 3
LINE: Final = 20  # of a merchant, below the cities


def picture(s: State, figures: Figures) -> str:
    """Draw a position as SVG; nothing face down is in it."""
    seen = DecodedPosition.of(s, figures)
    merchants = seen.merchants
    width, height = COLUMNS * (WIDE + GAP) + GAP, 40 + ROWS * (HIGH + GAP) + LINE * (len(merchants) + 2)
    drawing = ET.Element("svg", {"xmlns": NAMESPACE, "viewBox": f"0 0 {width} {height}", "role": "img"})
    add(drawing, "title").text = "El Capitán: " + headline(s)
    add(drawing, "style").text = "text { font: 11px sans-serif; fill: #1f2f3a; } .soft { fill: #52606a; }"
    add(drawing, "rect", width=width, height=height, fill="#d8e8e6")
    write(drawing, GAP, 22, headline(s), font_weight=600)
    letters = colour_letters(int(s.players))
    for city in seen.cities:
        _city(drawing, city, letters)
    bottom = 40 + ROWS * (HIGH + GAP) + LINE
    for merchant in merchants:
        _merchant(drawing, merchant, bottom + LINE * merchant.seat, figures)
    shown = [figures.cards[card.card] for kind in seen.display for card in kind]
    write(drawing, GAP, bottom + LINE * len(merchants), "For sale: " + ", ".join(shown), class_="soft")
    return ET.tostring(drawing, encoding="unicode")


def _piece(parent: ET.Element, x: float, y: float, owner: int, letters: str, *, round_: bool = False) -> None:
    """Draw a warehouse, a fortress or a ship, or the empty place for one."""
    colour = "#fffdf7" if owner == NOBODY else PIRATE_COLOUR if owner == PIRATE else COLOURS[owner]
    size = SITE - 2
    add(parent, "rect", x=x, y=y, width=size, height=size, rx=size / 2 if round_ else 2, fill=colour, stroke="#52606a")
    if owner != NOBODY:
        letter = "*" if owner == PIRATE else letters[owner]
        write(parent, x + size / 2, y + size - 3, letter, text_anchor="middle", style="fill: #fff; font-weight: 600")


def _city(parent: ET.Element, city: CityFacts, letters: str) -> None:
    """Draw a city: its name and what first rank earns, harbours and fortresses, sites, closed warehouses."""
    x, y = GAP + city.column * (WIDE + GAP), 34 + (city.row - 1) * (HIGH + GAP)
    add(parent, "rect", x=x, y=y, width=WIDE, height=HIGH, rx=6, fill="#fffbf1", stroke="#d8cbb0")
    write(parent, x + 8, y + 16, city.name, font_weight=600)
    write(parent, x + WIDE - 8, y + 16, f"pays {city.pays}", text_anchor="end", class_="soft")
    for number, slot in enumerate(city.harbours):
        _piece(parent, x + 8 + number * 34, y + 24, slot.occupant, letters, round_=True)
        write(parent, x + 24 + number * 34, y + 35, str(slot.price), class_="soft")
    for number, slot in enumerate(reversed(city.fortresses)):
        _piece(parent, x + WIDE - 8 - SITE - number * 34, y + 24, slot.occupant, letters)
        write(parent, x + WIDE - 12 - SITE - number * 34, y + 35, str(slot.price), text_anchor="end", class_="soft")
    for number, site in enumerate(city.sites):
        _piece(parent, x + 9 + number * SITE, y + 48, max(site, NOBODY), letters)
    if city.closed:
        write(parent, x + 8, y + 84, "closed", class_="soft")
    for number, colour in enumerate(city.closed):
        _piece(parent, x + 50 + number * SITE, y + 74, colour, letters)


def _merchant(parent: ET.Element, merchant: MerchantFacts, y: float, figures: Figures) -> None:
    """Write what a merchant has, in one line."""
    add(parent, "rect", x=GAP, y=y - 10, width=12, height=12, rx=2, fill=COLOURS[merchant.seat])
    ship = {BANK: "the bank", AWAY: "away"}.get(merchant.place) or CITY_NAMES[merchant.place]
    told = [
        f"{merchant.cash} florins, owes {merchant.debt}",
        f"warehouses {'+'.join(map(str, merchant.stock))}",
        f"fortresses {merchant.fortresses}",
        f"ship: {ship}",
        "hand: " + (", ".join(figures.cards[card] for card in merchant.hand) or "none"),
    ]
    write(parent, GAP + 18, y, " · ".join(told))
