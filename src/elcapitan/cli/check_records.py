"""`elcapitan replay` and `verify`: check a game record, tell or draw the game, and check how its cards came."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table

from elcapitan.board.figures import Figures, load
from elcapitan.cli import record_files
from elcapitan.cli.command_line import BadInput, Terminal, terminal, writing
from elcapitan.cli.options import BoardFile, Json, RecordFile, commitment, number_option, value_option
from elcapitan.cli.terminal_game.pages import payday_page, ranking
from elcapitan.cli.terminal_game.painter import Painter
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.experiments.drawing import NAMESPACE
from elcapitan.game.game import Act, Game, Reveal
from elcapitan.notation import diagram
from elcapitan.players.judge import dearest_mistake
from elcapitan.records import shuffles
from elcapitan.records.shuffles import Finding
from elcapitan.service import result_picture
from elcapitan.service.result_picture import SANS, game_result, third_point
from elcapitan.text.catalogue import _
from elcapitan.text.consequences import Teller
from elcapitan.text.names import card_in_words
from elcapitan.text.narration import moment_told, turned_up

REPLAY_HELP: Final = _(
    "Verify a game record, .json or .capitan: every action must be legal and every result right. "
    "Then tell what the game was, or draw one of its positions."
)
MOST_EVENTS: Final = 10_000_000
PICTURES: Final = (".svg", ".png")

VERIFY_HELP: Final = _(
    "Check a game record, .json or .capitan, of a game that is over. When cards are shuffled, a hash of a secret "
    "(a key, or a seed somebody chose) and a salt is shown at the table; the record tells both. They must make this "
    "hash, and every card must be the one that the secret brings. Exit code 0: every card is proved; 1: one is not, or "
    "not all can be checked; 2: the record cannot be read."
)
NOT_PROVED: Final = 1


def replay(
    context: typer.Context,
    file: RecordFile,
    at: Annotated[
        int | None,
        number_option("--at", "N", 0, MOST_EVENTS, _("Draw the position after event N; 0 is the deal.")),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help=_("Tell every turn in words."))] = False,
    picture: Annotated[
        Path | None,
        value_option("--picture", "FILE", _("Save the result of a finished game as a picture, .svg or .png.")),
    ] = None,
    board: BoardFile = None,
) -> None:
    """Verify a record, then print a summary of the game, its turns, or one position, or draw its result."""
    screen = terminal(context)
    figures = load(board)
    if picture:
        _check_picture(picture)
    screen.compile_rules()
    game, names = record_files.read_with_names(file, figures)
    if picture:
        _save_picture(screen, game, names, file, picture)
        return
    if at is not None:
        _draw(screen, game, at)
        return
    painter = Painter(screen.out, Teller(screen.translator, figures), game.players)
    _print_summary(screen, game, file)
    if moves:
        _print_moves(screen, game, painter)
    _print_result(screen, game, painter)


def _check_picture(picture: Path) -> None:
    """Raise `BadInput` if no picture can be saved in this file, before the game is judged, which takes seconds."""
    if picture.suffix.lower() not in PICTURES:
        raise BadInput("not-a-picture", file=picture)
    with writing(picture):
        picture.parent.resolve(strict=True)
    if picture.suffix.lower() == ".png":
        _check_png()


def _save_picture(screen: Terminal, game: Game, names: Sequence[str], file: Path, picture: Path) -> None:
    """Save the result of a finished game as a picture."""
    if not game.over:
        raise BadInput("unfinished", file=file)
    teller = Teller(screen.translator, game.figures, names)
    third = third_point(game, teller, dearest_mistake(game))
    drawn = result_picture.picture(game_result(game, teller), teller, mistake=third)
    content = drawn.encode() if picture.suffix.lower() == ".svg" else _as_png(drawn)
    with writing(picture):
        picture.write_bytes(content)
    screen.say(screen.text("{file} is saved.", file=picture))


def _check_png() -> None:
    """Raise `BadInput` if resvg, which draws PNG, is not installed or finds no fonts."""
    letter = f'<svg xmlns="{NAMESPACE}" width="40" height="40"><text font-family="{SANS}" y="30">W</text></svg>'
    try:
        if _as_png(letter) == _as_png(letter.replace("W", "")):
            raise BadInput("no-fonts")
    except ImportError:
        raise BadInput("no-png") from None


def _as_png(drawn: str) -> bytes:
    """Convert a picture from SVG to PNG."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - an extra that few need

    return bytes(svg_to_bytes(svg_string=drawn, zoom=2))


def _draw(screen: Terminal, game: Game, at: int) -> None:
    """Draw the position after an event."""
    moments = list(game.history())
    if at >= len(moments):
        raise BadInput("no-such-event", found=at, most=len(moments) - 1)
    screen.say(diagram.draw(moments[at].after[0], game.figures))


def _print_summary(screen: Terminal, game: Game, file: Path) -> None:
    """Print what the record holds."""
    screen.print_text(screen.text("{file} holds: every action in it is legal.", file=file), "bold")
    cities = ", ".join(game.setup.tiles) or screen.text("no city of the expansion")
    screen.out.print(
        screen.text(
            "{players} players, {cities}. Events: {events}, of which actions: {actions}.",
            players=game.players,
            cities=cities,
            events=len(game.events),
            actions=sum(isinstance(event, Act) for event in game.events),
        )
    )


def _print_moves(screen: Terminal, game: Game, painter: Painter) -> None:
    """Print every turn in words, and the paydays; each sentence after the number of its event."""
    teller = Teller(screen.translator, game.figures)
    turn, new_cards, last = None, 0, 0
    for number, moment in enumerate(game.history()):
        if isinstance(moment.event, Reveal):
            new_cards, last = new_cards | 1 << moment.event.card, number
            continue
        _print_sentences(screen, last, turned_up(teller, new_cards))
        new_cards = 0
        before = moment.before[0]
        now = (int(before.phase), int(before.round_no), int(before.seat), int(before.stage) >= SETTLING)
        if isinstance(moment.event, Act) and now != turn:
            turn = now
            screen.out.print()
            _print_headline(screen, painter, *now)
        story = moment_told(teller, moment)
        _print_sentences(screen, number, story.deeds)
        if moment.payday:
            screen.out.print()
            screen.out.print(payday_page(painter, moment.payday))
            screen.out.print()
        _print_sentences(screen, number, story.afterwards)


def _print_sentences(screen: Terminal, number: int, sentences: Sequence[str]) -> None:
    """Print sentences about an event, each after its number."""
    for sentence in sentences:
        row = Table.grid(padding=(0, 1, 0, 0))
        row.add_column(style="dim", justify="right", width=5)
        row.add_column()
        row.add_row(str(number), sentence)
        screen.out.print(row)


def _print_headline(
    screen: Terminal, painter: Painter, phase: int, round_number: int, seat: int, settling: bool
) -> None:
    """Print whose turn begins, and when."""
    if settling:
        when = screen.text("after payday {phase}", phase=phase)
    else:
        when = screen.text("phase {phase}, round {round}", phase=phase, round=round_number)
    screen.out.print(painter.merchant(seat).append("  ").append(when, style="dim"))


def _print_result(screen: Terminal, game: Game, painter: Painter) -> None:
    """Print how the game ended, or where it stopped."""
    screen.out.print()
    if game.over:
        screen.out.print(ranking(painter, game))
    else:
        screen.out.print(
            screen.text("The game is not finished: phase {phase}, round {round}.", phase=game.phase, round=game.round)
        )


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
    finding = shuffles.check(game, promises)
    known = shown is None or any(each.commitment.startswith(shown) for each in promises)
    by_lot = shuffles.first_by_lot(game, promises)
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
        case shuffles.FAIR:
            return screen.text("Every card came as it was shuffled.")
        case shuffles.PARTLY:
            return screen.text("Since the first shuffle every card came as it was shuffled, but some came before.")
        case shuffles.SEALED:
            return screen.text(
                "The hash is there, but not what is behind it: the game was not over when this was written."
            )
        case shuffles.BROKEN:
            return screen.text("Secret and salt of the shuffle after event {at} do not make its hash.", at=finding.at)
        case shuffles.OTHER_CARDS:
            return screen.text(
                "Event {event} brings {found}, but the shuffle brings {wanted}.",
                event=finding.at,
                found=_in_words(screen, _card(finding.found, game.figures)),
                wanted=_in_words(screen, _card(finding.wanted, game.figures)),
            )
    return screen.text("Nothing tells how these cards were shuffled: this cannot be checked.")


def _shuffles(screen: Terminal, finding: Finding) -> list[str]:
    """Write a sentence about each shuffle."""
    sentences = []
    for each in finding.promises:
        facts = {"at": each.at, "hash": each.commitment}
        if not each.published:
            sentences.append(screen.text("Shuffle after event {at}: hash {hash}.", **facts))
        elif each.matches:
            sentences.append(screen.text("Shuffle after event {at}: secret and salt make the hash {hash}.", **facts))
        else:
            sentences.append(
                screen.text("Shuffle after event {at}: secret and salt do not make the hash {hash}.", **facts)
            )
    return sentences


def _in_words(screen: Terminal, card: str | None) -> str:
    """Write a card as in sentences, or that there is none."""
    return screen.text("no card") if card is None else card_in_words(card, screen.translator)


def _card(card: int | None, figures: Figures) -> str | None:
    """Return the name of a card as it is typed, if there is one."""
    return None if card is None else figures.cards[card]


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
                "holds": each.matches if each.published else None,
            }
            for each in finding.promises
        ],
        "event": finding.at,
        "found": _card(finding.found, game.figures),
        "wanted": _card(finding.wanted, game.figures),
        "first_by_lot": by_lot,
        "commitment_known": known,
    }
