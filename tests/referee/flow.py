"""What follows by itself after a turn: refill, next seat, end of round, phase and game."""

from __future__ import annotations

from .figures import CARDS, DISPLAY_SIZE, NEW_NEUTRAL, NEW_PIECES, PHASES, card_name
from .payday import hold_payday, pay_all_loans, pay_extended, poorest
from .table import Table, Turn


class Impossible(Exception):
    """A card that cannot lie there, or a chance event at the wrong moment."""


def missing(table: Table) -> str | None:
    """The kind of card to turn up next: destinations before links, as far as cards exist [CARD-09, G-11, G-55]."""
    for kind in ("destination", "link"):
        short = len(table.display[kind]) < DISPLAY_SIZE[kind]
        if short and (table.deck[kind] or table.discards[kind]):
            return kind
    return None


def deal(table: Table, destination: list[str], link: list[str]) -> None:
    """Lay out the opening display [SET-06, SET-07]."""
    if table.awaiting != "deal":
        raise Impossible("the display has been dealt already")
    for kind, cards in (("destination", destination), ("link", link)):
        names = [card_name(card) for card in cards]
        if len(names) != DISPLAY_SIZE[kind] or len(set(names)) != len(names):
            raise Impossible(f"the display needs {DISPLAY_SIZE[kind]} different {kind} cards: {cards}")
        for name in names:
            if name not in table.deck[kind]:
                raise Impossible(f"{name} is not a {kind} card")
            table.deck[kind].remove(name)
            table.display[kind].add(name)
    table.awaiting = "turn"


def possible_reveals(table: Table) -> list[str]:
    """The cards one of which is turned up next; an empty deck is renewed from its discards [CARD-08, G-11]."""
    kind = missing(table) if table.awaiting == "reveal" else None
    if kind is None:
        return []
    return sorted(table.deck[kind] or table.discards[kind])


def reveal(table: Table, card: str) -> None:
    """Turn a card up; with the last one the game goes on by itself [CARD-08, CARD-09]."""
    name = card_name(card)
    if name not in possible_reveals(table):
        raise Impossible(f"{card} cannot be turned up now")
    kind = CARDS[name].kind
    if not table.deck[kind]:
        table.deck[kind], table.discards[kind] = table.discards[kind], set()
    table.deck[kind].remove(name)
    table.display[kind].add(name)
    if missing(table) is None:
        _after_refill(table)


def end_turn(table: Table, passed: bool = False) -> None:
    """The turn is over; refill unless it was the game's last turn [CARD-09, G-51, G-55]."""
    table.turns_in_round += 1
    if passed and not first_round(table):
        table.passes_in_round += 1
    if table.phase == PHASES and _phase_over(table):
        _end_phase(table)
    elif missing(table) is not None:
        table.awaiting = "reveal"
    else:
        _after_refill(table)


def first_round(table: Table) -> bool:
    """The first round of the game, in which there are no loans [LOAN-06, G-07]."""
    return table.phase == 1 and table.round == 1


def _round_over(table: Table) -> bool:
    """Everybody has had a turn in this round [TURN-02, PHASE-02]."""
    return table.turns_in_round == len(table.players)


def _phase_over(table: Table) -> bool:
    """The round is over and a stock is empty, or everybody passed [PHASE-01..03, TWO-09, G-10]."""
    empty = any(sum(player.stock.values()) == 0 for player in table.players)
    return _round_over(table) and (empty or table.passes_in_round == len(table.players))


def _after_refill(table: Table) -> None:
    """Go on with the payday, the next round or the next seat [PHASE-04, TURN-02]."""
    if _phase_over(table):
        _end_phase(table)
        return
    seat = (table.turn.seat + 1) % len(table.players)
    if _round_over(table):
        table.round += 1
        table.turns_in_round = table.passes_in_round = 0
        seat = table.starter
    table.turn = Turn(seat)
    table.awaiting = "turn"


def _end_phase(table: Table) -> None:
    """Payday, then loans; after the third the game is over [AFTER-01, AFTER-10, END-01..04, G-29]."""
    hold_payday(table)
    if table.phase == PHASES:
        pay_all_loans(table)
        table.awaiting = "over"
        return
    table.settlers = table.seats_from(table.starter)
    next_settler(table)


def next_settler(table: Table) -> None:
    """On to the next seat with loans to decide about, then to the money check [AFTER-01, AFTER-06, AFTER-07, G-54]."""
    while table.settlers:
        seat = table.settlers.pop(0)
        pay_extended(table, seat)
        if any(table.players[seat].loans.values()):
            table.awaiting = "loans"
            table.decider = seat
            return
    table.awaiting = "starter"
    table.decider = poorest(table)


def next_phase(table: Table, starter: int) -> None:
    """New pieces from the pool and the first round of the next phase [AFTER-08, AFTER-09, TWO-15, G-12]."""
    for player in table.players:
        new = {**NEW_PIECES, "neutral": NEW_NEUTRAL if len(table.players) == 2 else 0}
        for piece, count in new.items():
            player.pool[piece] -= count
            player.stock[piece] += count
    table.phase += 1
    table.round = 1
    table.turns_in_round = table.passes_in_round = 0
    table.starter = starter
    table.turn = Turn(starter)
    table.awaiting = "turn"
