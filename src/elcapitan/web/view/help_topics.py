"""Help texts: what `?` explains on the pages, and the rules that say more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from elcapitan.text.catalogue import Translator, _

TOPICS: Final = {
    "city": (
        _(
            "A city pays on every payday: first rank the number under the coin, second rank half of it. "
            "Choose it to see the cheapest ways there."
        ),
        "MAJ-02",
    ),
    "tile": (
        _("A city of the expansion: only sea routes lead here, and everybody present earns at least half."),
        "EXP-12",
    ),
    "site": (
        _(
            "A building site. Warehouses are placed one after another along the U; the number is what "
            "first rank earns when it is the next free space."
        ),
        "WARE-05",
    ),
    "dark": (_("A dark site: a warehouse placed here shuts down the front warehouse of the city."), "SHUT-01"),
    "triangle": (
        _("The triangle: with two or three merchants this is a dark site, with four or five an ordinary one."),
        "BOARD-09",
    ),
    "house": (
        _(
            "An open warehouse. The player with most of them in a city has first rank; in a tie, the one "
            "nearest the start of the track leads."
        ),
        "MAJ-04",
    ),
    "front": (_("The front warehouse. The next one placed in this city shuts it down."), "SHUT-01"),
    "vacated": (_("A vacated site. It is used again once the last site is taken."), "SHUT-06"),
    "coin": (_("The coin lies on the space that pays now: this is what first rank earns."), "MAJ-02"),
    "last": (
        _("The last space. Nothing is built here; once all sites are taken, its number stays in force."),
        "MAJ-06",
    ),
    "harbour": (
        _("A harbour. The number is what a warehouse costs from here; an arriving ship takes the first free one."),
        "SAIL-03",
    ),
    "pirate": (_("The pirate. No ship can use the harbour where it lies."), "PIRATE-01"),
    "fortress": (_("A fortress earns half of the amount on every payday and can never be shut down."), "FORTPAY-01"),
    "closed": (
        _("Closed warehouses. Their owners may re-open them free of charge when their ship lies here."),
        "REOPEN-01",
    ),
    "pennant": (
        _("The pennant flies where most open warehouses stand: fortresses here earn the full amount."),
        "FORTPAY-02",
    ),
    "card": (
        _("A destination card: sail straight to its city, or use its seals as a sea route of so many steps."),
        "CARD-03",
    ),
    "link": (_("An interconnection card leads from one of its two cities to the other."), "CARD-06"),
    "deck": (_("Face-down cards and discards. The display is refilled at the end of a turn."), "CARD-09"),
    "loan": (
        _(
            "A loan is a whole turn: the ship goes to the bank. It is paid back after a payday, or "
            "extended once at a higher price."
        ),
        "LOAN-08",
    ),
    "bank": (_("The bank harbour has room for every ship. A ship leaves it with a destination card."), "SAIL-08"),
    "chart": (
        _("Proliferation: each payday pays for the number of cities in which a merchant has an open warehouse."),
        "PROL-01",
    ),
    "bonus": (
        _("The first three merchants in nine cities take a bonus card. It is paid on the third payday."),
        "PROL-05",
    ),
    "merchant": (
        _(
            "A merchant, with everything all players can see: money, debt, pieces to build, cards, and "
            "where the ship is."
        ),
        "SET-05",
    ),
    "purse": (_("Money in florins. The player with most after the third payday wins."), "END-05"),
    "debt": (_("What the loans cost if they are paid back now."), "LOAN-08"),
    "worth": (_("Net worth: cash less what the loans show. After a payday the poorest names who starts."), "AFTER-06"),
    "payday": (_("What a payday now would pay: for cities, for ranks and for fortresses."), "PAY-01"),
    "stock": (_("Pieces still to build. The phase ends with the round in which a player has none left."), "PHASE-01"),
    "token": (_("El Capitán: this merchant starts every round of the phase."), "AFTER-07"),
    "turn": (
        _(
            "A turn: sail if you like, then place a warehouse, build a fortress or take a loan. Cards can "
            "be bought before and after."
        ),
        "TURN-03",
    ),
    "move_pirate": (_("Once in a turn the pirate can be moved, with cards or for money by the step."), "PIRATE-08"),
    "build": (
        _("A warehouse goes on the next site of the city where your ship lies, and costs the number in its harbour."),
        "WARE-02",
    ),
    "build_fortress": (
        _("A fortress costs the number on the cheapest free fortress site of the city where your ship lies."),
        "FORT-02",
    ),
    "settle": (
        _("A loan is settled after a payday: paid back, or extended once, which costs more after the next one."),
        "AFTER-03",
    ),
    "starter": (_("The poorest merchant names who starts every round of the next phase."), "AFTER-07"),
    "end_turn": (
        _("Ends your turn: the display is filled up and the next merchant plays. Until then you can undo everything."),
        "CARD-09",
    ),
    "phase": (_("The game has three phases of several rounds. Each phase ends with a payday."), "TURN-01"),
    "acts": (
        _("What you can do now, with its price and with what it would change for you on a payday."),
        "TURN-03",
    ),
    "hand": (_("Your sailing cards. Each is good for one voyage, in this turn or in a later one."), "BUY-03"),
    "display": (_("Cards for sale. Buy as many as you can pay for; sail with them now or keep them."), "BUY-02"),
    "ways": (
        _("The cheapest ways to this city, with your cards and those for sale. One click plays the whole way."),
        "SAIL-02",
    ),
    "board": (
        _("The cities of the Mediterranean. Dotted lines join neighbours: a sea route leads along them."),
        "BOARD-13",
    ),
    "stage": (
        _("A payday pays everybody for proliferation, for majorities and for fortresses, one payment at a time."),
        "PAY-01",
    ),
    "result": (_("The merchant with the most money after the third payday has won."), "END-05"),
    "stage_controls": (
        _("How fast the payday is shown: pause it, go on by one payment, or see all of it at once."),
        "",
    ),
    "log": (_("Everything that has happened, the newest last. The arrow beside a turn shows the table after it."), ""),
    "replay": (_("The replay shows any moment of the game. Arrow keys go on by one step."), ""),
    "undo": (_("Undo takes back the last step of your turn, redo plays it again."), ""),
    "hint": (_("A strong computer player says what it would do now, and how it thinks the game would end."), ""),
    "talk": (_("Talk to the others at this table."), ""),
    "menu": (_("Settings, your seat, downloads, and the rules."), ""),
    "tabs": (_("On a small screen: the board, or the cards and the bank."), ""),
    "undo_vote": (_("A player asks to go back to an earlier moment. It happens if all whom it concerns agree."), ""),
    "as_tables": (_("The whole table in words and numbers."), ""),
    "clock": (_("The time that is left for the turn of this merchant."), ""),
    "explain": (
        _("Choose anything on the table, and it is explained here. Or point at it, or go to it, and press the key ?."),
        "",
    ),
}
# Parts of the table that name no topic themselves, by selectors: a part belongs to the first topic that it matches, and
# whatever is inside it too. They are sent once with a page, which is less than to name a topic at every part.
PARTS: Final = {
    "build_fortress": ".act:has([href='#i-tower']), .target:has(.halo-tower)",
    "build": ".act:has([href='#i-house']), .target, #ways .use",
    "settle": ".decision .act:has([href='#i-coin'])",
    "loan": ".act:has([href='#i-coin'])",
    "starter": ".act:has([href='#i-helm'])",
    "end_turn": "#act-end, .act:has([href='#i-flag']), [data-step='end']",
    "move_pirate": "#pirate-panel, .act:has([href='#i-pirate'])",
    "card": ".uses",
    "tile": ".city.tile",
    "city": ".city",
    "board": "#board",
    "clock": ".clock",
    "merchant": ".merchant, #merchants, .hand-list, .top .mine",
    "bank": "#bank",
    "log": "#log",
    "replay": "#replay, #moment-link, #go-back, #branch, #back-to-game, #open-replay, .go-there",
    "display": ".display",
    "hand": "#hand",
    "acts": "#acts",
    "ways": "#ways",
    "hint": "#ask-hint, #hint",
    "phase": ".when",
    "turn": ".guide",
    "undo": "#undo, #redo",
    "undo_vote": "#wish",
    "talk": "#open-talk, #talk",
    "menu": "#open-menu, #menu",
    "tabs": ".tabs",
    "worth": ".standing, .recap",
    "stage_controls": ".stage-bar",
    "stage": "#stage",
    "result": "#final, #result",
    "as_tables": "#as-tables",
    "explain": "#open-rules, #table",
}


@dataclass(frozen=True)
class Topic:
    """A help text about one kind of thing, its rule if there is one, and the parts of the table it is about."""

    name: str
    text: str
    rule: str
    parts: str  # a selector


def topics(t: Translator) -> list[Topic]:
    """Return all help texts in the reader's language."""
    ordered = [*PARTS, *(name for name in TOPICS if name not in PARTS)]
    return [Topic(name, t.template(TOPICS[name][0]), TOPICS[name][1], PARTS.get(name, "")) for name in ordered]


# The same for other pages: what is said there, the rule, and the parts that it is about, the innermost first.
NEW_GAME: Final = {
    "player": (
        _("Who decides for this merchant: somebody on this device, a friend with a link, or the computer."),
        "",
        ".seat .field:has([data-player]), [data-about-here]",
    ),
    "name": (
        _("What this merchant is called at the table. Without a name, it is called by its colour."),
        "",
        ".seat .field:has([name^=name])",
    ),
    "neutral": (
        _("In a game for two, everybody also builds a few warehouses of a second, neutral colour."),
        "TWO-02",
        "[data-neutral]",
    ),
    "colour": (
        _("The colour of ship, warehouses and fortresses. If another seat has it, the two are swapped."),
        "SET-02",
        ".swatches",
    ),
    "remove": (_("Takes this seat away. A game needs two merchants at least."), "SET-01", "[data-remove]"),
    "add": (_("Adds a seat for one more merchant, five at most."), "SET-01", "[data-add]"),
    "levels": (_("What each computer player looks at, from the weakest to the strongest."), "", ".levels"),
    "seats": (
        _("Everybody plays in this order, from top to bottom. Who starts is drawn, or chosen at the end of the form."),
        "SET-11",
        ".crewlist",
    ),
    "webhook": (
        _("The server tells this address whose turn it is. For games over several days; otherwise leave it empty."),
        "",
        ".field:has(#webhook), #webhook-words",
    ),
    "chat": (_("Whether players can write to each other at this table."), "", ".line:has([name=chat])"),
    "clock": (
        _("How long people may think. Without a clock, everybody takes as long as they like."),
        "",
        "fieldset:has(> .field [data-clock])",
    ),
    "friends": (_("What matters only if somebody plays on another device."), "", "#friends"),
    "tiles": (
        _("Each of these adds a city at the western edge of the board. Only sea routes lead there."),
        "EXP-06",
        "fieldset:has([name=tiles])",
    ),
    "pace": (_("How fast the moves of computer players are shown."), "", ".field:has(#pace)"),
    "hints": (
        _("With hints, a button at the table tells what a strong computer player would do."),
        "",
        ".line:has([name=hints])",
    ),
    "forecast": (
        _("The table can show at any time what a payday would pay: to everybody, to each player alone, or to nobody."),
        "PAY-01",
        "fieldset:has([name=forecast])",
    ),
    "first": (
        _("Who plays first in the first phase. Later the poorest merchant decides."),
        "AFTER-07",
        ".field:has(#first)",
    ),
    "options": (
        _("The printed rules leave these points open. As they are set here, they hold for the whole game."),
        "",
        "fieldset:has([name=options])",
    ),
    "title": (_("A name for this game, so that you find it again in the list."), "", ".field:has(#title)"),
    "seed": (
        _("A number from which the cards are shuffled. To play the same cards again, give the same number."),
        "",
        ".field:has(#seed), #seed-words",
    ),
    "create": (_("Creates the game. If friends are to come, you get their links first."), "", ".send"),
    "explain": (
        _("Choose anything on this page, and it is explained here. Or point at it, and press the key ?."),
        "",
        "#open-rules, main",
    ),
}
ROOM: Final = {
    "invite": (
        _("Makes one more link for this seat, to be sent again. Earlier links still work."),
        "",
        "[id^=invite-]",
    ),
    "computer": (
        _("The computer plays this seat until its friend comes and takes it over."),
        "",
        "[id^=computer-], [id^=wait-]",
    ),
    "give_away": (
        _("Leads to where the seat is taken from its player, so that somebody else can have it."),
        "",
        ".room-ways > a",
    ),
    "links": (_("The links with which friends come to this table, one for each seat."), "", ".invite-head .btn"),
    "seat": (
        _("A seat, its player, and whether they are here and ready. This list changes by itself."),
        "SET-01",
        ".room-seat",
    ),
    "ready": (
        _("Tells the others that you can begin. You can take it back until the game starts."),
        "",
        "[id^=ready-]",
    ),
    "start": (
        _("Deals the cards, and the game begins. Nobody has seen a card before."),
        "SET-07",
        "[id^=start]",
    ),
    "summary": (_("Who is missing, and who is here but not ready yet."), "", ".room-start"),
    "talk": (_("What is written here is seen by everybody at this table, and stays for the game."), "", ".room-talk"),
    "explain": NEW_GAME["explain"],
}


def page_topics(t: Translator, parts: Mapping[str, tuple[str, str, str]]) -> list[Topic]:
    """Return the help texts of a page other than the table, in the reader's language."""
    return [Topic(name, t.template(text), rule, selector) for name, (text, rule, selector) in parts.items()]
