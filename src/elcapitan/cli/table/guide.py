"""Pages for people at the table: the greeting, the help, one city, all hands."""

from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from elcapitan import look
from elcapitan.board_file import nearest
from elcapitan.cli.mistakes import BadInput
from elcapitan.cli.table.crew import Crew
from elcapitan.cli.table.paint import PIRATE_SIGN, Painter, flow
from elcapitan.engine.vocabulary import SITES
from elcapitan.game import Game
from elcapitan.look import FREE, SHUTTING, VACATED
from elcapitan.text.actions import GROUPS
from elcapitan.text.catalogue import _
from elcapitan.text.rulebook import plain

PANEL: Final = 84  # columns of the greeting at the most

# The words that are no actions, in English and in the reader's language.
WORDS: Final = {
    "help": _("help"),
    "undo": _("undo"),
    "hint": _("hint"),
    "save": _("save"),
    "rules": _("rules"),
    "forecast": _("forecast"),
    "city": _("city"),
    "hands": _("hands"),
    "table": _("table"),
    "quit": _("quit"),
}
COMMAND_HELP: Final = {
    "12": _("does what stands beside 12 in the list"),
    "sail": _("lists everything of that kind; so do buy, build, loan and pirate"),
    "build 5": _("actions can be typed as well: buy Napoli/1, sail Napoli/1, fortress, loan 10, end"),
    "undo": _("takes the last action back, as long as no card has been turned up since"),
    "undo turn": _("takes the whole turn back"),
    "hint": _("asks a computer player what it would do"),
    "forecast": _("shows what a payday now would pay everybody, and for what"),
    "city Napoli": _("shows one city with all its numbers"),
    "hands": _("shows the cards of everybody"),
    "rules WARE-07": _("looks the rules up, by name or by words"),
    "save FILE": _("writes the game to a file; it is kept for you in any case"),
    "table": _("draws the table again"),
    "quit": _("leaves; the game can be resumed"),
}


def greeting(painter: Painter, game: Game, crew: Crew, *, interactive: bool) -> RenderableType:
    """The first thing anybody sees."""
    t = painter.t
    width = min(painter.console.width, PANEL) - 6 if interactive else painter.console.width
    who = [_seated(painter, seat, crew.title(seat, t)) for seat in range(game.players)]
    lines = [
        Text(
            t.text(
                "Merchants sail the Mediterranean, put up warehouses and fortresses in its cities and live on what the "
                "cities pay on three paydays. Whoever has the most money after the third wins."
            )
        ),
        Text(),
        flow([Text(t.text("At the table:")), *who], width, gap=2),
    ]
    if not crew.alone:
        lines.append(
            Text(
                t.text(
                    "In your turn you may sail, and then you build a warehouse or a fortress, or take a loan. "
                    "Choose by typing a number from the list. “help” explains the screen, “rules” the rules, “hint” "
                    "tells what the computer would do."
                )
            )
        )
    if game.seed is not None and len(game.events) == 1:  # nothing but the deal: it can be played again
        lines.append(Text(t.text("The cards of this game come from seed {seed}.", seed=game.seed), style="dim"))
    if not interactive:
        return Group(Text("El Capitán", style="bold"), *lines)
    return Panel(Group(*lines), title="El Capitán", padding=(1, 2), width=min(painter.console.width, PANEL))


def _seated(painter: Painter, seat: int, title: str) -> Text:
    """A merchant and, behind one that the computer plays, what kind of player it is."""
    return Text.assemble(painter.merchant(seat), f" ({title})" if title else "")


def how_to(painter: Painter) -> RenderableType:
    """The help: what can be typed and what the signs mean."""
    commands = Table.grid(padding=(0, 2, 0, 0))
    commands.add_column(style="bold cyan", no_wrap=True)
    commands.add_column()
    for command, words in COMMAND_HELP.items():
        commands.add_row(_in_own_words(painter, command), painter.t.template(words))
    return Group(Text(painter.t.text("You can type"), style="bold"), commands, Text(), _signs(painter))


def _in_own_words(painter: Painter, command: str) -> str:
    """A command as it can be typed in the reader's language."""
    word, space, rest = command.partition(" ")
    if command in GROUPS:
        return painter.t.template(GROUPS[command]).lower()
    own = painter.t.template(WORDS.get(word, word))
    return own + space + (painter.t.text("turn") if rest == "turn" else rest)


def _signs(painter: Painter) -> Group:
    """What the signs of the table mean."""
    t, signs = painter.t, painter.signs
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row(
        painter.piece(0), t.text("a piece of that merchant: ship, fortress or warehouse; a small letter is neutral")
    )
    table.add_row(
        "H R4 " + signs[FREE] + "5", t.text("harbours, who lies there, and what a warehouse costs from there")
    )
    table.add_row("F " + signs[FREE] + "8", t.text("fortress sites and their prices"))
    table.add_row(signs[FREE], t.text("a free building site or place; the next site is underlined"))
    table.add_row(signs[SHUTTING], t.text("a site that shuts the front warehouse down"))
    table.add_row(signs[VACATED], t.text("a site out of use, vacated by a shut-down"))
    table.add_row("x R", t.text("closed warehouses"))
    table.add_row(PIRATE_SIGN, t.text("the pirate"))
    table.add_row("~R", t.text("a ship without a harbour, which must sail on"))
    table.add_row("23!", t.text("a debt with a loan that cannot be extended again"))
    return Group(Text(t.text("The signs"), style="bold"), table)


def city_page(painter: Painter, game: Game, name: str) -> RenderableType:
    """One city with the numbers on its track."""
    state = game.view_for(0)[0]
    looks = look.cities(state, game.figures, game.forecast())
    city = _named(looks, name)
    t = painter.t
    track = Table.grid(padding=(0, 1, 0, 0))
    for _site in range(SITES + 2):
        track.add_column(justify="right")
    signs = [painter.piece(what) if what >= 0 else Text(painter.signs[what]) for what in city.sites]
    track.add_row("", *(Text(f"S{site + 1}", style="dim") for site in range(SITES)), "")
    track.add_row(t.text("pays"), *(str(number) for number in game.figures.board.track[city.number]))
    track.add_row("", *signs, "")
    parts: list[RenderableType] = [
        Text(city.name, style="bold"),
        painter.slots(t.text("harbours"), city.harbours),
        painter.slots(t.text("fortresses"), city.fortresses),
        track,
        Text(t.text("First rank earns {amount} now.", amount=city.pays)),
    ]
    if city.closed:
        parts.append(Text.assemble(t.text("closed:"), " ", *(painter.piece(colour) for colour in city.closed)))
    return Group(*parts)


def _named(looks: list[look.CityLook], name: str) -> look.CityLook:
    """The city with this name, however it is written."""
    for city in looks:
        if name and plain(name) in (plain(city.name), plain(city.name).removeprefix("islas ")):
            return city
    raise BadInput("no-city", found=name or "-", nearest=nearest(name, [city.name for city in looks]))


def hands_page(painter: Painter, game: Game) -> RenderableType:
    """Everybody's cards."""
    merchants = look.merchants(game.view_for(0)[0], game.figures)
    if not any(merchant.hand or merchant.bonus for merchant in merchants):
        return Text(painter.t.text("Nobody has a card."))
    return painter.hands(merchants)
