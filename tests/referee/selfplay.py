"""Random games played by the referee alone, as traced records."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .acting import apply, deal, reveal
from .city import landings
from .figures import DISPLAY_SIZE
from .flow import possible_reveals
from .judge import BOARD, FORMAT
from .legal import is_legal, offered
from .payday import result
from .reach import card_moves
from .table import Action, Table

Watch = Callable[[Table, list[Action]], None]


def random_pirate_by_cards(table: Table, dice: random.Random) -> Action | None:
    """One pirate voyage with one to three cards from the hand, if the dice find a legal one."""
    hand = sorted(table.players[table.turn.seat].hand)
    if table.pirate is None or not hand:
        return None
    place, steps = table.pirate[0], []
    for card in dice.sample(hand, dice.randint(1, min(3, len(hand)))):
        moves = card_moves(table, card, place)
        if not moves:
            return None
        use, place = dice.choice(moves)
        steps.append({"card": card, "as": use, "to": place})
    ways = landings(table, place)
    if not ways:
        return None
    harbour, shift = dice.choice(ways)
    action: Action = {
        "do": "pirate",
        "by": "cards",
        "cards": steps,
        "to": place,
        "harbour": harbour,
        "shift": shift,
    }
    return action if is_legal(table, action) else None


def choose(table: Table, legal: list[Action], dice: random.Random, eager: float) -> Action:
    """Mostly a main action where one is offered, so that games end; else anything, with few loans."""
    main = [action for action in legal if action["do"] in ("build", "reopen", "fortress")]
    if main and dice.random() < eager:
        return dice.choice(main)
    done = [action for action in legal if action["do"] == "end"]
    if done and dice.random() < eager:
        return done[0]
    kinds = sorted({action["do"] for action in legal})
    kind = dice.choice(kinds)
    if kind == "loan" and len(kinds) > 1 and dice.random() < eager:
        kind = dice.choice([other for other in kinds if other != "loan"])
    return dice.choice([action for action in legal if action["do"] == kind])


def random_record(
    players: int,
    tiles: list[str],
    seed: int,
    options: dict[str, bool] | None = None,
    eager: float = 0.6,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """A whole random game with its trace; ``watch`` sees every position with what is offered in it."""
    dice = random.Random(seed)
    first = dice.randrange(players)
    table = Table(players, tiles, first, options)
    display = {kind: dice.sample(sorted(table.deck[kind]), size) for kind, size in DISPLAY_SIZE.items()}
    deal(table, display["destination"], display["link"])
    events: list[dict[str, Any]] = [{"deal": display}]
    shown = 0
    while table.awaiting != "over":
        if table.awaiting == "reveal":
            card = dice.choice(possible_reveals(table))
            reveal(table, card)
            events.append({"reveal": card})
        else:
            legal = offered(table)
            if watch is not None:
                watch(table, legal)
            seat = table.to_act()
            voyage = random_pirate_by_cards(table, dice) if table.awaiting == "turn" and dice.random() < 0.1 else None
            action = voyage or choose(table, legal, dice, eager)
            apply(table, action)
            money = [player.money for player in table.players]
            events.append({"seat": seat, **action, "offered": legal, "money": money})
        events.extend(table.paydays[shown:])
        shown = len(table.paydays)
    return {
        "format": FORMAT,
        "rules": "referee",
        "players": players,
        "tiles": tiles,
        "board": BOARD,
        "first": first,
        "options": dict(table.options),
        "events": events,
        "result": result(table),
    }
