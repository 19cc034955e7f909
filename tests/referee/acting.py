"""Carrying out typed actions. Legality is judged elsewhere; here an action is simply done."""

from __future__ import annotations

from .city import amount, charges, free_spaces, half, ranking, ships_at, shuts_down, spread
from .figures import BONUS_CITIES, CANARIAS, CARDS, LISBOA, PIRATE_STEP, PORTO, PRINTED, card_name, distance
from .flow import deal, end_turn, first_round, next_phase, next_settler, reveal
from .payday import extend, repay
from .table import BANK, Action, House, Player, Table

__all__ = ["apply", "deal", "reveal"]


def apply(table: Table, action: Action) -> None:
    """Do one typed action of the seat to move."""
    kind = action["do"]
    if kind == "buy":
        _buy(table, card_name(action["card"]))
    elif kind == "sail":
        _sail(table, card_name(action["card"]), action["to"])
    elif kind == "build":
        _build(table, action["site"], action["colour"])
    elif kind == "reopen":
        _reopen(table, action["site"], action["colour"])
    elif kind == "fortress":
        _fortress(table)
    elif kind == "loan":
        _loan(table, action["amount"])
    elif kind == "pirate":
        _pirate(table, action)
    elif kind == "end":
        end_turn(table)
    elif kind == "pass":
        _pass(table)
    elif kind in ("repay", "extend"):
        _settle(table, kind, action["amount"])
    elif kind == "starter":
        next_phase(table, action["who"])
    else:
        raise ValueError(f"unknown action {action}")


def _mover(table: Table) -> Player:
    return table.players[table.turn.seat]


def _discard(table: Table, card: str) -> None:
    """A played card goes from the hand to the discards of its kind [CARD-07, G-11]."""
    _mover(table).hand.remove(card)
    table.discards[CARDS[card].kind].add(card)


def _leave_stage_a(table: Table) -> None:
    """The first thing done in a turn makes it a build turn, stage B."""
    if table.turn.stage == "A":
        table.turn.stage = "B"


def _buy(table: Table, card: str) -> None:
    """Pay the price and take the card from the display; the gap stays open [BUY-02, BUY-05]."""
    _mover(table).money -= CARDS[card].price
    table.display[CARDS[card].kind].remove(card)
    _mover(table).hand.add(card)
    table.turn.bought = True
    _leave_stage_a(table)


def _sail(table: Table, card: str, to: str) -> None:
    """Play a card for the own ship [CARD-04..07, SAIL-10]."""
    _discard(table, card)
    _leave_stage_a(table)
    table.turn.sailed = True
    _arrive(table, to)


def _arrive(table: Table, name: str) -> None:
    """Take the lowest free space, or be in transit in a full city; in Canarias anchoring makes the free move due.

    [SAIL-03, SAIL-04, G-01, G-02, CANA-02, G-43]
    """
    player = _mover(table)
    player.place, player.harbour = name, None
    free = free_spaces(table, name)
    player.harbour = free[0] if free else None
    table.turn.free_due = name == CANARIAS and player.harbour is not None


def _build(table: Table, site: int, colour: str) -> None:
    """Pay the harbour's price, place a house from the stock; Lisboa pays at once [WARE-02, LISB-03, G-36, G-41]."""
    player = _mover(table)
    name = player.place
    assert player.harbour is not None
    player.money -= PRINTED[name].harbours[player.harbour - 1]
    player.stock[colour] -= 1
    _place(table, name, site, (table.turn.seat, colour), shuts_down(table, name, site))
    if name == LISBOA and colour == "main":
        first = ranking(table.cities[name])[0] == (table.turn.seat, "main")
        full = amount(table, name)
        player.money += full if first else half(full)


def _reopen(table: Table, site: int, colour: str) -> None:
    """Put a closed house back on the track, free of charge [REOPEN-01..09, G-13, G-18]."""
    name = _mover(table).place
    house = (table.turn.seat, colour)
    table.cities[name].closed.remove(house)
    shut = table.options["reopen_shuts"] and shuts_down(table, name, site)
    _place(table, name, site, house, shut)


def _place(table: Table, name: str, site: int, house: House, shut: bool) -> None:
    """The house stands on the site; then the shut-down of the front, then the bonus check [SHUT-01, G-14, G-24]."""
    city = table.cities[name]
    city.sites[site] = house
    if shut:
        front = city.sites.pop(min(city.sites))
        (city.removed if name == PORTO else city.closed).append(front)
    _check_bonus(table)
    table.turn.stage = "C"


def _check_bonus(table: Table) -> None:
    """Open houses in nine cities win the next bonus card, once per player [PROL-05, EXP-11, TWO-11, G-24]."""
    player = _mover(table)
    if spread(table, table.turn.seat) >= BONUS_CITIES and not player.bonus and table.bonus_cards:
        player.bonus = table.bonus_cards.pop(0)


def _fortress(table: Table) -> None:
    """Pay for and take the cheapest free fortress site [FORT-02, G-19]."""
    player = _mover(table)
    city = table.cities[player.place]
    player.money -= PRINTED[player.place].fortresses[len(city.fortresses)]
    player.stock["fortress"] -= 1
    city.fortresses.append(table.turn.seat)
    table.turn.stage = "C"


def _loan(table: Table, size: int) -> None:
    """The ship goes to the bank, the bank pays, the turn is over [LOAN-01..04, TURN-08]."""
    player = _mover(table)
    player.place, player.harbour = BANK, None
    table.loan_piles[size] -= 1
    player.loans[size] += 1
    player.money += size
    end_turn(table)


def _pass(table: Table) -> None:
    """Nothing is done; but for the skip in round 1 the ship goes to the bank [G-07, G-09, G-51]."""
    if not first_round(table):
        player = _mover(table)
        player.place, player.harbour = BANK, None
    end_turn(table, passed=True)


def _pirate(table: Table, action: Action) -> None:
    """Move the pirate for free (with the charge), for money or by cards [CANA-02, CANA-03, PIRATE-08, G-45]."""
    turn = table.turn
    to = action["to"]
    if action["by"] == "free":
        turn.free_due, turn.free_moved = False, True
    else:
        turn.paid_moved = True
        _leave_stage_a(table)
    if action["by"] == "money":
        assert table.pirate is not None
        _mover(table).money -= PIRATE_STEP * distance(table.pirate[0], to)
    if action["by"] == "cards":
        for step in action["cards"]:
            _discard(table, card_name(step["card"]))
    _land_pirate(table, to, action["harbour"], action.get("shift"))
    if action["by"] == "free":
        for seat, due in charges(table, turn.seat, to).items():
            table.players[seat].money -= due
            _mover(table).money += due


def _land_pirate(table: Table, to: str, harbour: int, shift: int | None) -> None:
    """Shift the ship on the chosen space; a ship of the mover in transit anchors in a space set free.

    [PIRATE-03, G-42, G-48, G-49]
    """
    ships = ships_at(table, to)
    if harbour in ships:
        table.players[ships[harbour]].harbour = shift
    table.pirate = (to, harbour)
    player = _mover(table)
    if player.place in table.cities and player.harbour is None and free_spaces(table, player.place):
        _arrive(table, player.place)


def _settle(table: Table, kind: str, size: int) -> None:
    """One decision about one loan card; after the last one the next seat follows [AFTER-01..04, G-27, G-54]."""
    seat = table.decider
    (repay if kind == "repay" else extend)(table, seat, size)
    if not any(table.players[seat].loans.values()):
        next_settler(table)
