"""The texts of the first-game guide; the game itself, with its moments marked, is data/guide.capitan."""

from dataclasses import dataclass
from typing import Final

from elcapitan.text.catalogue import _

BOARD, CARDS = "board", "cards"  # the halves: the cities; purses, cards and the bank


@dataclass(frozen=True)
class Lesson:
    """The text of one moment, its rules, and the half of the table that it is about."""

    title: str
    words: str
    rules: tuple[str, ...]
    look: str = BOARD  # on a phone only one half is in sight


LESSONS: Final = {
    # The first turn.
    "welcome": Lesson(
        _("Welcome aboard"),
        _(
            "You are Inês, with the disc; Marco and Leyla sail against you. After each of three phases comes a "
            "payday, and whoever has the most money after the third wins. This is a real game. Where gold shines, the"
            " move is yours."
        ),
        ("TURN-01", "END-05"),
    ),
    "purse": Lesson(
        _("Your money"),
        _(
            "Everybody starts with 20 florins, six warehouses and one fortress. Money is no secret: the list of "
            "merchants shows what everybody has, owes and may still build, and what a payday would bring now."
        ),
        ("SET-02", "SET-03", "SET-05"),
        CARDS,
    ),
    "city": Lesson(
        _("A city"),
        _(
            "Look at Marseille. Round it runs a track of twelve sites for warehouses, and its numbers say what the city"
            " pays. In the water are two harbours: a ship in the first builds for 4 florins, in the second for 5. "
            "Beside them are two sites for fortresses."
        ),
        ("BOARD-02", "BOARD-03", "BOARD-07"),
    ),
    "first-card": Lesson(
        _("Buy a card"),
        _(
            "Ships sail with cards. A destination card takes you to its city from anywhere, even if your ship is not "
            "yet at sea, so everybody begins with one. Buy Marseille for 4 florins."
        ),
        ("CARD-04", "TURN-11"),
        CARDS,
    ),
    "first-voyage": Lesson(
        _("Set sail"),
        _(
            "The card is in your hand. Play it: your ship sails to Marseille and takes the first free harbour, which "
            "is the cheaper one."
        ),
        ("SAIL-03",),
        CARDS,
    ),
    "first-warehouse": Lesson(
        _("Build a warehouse"),
        _(
            "From the first harbour it costs 4. An empty city lets you choose between its first two sites. Take the "
            "second: a city pays the number just after its last warehouse, so that Marseille pays 8 to whoever ranks "
            "first. For now that is you."
        ),
        ("WARE-02", "WARE-03", "MAJ-02"),
    ),
    "first-end": Lesson(
        _("End your turn"),
        _(
            "One building a turn, and this was it. 12 florins are left. A payday now would bring you 9: first rank in"
            " Marseille pays 8, and being in one city pays 1. End your turn; then new cards fill the gaps."
        ),
        ("TURN-04", "CARD-09"),
    ),
    # Round two: interconnections and proliferation.
    "others": Lesson(
        _("Marco and Leyla"),
        _(
            "They have done the same. Marco went to Tanger, where building is cheap and the payment small; Leyla to "
            "Venezia, which lies between. Dear cities like your Marseille pay best."
        ),
        ("BOARD-03", "MAJ-02"),
    ),
    "link-card": Lesson(
        _("A cheaper card"),
        _(
            "Interconnection cards cost less, but sail only between the two cities they name. Marseille-Alexandria "
            "begins where your ship lies. Buy it for 3 florins."
        ),
        ("CARD-06",),
        CARDS,
    ),
    "link-voyage": Lesson(
        _("Across the sea"),
        _(
            "Play it, and your ship crosses to Alexandria. Your warehouse in Marseille stays and earns; the harbour "
            "you leave is free for others at once."
        ),
        ("CARD-06", "SAIL-10"),
        CARDS,
    ),
    "spread": Lesson(
        _("Two cities"),
        _(
            "You have built in Alexandria too. The more cities have an open warehouse of yours, the more the "
            "proliferation chart pays: 2 florins for two cities, but 20 for six and 60 for nine."
        ),
        ("PROL-01", "PROL-04"),
        CARDS,
    ),
    # The bank.
    "short": Lesson(
        _("Money is short"),
        _(
            "You have 5 florins left, and payday is far. Marco and Leyla have both borrowed before they ran dry. "
            "Borrowing is no shame here: money that builds early earns on every payday."
        ),
        ("LOAN-01",),
        CARDS,
    ),
    "loan": Lesson(
        _("Borrow"),
        _(
            "A loan is a turn of its own: the ship goes to the bank, nothing is bought and nothing built. Borrow 16. "
            "After the payday it costs 20, or 30 if you wait until the next one."
        ),
        ("LOAN-01", "LOAN-08", "TURN-08"),
        CARDS,
    ),
    "twice": Lesson(
        _("Once more to the bank"),
        _(
            "You stayed and borrowed 16 again; Leyla did the same, and Marco was content with 10. Now you have 37 "
            "florins to build with, and you owe 40."
        ),
        ("LOAN-05", "LOAN-07"),
        CARDS,
    ),
    # Ranks.
    "overtaken": Lesson(
        _("Overtaken"),
        _(
            "Leyla has sailed with two cards, by Athina to Alexandria, and had to build on the site before yours. You"
            " have one warehouse each; among equals the one who stands nearer to the beginning ranks first. She would"
            " earn 8 there, and you half of it."
        ),
        ("SAIL-02", "WARE-04", "MAJ-04"),
    ),
    "answer": Lesson(
        _("Return the favour"),
        _(
            "From the bank only a destination card leads back to sea, so you took Venezia and sailed there. Leyla "
            "stands on the second site; now the first is yours. Build, and rank before her: 6 for you, 3 for her."
        ),
        ("SAIL-06", "WARE-04", "MAJ-03"),
    ),
    # Sea routes and harbours.
    "route": Lesson(
        _("Red seals"),
        _(
            "You have bought Valencia with two seals. A destination card may also serve as a sea route: from where "
            "you are, as many steps as it has seals, or fewer. Constantinople is one step from Venezia. Sail there."
        ),
        ("CARD-03", "CARD-05"),
        CARDS,
    ),
    "harbour": Lesson(
        _("The second harbour"),
        _(
            "Leyla's ship lies in the first harbour of Constantinople, so yours took the second, and the warehouse "
            "cost 5. Worth it: you rank before her again, and a payday would bring you 36."
        ),
        ("BOARD-03", "SAIL-03"),
    ),
    "turns": Lesson(
        _("Two turns later"),
        _(
            "You have sailed with two cards to Napoli, by sea route to Athina, and built in both. Six warehouses in "
            "six cities: your stock is empty but for the fortress."
        ),
        ("SAIL-02", "TURN-10"),
    ),
    "fortress": Lesson(
        _("A fortress"),
        _(
            "Your ship may stay in Athina. A fortress goes on the cheapest free site, here for 4. Nothing can close it,"
            " and on every payday it earns half of what its city pays; in the city with the most open warehouses it "
            "earns all of it. Build it."
        ),
        ("FORT-02", "FORTPAY-01", "FORTPAY-02"),
    ),
    # The first payday.
    "phase-end": Lesson(
        _("The phase ends"),
        _(
            "That was your last piece. As soon as somebody has built everything, the round is played to its end, and "
            "then the cities pay."
        ),
        ("PHASE-01", "PHASE-02"),
    ),
    "payday": Lesson(
        _("Payday"),
        _(
            "Six cities pay you 20 by the chart. First ranks bring 8 in Constantinople, 6 each in Venezia and Napoli "
            "and 4 in Athina; second ranks 4 each in Marseille and Alexandria; the fortress 2. That makes 54, and now "
            "you have 59."
        ),
        ("PAY-01", "MAJ-02", "MAJ-03"),
    ),
    "repay": Lesson(
        _("Pay back…"),
        _(
            "After the payments come the loans. Each of yours costs 20 now, or 30 after the second payday. Pay one "
            "back."
        ),
        ("AFTER-02", "LOAN-08"),
        CARDS,
    ),
    "extend": Lesson(
        _("… or extend"),
        _(
            "39 florins are left. Paying the other loan too would leave you 19, and what you build now earns twice. "
            "Extend it: the card is turned over, and then 30 must be paid."
        ),
        ("AFTER-03", "AFTER-04"),
        CARDS,
    ),
    "starter": Lesson(
        _("Who begins"),
        _(
            "Marco extended everything. Counting his debts, he is the poorest, so he names who begins the next phase:"
            " himself. Everybody gets six warehouses and one fortress more."
        ),
        ("AFTER-06", "AFTER-07", "AFTER-08"),
    ),
    # The second phase.
    "nine": Lesson(
        _("The ninth city"),
        _(
            "In the second phase you have added Tunis and Tanger, and now your ship lies in Valencia, the last city "
            "without you. Build: nine cities pay 60 instead of 40, and as the first to get there you take the bonus "
            "card of 15."
        ),
        ("PROL-04", "PROL-05"),
    ),
    "closed": Lesson(
        _("Closed!"),
        _(
            "Leyla has built on the site with the triangle in Constantinople. With two or three players it works like"
            " the dark ones: whoever builds there closes the front warehouse, and that was yours. It lies on the "
            "square and earns nothing. Your next payday falls from 100 to 72; the bonus card is safe."
        ),
        ("SHUT-01", "SHUT-02", "SHUT-05", "SHUT-08"),
    ),
    "reopen": Lesson(
        _("Open again"),
        _(
            "You have sailed to Constantinople. Re-opening is free and takes the turn; the warehouse goes to the next"
            " site. That one is dark, so that the front warehouse closes: this time it is Leyla's."
        ),
        ("REOPEN-01", "REOPEN-02", "REOPEN-03", "SHUT-01"),
    ),
    "payday-two": Lesson(
        _("The second payday"),
        _(
            "138 for you, 138 for Marco, 133 for Leyla: all three are in nine cities. Your fortress in Valencia "
            "earned the full 21, as no city has more open warehouses. The extended loan took 30 by itself."
        ),
        ("FORTPAY-02", "FORTPAY-03", "AFTER-04"),
    ),
    # The third phase.
    "last-phase": Lesson(
        _("The last phase"),
        _(
            "From now on every florin has to come back on a single payday. Dear sites, dark sites and fortresses in "
            "full cities decide. Beware: behind the ninth site the numbers fall again, and a row of yours is never "
            "longer than three."
        ),
        ("WARE-07", "MAJ-02", "END-01"),
    ),
    "end": Lesson(
        _("The end"),
        _(
            "The third payday brought you 197, with the bonus card; all loans had to be paid back. You have won with "
            "231 florins, before Leyla with 208 and Marco with 167. Well sailed!"
        ),
        ("END-01", "END-03", "END-04", "END-05"),
    ),
}
