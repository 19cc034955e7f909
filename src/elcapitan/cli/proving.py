"""What came of checking how the cards of a game were shuffled, in sentences and for programs."""

import json

from rich.text import Text

from elcapitan import fairness
from elcapitan.cli.terminal import Terminal
from elcapitan.fairness import Finding, first_by_lot
from elcapitan.figures import Figures
from elcapitan.game import Game


def tell(screen: Terminal, game: Game, finding: Finding, *, known: bool) -> None:
    """The verdict, then what it rests on; `known` is whether the hash that somebody saw is in the record."""
    lines = [_verdict(screen, game, finding), *_shuffles(screen, finding), *_cards(screen, finding)]
    by_lot = first_by_lot(game, finding.promises)
    if by_lot is not None:
        seat = game.setup.first + 1
        lines.append(
            screen.text("Seat {seat} begins, as drawn by lot.", seat=seat)
            if by_lot
            else screen.text("Seat {seat} begins, as agreed; the lot would have drawn another seat.", seat=seat)
        )
    if not known:
        lines.append(screen.text("The hash you saw at the table is not that of this record."))
    for number, line in enumerate(lines):
        screen.out.print(Text(line, style="" if number else "bold"), soft_wrap=True)


def _verdict(screen: Terminal, game: Game, finding: Finding) -> str:
    """What came of it, in one sentence."""
    match finding.verdict:
        case fairness.FAIR:
            return screen.text("Every card came as it was shuffled.")
        case fairness.PARTLY:
            return screen.text("Since the first shuffle every card came as it was shuffled, but some came before.")
        case fairness.SEALED:
            return screen.text(
                "The hash is there, but not what is behind it: the game was not over when this was written."
            )
        case fairness.BROKEN:
            return screen.text("Secret and salt of the shuffle after event {at} do not make its hash.", at=finding.at)
        case fairness.OTHER_CARDS:
            found, wanted = (_card(card, game.figures) for card in (finding.found, finding.wanted))
            return screen.text(
                "Event {event} brings {found}, but the shuffle brings {wanted}.",
                event=finding.at,
                found=found,
                wanted=wanted or screen.text("no card"),
            )
    return screen.text("Nothing tells how these cards were shuffled: this cannot be checked.")


def _shuffles(screen: Terminal, finding: Finding) -> list[str]:
    """A line for each shuffle."""
    lines = []
    for each in finding.promises:
        facts = {"at": each.at, "hash": each.commitment}
        if not each.told:
            lines.append(screen.text("Shuffled after {at} events, hash {hash}.", **facts))
        elif each.holds:
            lines.append(screen.text("Shuffled after {at} events: secret and salt make the hash {hash}.", **facts))
        else:
            lines.append(
                screen.text("Shuffled after {at} events: secret and salt do not make the hash {hash}.", **facts)
            )
    return lines


def _cards(screen: Terminal, finding: Finding) -> list[str]:
    """How many cards were checked, and how many cannot be."""
    return [
        screen.plural(
            "{checked} of {number} card was compared with what the shuffle brings.",
            "{checked} of {number} cards were compared with what the shuffle brings.",
            finding.cards,
            checked=finding.checked,
        )
    ]


def _card(card: int | None, figures: Figures) -> str:
    """The name of a card."""
    return "" if card is None else figures.cards[card]


def print_json(screen: Terminal, game: Game, finding: Finding, *, known: bool) -> None:
    """The same for programs."""
    content = {
        "verdict": finding.verdict,
        "fair": finding.fair and known,
        "cards": finding.cards,
        "checked": finding.checked,
        "shuffles": [
            {
                "at": each.at,
                "scheme": each.scheme or "seed",
                "commitment": each.commitment,
                "holds": each.holds if each.told else None,
            }
            for each in finding.promises
        ],
        "event": finding.at,
        "found": _card(finding.found, game.figures) or None,
        "wanted": _card(finding.wanted, game.figures) or None,
        "first_by_lot": first_by_lot(game, finding.promises),
        "commitment_known": known,
    }
    screen.out.print(json.dumps(content, ensure_ascii=False), soft_wrap=True, markup=False, highlight=False)
