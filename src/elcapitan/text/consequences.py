"""Sentences about what comes of an action and what is to be decided; `text.actions` says what is done.

The engine speaks in numbers and records. Here they become sentences in the reader's language, in the present tense
and with merchants called by their names or colours, never as he or she.
"""

from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    CITY_NAMES,
    DESTINATION_CARDS,
    DONE,
    DUE,
    FACE_UP,
    FLIPPED,
    NAMING,
    NOBODY,
    OVER,
    SETTLING,
    START,
    TRANSIT,
)
from elcapitan.position.facts import facts_of
from elcapitan.text.actions import sentence
from elcapitan.text.names import Names


class Teller(Names):
    """Tells people at one table, in one language, what happens."""

    def action(self, s: State, action: int) -> str:
        """What the deciding seat does with an action; `s` is the position before it."""
        return sentence(self, s, action)

    def prompt(self, s: State) -> str:
        """What the deciding seat has to decide now, in a sentence that helps a newcomer on."""
        who = self.merchant(int(s.seat))
        stage = int(s.stage)
        if stage == OVER:
            return self.translator.text("The game is over.")
        if stage == SETTLING:
            loans = self._open(s)
            return self.translator.text("{who}: repay or extend each loan; {loans} left.", who=who, loans=loans)
        if stage == NAMING:
            return self.translator.text("{who} is the poorest and names the next starting player.", who=who)
        if int(s.pirate_at) != NOBODY:
            return self.translator.text("{who}: take the pirate further with another card, or let it land.", who=who)
        if stage == DONE:
            return self._prompt_done(s, who)
        return self._prompt_turn(s, who)

    def _open(self, s: State) -> str:
        """The loans that are still to be decided on, as in "2 loans of 10, 1 loan of 16"."""
        counts = zip(s.undecided, self.figures.board.loan_amount, strict=True)
        return ", ".join(
            self.translator.plural(
                "{number} loan of {amount}", "{number} loans of {amount}", int(count), amount=int(amount)
            )
            for count, amount in counts
            if count
        )

    def _prompt_done(self, s: State, who: str) -> str:
        """After the main action."""
        if int(s.free_move) == DUE:
            return self.translator.text("{who}: move the pirate, then end the turn.", who=who)
        return self.translator.text("{who}: end the turn, or first buy cards for later.", who=who)

    def _prompt_turn(self, s: State, who: str) -> str:
        """Before the main action: it depends on where the ship is."""
        seat = int(s.seat)
        place, begun = int(s.ship_city[seat]), int(s.stage) != START
        if place == AWAY and int(s.hand[seat]) & DESTINATION_CARDS:
            return self.translator.text("{who}: sail with a destination card and build in its city.", who=who)
        if place == AWAY:
            return self.translator.text(
                "{who}: buy a destination card, sail with it to its city and build there.", who=who
            )
        if place == BANK and begun:
            return self.translator.text("{who}: leave the bank with a destination card and build.", who=who)
        if place == BANK:
            return self.translator.text(
                "{who}: leave the bank with a destination card and build, or borrow again.", who=who
            )
        city = CITY_NAMES[place]
        if int(s.ship_space[seat]) == TRANSIT:
            return self.translator.text("{who}: {city} is full, so sail on.", who=who, city=city)
        if begun:
            return self.translator.text("{who}: build in {city}, or sail on.", who=who, city=city)
        return self.translator.text("{who}: build in {city}, sail elsewhere first, or take a loan.", who=who, city=city)

    def consequences(self, before: State, after: State, action: int) -> list[str]:
        """What comes of an action, read off the positions before and after it."""
        match done := act.decode(action, self.figures):
            case act.Sail():
                return self._arrival(before, after)
            case act.Build():
                return self._placing(before, after, int(facts_of(before, self.figures).build_price))
            case act.Reopen():
                return self._placing(before, after, 0)
            case act.MovePirateFree():
                return self._charge(before, after) + self._shifted(before, after)
            case act.MovePirateForMoney() | act.SailPirate() | act.LandPirate():
                return self._shifted(before, after)
            case act.Buy() | act.BuildFortress() | act.TakeLoan() | act.Repay() | act.Extend():
                return []
            case act.NameStarter() | act.End() | act.Pass():
                return []
            case _:
                assert_never(done)

    def _arrival(self, before: State, after: State) -> list[str]:
        """Where the ship lies after a leg."""
        seat = int(before.seat)
        city, space = int(after.ship_city[seat]), int(after.ship_space[seat])
        if space == TRANSIT:
            return [self.translator.text("{city} is full, so the ship must sail on.", city=CITY_NAMES[city])]
        price = int(facts_of(after, self.figures).build_price)
        told = [
            self.translator.text(
                "The ship takes harbour {harbour}, where a warehouse costs {price}.", harbour=space + 1, price=price
            )
        ]
        if int(after.free_move) == DUE:
            told.append(self.translator.text("In this turn the pirate must be moved, free of charge."))
        return told

    def _placing(self, before: State, after: State, price: int) -> list[str]:
        """What a warehouse causes that was placed for a price: a shut-down, Lisboa's payment, a bonus card."""
        seat = int(before.seat)
        city = int(before.ship_city[seat])
        told = self._shut_down(before, after, city)
        paid = int(after.cash[seat]) - int(before.cash[seat]) + price
        if paid:
            told.append(
                self.translator.text(
                    "{city} pays {amount} to {who} at once.",
                    city=CITY_NAMES[city],
                    who=self.merchant(seat),
                    amount=paid,
                )
            )
        if int(after.bonus[seat]) != int(before.bonus[seat]):
            worth = int(facts_of(after, self.figures).bonus[seat])
            told.append(
                self.translator.text(
                    "{who} is in nine cities and takes the bonus card of {amount}.",
                    who=self.merchant(seat),
                    amount=worth,
                )
            )
        return told

    def _shut_down(self, before: State, after: State, city: int) -> list[str]:
        """The front warehouse, if it was closed."""
        front = int(before.front[city])
        if front == NOBODY or int(after.site[city, front]) != NOBODY:
            return []
        owner = self.owner(int(before.site[city, front]), int(before.players))
        if after.lost.sum() > before.lost.sum():
            return [
                self.translator.text(
                    "That shuts down the front warehouse, {owner} on site {site}, which leaves the game.",
                    owner=owner,
                    site=front + 1,
                )
            ]
        return [
            self.translator.text(
                "That shuts down the front warehouse, {owner} on site {site}.", owner=owner, site=front + 1
            )
        ]

    def _charge(self, before: State, after: State) -> list[str]:
        """Who pays protection money, and how much."""
        mover = int(before.seat)
        paid = [
            self.translator.text("{who} {amount}", who=self.merchant(seat), amount=amount)
            for seat in range(int(before.players))
            if seat != mover and (amount := int(before.cash[seat]) - int(after.cash[seat]))
        ]
        if not paid:
            return [self.translator.text("No one there has to pay protection money.")]
        total = int(after.cash[mover]) - int(before.cash[mover])
        return [
            self.translator.text(
                "{who} collects {amount} of protection money: {payers}.",
                who=self.merchant(mover),
                amount=total,
                payers=", ".join(paid),
            )
        ]

    def _shifted(self, before: State, after: State) -> list[str]:
        """A ship that the pirate pushed into another harbour."""
        return [
            self.translator.text(
                "The ship of {who} is shifted to harbour {harbour}.",
                who=self.merchant(seat),
                harbour=int(after.ship_space[seat]) + 1,
            )
            for seat in range(int(before.players))
            if int(before.ship_space[seat]) not in (TRANSIT, int(after.ship_space[seat]))
        ]

    def settlements(self, before: State, after: State) -> list[str]:
        """Loans that were paid back without a decision: extended ones, and after the game all."""
        told = []
        over = int(after.stage) == OVER
        was, now = facts_of(before, self.figures), facts_of(after, self.figures)
        for seat in range(int(before.players)):
            for kind, side in ((kind, side) for kind in range(2) for side in (FACE_UP, FLIPPED)):
                count = int(before.loans[seat, kind, side]) - int(after.loans[seat, kind, side])
                if count > 0 and (over or side == FLIPPED):
                    due = int(was.owed[seat, kind, side]) - int(now.owed[seat, kind, side])
                    told.append(self._settled(seat, kind, count, due))
        return told

    def money_check(self, s: State) -> list[str]:
        """Announce cash less loans of every merchant, the richest first, and who names the next starting player."""
        debts = facts_of(s, self.figures).debt
        worth = {seat: int(s.cash[seat]) - debts[seat] for seat in range(int(s.players))}
        ranked = [
            f"{1 + sum(other > amount for other in worth.values())}. {self.merchant(seat)} {amount}"
            for seat, amount in sorted(worth.items(), key=lambda pair: -pair[1])
        ]
        told = [self.translator.text("Money check, cash less loans: {ranking}.", ranking=", ".join(ranked))]
        poorest = int(s.seat)
        if list(worth.values()).count(worth[poorest]) > 1:
            words = self.translator.text(
                "{who} is the first in order of play among the poorest and names the starting player.",
                who=self.merchant(poorest),
            )
        else:
            words = self.translator.text(
                "{who} is the poorest and names the starting player.", who=self.merchant(poorest)
            )
        return [*told, words]

    def _settled(self, seat: int, kind: int, count: int, due: int) -> str:
        """Say that so many loans of an amount were paid back with so much."""
        return self.translator.plural(
            "{who} pays {due} for a loan of {amount}.",
            "{who} pays {due} for {number} loans of {amount}.",
            count,
            who=self.merchant(seat),
            due=due,
            amount=int(self.figures.board.loan_amount[kind]),
        )
