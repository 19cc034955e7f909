"""Pages of a game at the terminal: greeting, help, one city, all hands, paydays, the final ranking, and hints."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from elcapitan.actions.text import voyage_to_text
from elcapitan.board.board_file import nearest
from elcapitan.cli.command_line import BadInput, plain_table
from elcapitan.cli.terminal_game.painter import PIRATE_SIGN, Painter, flow
from elcapitan.cli.terminal_game.screen import Screen
from elcapitan.engine.actions import END
from elcapitan.engine.vocabulary import CITY_NAMES, SITES
from elcapitan.game.game import Game
from elcapitan.game.position_queries import Income, Payday
from elcapitan.players.seats import ComputerPlayers, Suggestion, adviser
from elcapitan.position.facts import FREE, SHUTTING, VACATED, CityFacts, DecodedPosition
from elcapitan.text.actions import GROUPS, labels
from elcapitan.text.catalogue import _
from elcapitan.text.names import level_name
from elcapitan.text.narration import verdict
from elcapitan.text.rulebook import plain

PANEL: Final = 84  # columns of the greeting at the most

# Commands besides actions, in English and in the reader's language.
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
    "build 5": _("actions can be typed as well: buy Napoli-Tunis, sail Napoli-Tunis, fortress, loan 10, end"),
    "undo": _("undoes the last action, as long as no card has been turned up since"),
    "undo turn": _("undoes the whole turn"),
    "hint": _("asks a computer player what it would do"),
    "forecast": _("shows what a payday now would pay everybody, and for what"),
    "city Napoli": _("shows one city with all its numbers"),
    "hands": _("shows the cards of everybody"),
    "rules WARE-07": _("looks the rules up, by name or by words"),
    "save FILE": _("writes the game to a file; it is kept for you in any case"),
    "table": _("draws the table again"),
    "quit": _("leaves; the game can be resumed"),
}


def greeting(painter: Painter, game: Game, computers: ComputerPlayers, *, interactive: bool) -> RenderableType:
    """The greeting: what the game is about, who plays, and how to begin."""
    t = painter.t
    width = min(painter.console.width, PANEL) - 6 if interactive else painter.console.width
    who = [_seated(painter, seat, computers.title(seat, t)) for seat in range(game.players)]
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
    lines += [Text(note) for note in computers.board_notes(t)]
    if not computers.alone:
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
    """A merchant and, if the computer plays it, the kind of player."""
    return Text.assemble(painter.merchant(seat), f" ({title})" if title else "")


def how_to(painter: Painter) -> RenderableType:
    """The help: commands that can be typed, and what the signs mean."""
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
    """The legend: what the signs of the table mean."""
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
    table.add_row(signs[FREE], t.text("a free building site or berth; the next site is underlined"))
    table.add_row(signs[SHUTTING], t.text("a site that shuts the front warehouse down"))
    table.add_row(signs[VACATED], t.text("a site out of use, vacated by a shut-down"))
    table.add_row("x R", t.text("closed warehouses"))
    table.add_row(PIRATE_SIGN, t.text("the pirate"))
    table.add_row("~R", t.text("a ship without a harbour, which must sail on"))
    table.add_row("20 (-3)", t.text("money, and what is left after all loans"))
    table.add_row("23!", t.text("a debt with a loan that cannot be extended again"))
    return Group(Text(t.text("The signs"), style="bold"), table)


def city_page(painter: Painter, game: Game, name: str) -> RenderableType:
    """One city with the numbers on its track."""
    looks = DecodedPosition(game.view_for(0), game.figures).cities
    city = _named(looks, name)
    t = painter.t
    track = Table.grid(padding=(0, 1, 0, 0))
    for _site in range(SITES + 2):
        track.add_column(justify="right")
    signs = [painter.piece(what) if what >= 0 else Text(painter.signs[what]) for what in city.sites]
    track.add_row(t.text("site"), *(str(site + 1) for site in range(SITES)), "", style="dim")
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


def _named(looks: list[CityFacts], name: str) -> CityFacts:
    """Find a city by name, in any case and without accents; raise `BadInput` if there is none."""
    for city in looks:
        if name and plain(name) in (plain(city.name), plain(city.name).removeprefix("islas ")):
            return city
    raise BadInput("no-city", found=name or "-", nearest=nearest(name, [city.name for city in looks]))


def hands_page(painter: Painter, game: Game) -> RenderableType:
    """The cards of all merchants."""
    merchants = DecodedPosition(game.view_for(0), game.figures).merchants
    if not any(merchant.hand or merchant.bonus for merchant in merchants):
        return Text(painter.t.text("Nobody has a card."))
    return painter.hands(merchants)


def payday_table(painter: Painter, incomes: Sequence[Income]) -> Table:
    """What each merchant is paid, and for what, in a column each."""
    t = painter.t
    table = plain_table("", header_style="table.header")
    for income in incomes:
        table.add_column(painter.merchant(income.seat), justify="right")
    table.add_row(t.text("cities"), *(str(income.cities) for income in incomes), style="dim")
    table.add_row(t.text("proliferation"), *(_amount(income.proliferation) for income in incomes))
    for city in CITY_NAMES:
        if any(city in income.majority for income in incomes):
            table.add_row(city, *(_amount(income.majority.get(city, 0)) for income in incomes))
    for city in CITY_NAMES:
        if any(city in income.fortress for income in incomes):
            title = t.text("fortress in {city}", city=city)
            table.add_row(title, *(_amount(income.fortress.get(city, 0)) for income in incomes))
    if any(income.bonus for income in incomes):
        table.add_row(t.text("bonus card"), *(_amount(income.bonus) for income in incomes))
    table.add_section()
    table.add_row(
        Text(t.text("Total"), style="bold"), *(Text(str(income.total), style="bold cyan") for income in incomes)
    )
    return table


def _amount(florins: int) -> Text:
    """An amount of money; a dim dash for 0."""
    return Text(str(florins)) if florins else Text("-", style="dim")


def payday_page(painter: Painter, payday: Payday) -> Group:
    """A payday that was held, item by item."""
    title = Text(painter.t.text("Payday {number}", number=payday.number), style="bold")
    return Group(title, payday_table(painter, payday.paid))


def forecast_page(painter: Painter, game: Game) -> Group:
    """What a payday now would pay."""
    title = Text(painter.t.text("A payday now would pay:"), style="bold")
    return Group(title, payday_table(painter, game.forecast()))


def ranking(painter: Painter, game: Game) -> Group:
    """Who won, and the final ranking with all money."""
    t = painter.t
    table = plain_table()
    table.add_column(t.text("Rank"), justify="right")
    table.add_column(t.text("Merchant"))
    table.add_column(t.text("Money"), justify="right")
    for rank, seat in sorted(zip(game.ranks, range(game.players), strict=True)):
        table.add_row(str(rank), painter.merchant(seat), Text(str(game.money[seat]), style="bold"))
    return Group(Text(verdict(painter.names, game), style="bold"), table)


def hint_page(screen: Screen, suggestions: Sequence[Suggestion]) -> Group:
    """The advised actions with their numbers in the menu, the best first."""
    t = screen.teller.translator
    title = t.text("What the {level} would do:", level=level_name(adviser(screen.game), t))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold cyan", no_wrap=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_column()
    for suggestion in suggestions:
        table.add_row(*_suggested(screen, suggestion), _expectation(screen, suggestion))
        steps = [*suggestion.actions, *(step for step in suggestion.later if step != END)]
        if later := labels(screen.teller, screen.game, steps)[len(suggestion.actions) :]:
            table.add_row("", "", Text(t.text("then {steps}", steps=", ".join(later)), style="dim"), "")
    return Group(Text(title, style="bold"), table)


def _suggested(screen: Screen, suggestion: Suggestion) -> tuple[str, str, str]:
    """Number, group and words of an action; a whole voyage as it can be typed."""
    entry = next(each for each in screen.menu.entries if each.action == suggestion.actions[0])
    title = GROUPS[entry.group]
    words = entry.words if len(suggestion.actions) == 1 else voyage_to_text(suggestion.actions, screen.game.figures)
    return f"{entry.number})", screen.teller.translator.template(title), words


def _expectation(screen: Screen, suggestion: Suggestion) -> Text:
    """The chance to win and the money of all at the end, if the search estimated them."""
    parts = []
    if suggestion.win is not None:
        parts.append(Text(screen.terminal.text("{percent} % chance to win", percent=round(100 * suggestion.win))))
    for seat, money in enumerate(suggestion.money or ()):
        parts.append(Text.assemble(screen.painter.piece(seat), f" {round(money)}"))
    return Text("  ").join(parts)
