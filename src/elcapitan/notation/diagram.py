"""Positions as drawings that people read and write, and that are read back.

    4 players, phase 2, round 3, Y under way
    R  9 florins, 4 houses, 1 fortress; owes 10 2x16!; hand Marseille/3, Napoli-Tunis
    Marseille [Y .] . G G G B . . . . . . . forts(G .) shut(R)

Everything after a # is a remark for the reader. What a drawing may leave out, and what then holds, is told in
`docs/notation.md`.
"""

from collections.abc import Sequence
from typing import Final

from elcapitan.actions.text import short_city
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    DEFAULT_OPTIONS,
    DESTINATION_CARDS,
    DESTINATIONS,
    DUE,
    LINK_CARDS,
    MADE,
    NOBODY,
    OPTION_NAMES,
    OVER,
    PIRATE,
    REVEAL,
    SITES,
)
from elcapitan.notation.from_sketch import lay_out
from elcapitan.notation.sketch import BONUS, STAGES, colour_letters, seat_letters, sketch
from elcapitan.position.facts import SHUTTING as SHUTTING_SITE
from elcapitan.position.facts import CityFacts, DecodedPosition, MerchantFacts, bits

STAGE_WORDS: Final = {stage: words for words, stage in STAGES.items()}
WIDTH: Final = 100  # of a list of cards, in characters
FREE, SHUTTING, PIRATE_SIGN = ".", ":", "*"


def read(text: str, figures: Figures | None = None) -> States:
    """The position that a drawing shows, as an array of one record; `BadDrawing` if it shows none."""
    figures = figures or packaged()
    return lay_out(sketch(text, figures), figures)


def draw(s: State, figures: Figures, *, deck: bool = False) -> str:
    """A position as a drawing, which `read` reads back; with `deck` also the order of the face-down cards."""
    position = DecodedPosition.of(s, figures)
    s = position.state
    parts = [
        [headline(s)],
        _merchants(position),
        [*_cities(position), *_harbours(s, figures)],
        _cards(position, deck=deck),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part) + "\n"


# The headline.


def headline(s: State) -> str:
    """Who is to decide what, and when."""
    letters = seat_letters(int(s.players))
    items = [f"{s.players} players", f"phase {s.phase}", f"round {s.round_no}", _stage(s, letters[s.seat])]
    if s.starter:
        items.append(f"{letters[s.starter]} first")
    return ", ".join(items + _turn_items(s) + _option_items(s))


def _stage(s: State, letter: str) -> str:
    """Whose turn it is and how far it has come."""
    if s.stage == OVER:
        return "over"
    return f"after {letter}" if s.stage == REVEAL else f"{letter} {STAGE_WORDS[int(s.stage)]}"


def _turn_items(s: State) -> list[str]:
    """What is worth mentioning about round and turn."""
    items = []
    if s.passes:
        items.append(_count(int(s.passes), "pass", "passes"))
    if s.free_move in (DUE, MADE):
        items.append(f"free move {'due' if s.free_move == DUE else 'made'}")
    if s.pirate_at != NOBODY:
        items.append(f"pirate at {short_city(s.pirate_at)}")
    elif s.pirate_used:
        items.append("pirate used")
    return items


def _option_items(s: State) -> list[str]:
    """Table options that are not as usual."""
    changed = int(s.options) ^ DEFAULT_OPTIONS
    return [f"{'with' if s.options & bit else 'without'} {name}" for name, bit in OPTION_NAMES.items() if changed & bit]


# The merchants.


def _merchants(position: DecodedPosition) -> list[str]:
    """What the merchants have but their cards, one line for each."""
    rows = [_purse(merchant) for merchant in position.merchants]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for merchant, (florins, houses, fortresses) in zip(position.merchants, rows, strict=True):
        letter = seat_letters(len(rows))[merchant.seat]
        said = f"{letter} {florins:>{widths[0]}}, {houses + ',':<{widths[1] + 1}} {fortresses}"
        if any(merchant.lost):
            said += f", {_both(merchant.lost)} lost"
        if merchant.bonus_card:
            said += f", {BONUS[merchant.bonus_card - 1]} bonus"
        if merchant.loans:
            said += f"; owes {_loans(merchant)}"
        lines.append(said)
    return lines


def _purse(merchant: MerchantFacts) -> tuple[str, str, str]:
    """What every merchant has: money, warehouses and fortresses in stock."""
    return (
        _count(merchant.cash, "florin", "florins"),
        _both(merchant.stock) + (" house" if merchant.stock == (1,) else " houses"),
        _count(merchant.fortresses, "fortress", "fortresses"),
    )


def _both(counts: Sequence[int]) -> str:
    """A number by colour: with two players that of the main colour plus that of the neutral one."""
    return "+".join(map(str, counts))


def _loans(merchant: MerchantFacts) -> str:
    """The loan cards of a merchant; flipped ones, which come last, carry an exclamation mark."""
    return " ".join(
        (f"{loans.cards}x" if loans.cards > 1 else "") + f"{loans.amount}" + ("!" if loans.extended else "")
        for loans in sorted(merchant.loans, key=lambda loans: loans.extended)
    )


def _count(number: int, one: str, many: str) -> str:
    """A number and its noun."""
    return f"{number} {one if number == 1 else many}"


# The board.


def city_line(s: State, figures: Figures, city: int) -> str:
    """A city in one line, without remarks and with single spaces: the form that tests write."""
    position = DecodedPosition.of(s, figures)
    look, players = position.city(city), int(s.players)
    track = _track([max(what, NOBODY) for what in look.sites], players)
    parts = [short_city(city), _harbour(look, players), track, _fortresses(look, players)]
    return " ".join(part for part in (*parts, _picture(look, players), _passing(look, players)) if part)


def _cities(position: DecodedPosition) -> list[str]:
    """All cities in play, below a ruler, with marks where a house would shut the front and with what they pay."""
    rows = []
    players = int(position.state.players)
    for look in map(position.city, position.in_play):
        rest = f"{_fortresses(look, players):<10}  {_picture(look, players)} {_passing(look, players)}".rstrip()
        rows.append((short_city(look.number), _harbour(look, players), _track(look.sites, players), rest, look.pays))
    width = max(len(rest) for *_, rest, _ in rows)
    ruler = " ".join(str(site % 10) for site in range(1, SITES + 1))
    lines = [f"{'#':14}  {'':7}  {ruler}  {'':{width}}  # pays"]
    for name, harbour, track, rest, pays in rows:
        lines.append(f"{name:14}  {harbour:7}  {track}  {rest:{width}}  # {pays:>4}")
    return lines


def _harbour(look: CityFacts, players: int) -> str:
    """The ships in a harbour, space by space."""
    signs = {NOBODY: FREE, PIRATE: PIRATE_SIGN} | dict(enumerate(seat_letters(players)))
    return f"[{' '.join(signs[slot.occupant] for slot in look.harbours)}]"


def _track(sites: Sequence[int], players: int) -> str:
    """The twelve sites of a city."""
    signs = {SHUTTING_SITE: SHUTTING} | dict(enumerate(colour_letters(players)))
    return " ".join(signs.get(what, FREE) for what in sites)


def _fortresses(look: CityFacts, players: int) -> str:
    """The fortress sites, if one is taken."""
    signs = {NOBODY: FREE} | dict(enumerate(seat_letters(players)))
    if all(slot.occupant == NOBODY for slot in look.fortresses):
        return ""
    return f"forts({' '.join(signs[slot.occupant] for slot in look.fortresses)})"


def _picture(look: CityFacts, players: int) -> str:
    """The warehouses that were shut down, if there are any."""
    letters = colour_letters(players)
    return f"shut({' '.join(letters[colour] for colour in look.closed)})" if look.closed else ""


def _passing(look: CityFacts, players: int) -> str:
    """The ship that is passing through, if there is one."""
    return f"<{seat_letters(players)[look.passing[0]]}" if look.passing else ""


def _harbours(s: State, figures: Figures) -> list[str]:
    """The ships at the bank and those off the board."""
    loans = [f"{left}x{amount}" for left, amount in zip(s.loans_left, figures.board.loan_amount, strict=True)]
    bank, away = (f"[{_ships_at(s, place)}]" for place in (BANK, AWAY))
    lines = [f"{'Bank':14}  {bank:7}  # lends {' '.join(loans)}"]
    return [*lines, f"{'Away':14}  {away}"] if away != "[]" else lines


def _ships_at(s: State, place: int) -> str:
    """The ships at a place that has room for all."""
    letters = seat_letters(int(s.players))
    return " ".join(letter for seat, letter in enumerate(letters) if s.ship_city[seat] == place)


# The sailing cards.


def _cards(position: DecodedPosition, *, deck: bool) -> list[str]:
    """Hands, display and discards; with `deck` the face-down cards too, the next to come first."""
    s, figures = position.fields, position.figures
    lines = []
    for letter, merchant in zip(seat_letters(s.players), position.merchants, strict=True):
        lines += _list(f"{letter} hand", merchant.hand, figures)
    for title, cards in (("Display:", s.display), ("Discards:", s.discard)):
        lines += _list(title, bits(cards & DESTINATION_CARDS), figures)
        lines += _list(title, bits(cards & LINK_CARDS), figures)
    if deck:
        for first, left in zip((0, DESTINATIONS), s.deck_left, strict=True):
            lines += _list("Deck:", s.deck[first : first + left][::-1], figures)
    return lines


def _list(title: str, cards: Sequence[int], figures: Figures) -> list[str]:
    """Cards by name after a title, in lines of bearable width; no cards, no line."""
    lines: list[str] = []
    for card in cards:
        name = figures.cards[card]
        if lines and len(lines[-1]) + len(name) + 2 <= WIDTH:
            lines[-1] += f", {name}"
        else:
            lines.append(f"{title} {name}")
    return lines
