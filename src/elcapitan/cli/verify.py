"""`elcapitan verify`: check that the cards of a recorded game came as they were shuffled."""

import json
from typing import Annotated, Final

import typer

from elcapitan.board.figures import Figures, load
from elcapitan.cli import record_files
from elcapitan.cli.options import BoardFile, Json, RecordFile, commitment, value_option
from elcapitan.cli.terminal import Terminal, terminal
from elcapitan.game.game import Game
from elcapitan.records import fairness
from elcapitan.records.fairness import Finding
from elcapitan.text.catalogue import _

HELP: Final = _(
    "Check a game record, .json or .capitan, of a game that is over. When cards are shuffled, a hash of a secret "
    "(a key, or a seed somebody chose) and a salt is shown at the table; the record tells both. They must make this "
    "hash, and every card must be the one that the secret brings. Exit code 0: every card is proved; 1: one is not, or "
    "not all can be checked; 2: the record cannot be read."
)
NOT_PROVED: Final = 1


def verify(
    context: typer.Context,
    file: RecordFile,
    shown: Annotated[
        str | None,
        value_option(
            "--commitment",
            "HASH",
            _("The hash you saw at the table, or its beginning: the record must be about the same one."),
            commitment("--commitment"),
        ),
    ] = None,
    board: BoardFile = None,
    as_json: Json = False,
) -> None:
    """Check how the cards of a game were shuffled, and print what was found."""
    screen = terminal(context)
    figures = load(board)
    screen.compile_rules()
    game, promises = record_files.read_with_shuffles(file, figures)
    finding = fairness.check(game, promises)
    known = shown is None or any(each.commitment.startswith(shown) for each in promises)
    by_lot = fairness.first_by_lot(game, promises)
    if as_json:
        screen.say(json.dumps(_as_object(game, finding, by_lot, known=known), ensure_ascii=False))
    else:
        verdict, *grounds = _sentences(screen, game, finding, by_lot, known=known)
        screen.say(verdict, "bold")
        for sentence in grounds:
            screen.say(sentence)
    if not (finding.fair and known):
        raise typer.Exit(NOT_PROVED)


def _sentences(screen: Terminal, game: Game, finding: Finding, by_lot: bool | None, *, known: bool) -> list[str]:
    """Write the verdict, then what it rests on; `known` tells whether the record has the hash given by the reader."""
    sentences = [_verdict(screen, game, finding), *_shuffles(screen, finding)]
    sentences.append(
        screen.plural(
            "{checked} of {number} card was compared with what the shuffle brings.",
            "{checked} of {number} cards were compared with what the shuffle brings.",
            finding.cards,
            checked=finding.checked,
        )
    )
    seat = game.setup.first + 1
    if by_lot:
        sentences.append(screen.text("Seat {seat} begins, as drawn by lot.", seat=seat))
    elif by_lot is not None:
        sentences.append(
            screen.text("Seat {seat} begins, as agreed; the lot would have drawn another seat.", seat=seat)
        )
    if not known:
        sentences.append(screen.text("The hash you saw at the table is not that of this record."))
    return sentences


def _verdict(screen: Terminal, game: Game, finding: Finding) -> str:
    """Write the verdict in one sentence."""
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
            return screen.text(
                "Event {event} brings {found}, but the shuffle brings {wanted}.",
                event=finding.at,
                found=_card(finding.found, game.figures),
                wanted=_card(finding.wanted, game.figures) or screen.text("no card"),
            )
    return screen.text("Nothing tells how these cards were shuffled: this cannot be checked.")


def _shuffles(screen: Terminal, finding: Finding) -> list[str]:
    """Write a sentence about each shuffle."""
    sentences = []
    for each in finding.promises:
        facts = {"at": each.at, "hash": each.commitment}
        if not each.told:
            sentences.append(screen.text("Shuffled after {at} events, hash {hash}.", **facts))
        elif each.holds:
            sentences.append(screen.text("Shuffled after {at} events: secret and salt make the hash {hash}.", **facts))
        else:
            sentences.append(
                screen.text("Shuffled after {at} events: secret and salt do not make the hash {hash}.", **facts)
            )
    return sentences


def _card(card: int | None, figures: Figures) -> str:
    """Return the name of a card, or nothing if there is none."""
    return "" if card is None else figures.cards[card]


def _as_object(game: Game, finding: Finding, by_lot: bool | None, *, known: bool) -> dict[str, object]:
    """Return what was found, for programs."""
    return {
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
        "first_by_lot": by_lot,
        "commitment_known": known,
    }
