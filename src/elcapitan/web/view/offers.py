"""All legal actions, grouped as the page shows them, and the reasons why others are not legal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

from elcapitan.actions import union as act
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED, NO_SITE
from elcapitan.position.facts import bits
from elcapitan.position.preview import Preview, preview
from elcapitan.web.view.context import ViewContext, change, price, sentence_and_rule, warehouse_words

HELD: Final = "staged"  # stands for the held action where a form sends actions


@dataclass(frozen=True)
class Offer:
    """One legal action with its words and its price."""

    actions: str  # numbers with a space between them, as the form sends them
    words: str
    cost: int | None = None  # florins; nothing where there is nothing to pay
    preview: Preview | None = None
    city: int | None = None
    detail: str = ""
    route: bool = False  # a card used as sea route
    sign: str = "coin"  # the icon before the words

    @property
    def price(self) -> str:
        """Write what it costs, or brings."""
        return "" if self.cost is None else price(self.cost)

    @property
    def gain(self) -> int:
        """How much more, or less, a payday now would pay the seat that acts."""
        return self.preview.gains[self.preview.seat] if self.preview else 0

    @property
    def gain_words(self) -> str:
        """Write the gain with its sign."""
        return change(self.gain) if self.gain else "±0"


@dataclass(frozen=True)
class RefusedOffer:
    """An action that is not legal now, with the reason and its rule."""

    words: str
    reason: str
    rule: str
    fortress: bool = False


@dataclass(frozen=True)
class PirateDestination:
    """A city that the pirate can be sent to, with its harbours and the price."""

    city: int
    name: str
    cost: int
    offers: list[Offer] = field(default_factory=list)


@dataclass
class Offers:
    """All legal actions, and the refused ones that the page shows."""

    seat: int | None = None  # whose offers these are
    builds: list[Offer] = field(default_factory=list)  # warehouses, re-openings and a fortress
    can_build: bool = False  # whether a warehouse, not counting re-openings, or a fortress is among them
    can_fortify: bool = False
    refused: list[RefusedOffer] = field(default_factory=list)
    sails: dict[int, list[Offer]] = field(default_factory=dict)  # by card
    buys: dict[int, Offer] = field(default_factory=dict)  # by card
    unsold: dict[int, RefusedOffer] = field(default_factory=dict)  # displayed cards that may not be bought
    loans: dict[int, Offer] = field(default_factory=dict)  # by kind
    unlent: dict[int, RefusedOffer] = field(default_factory=dict)
    free_pirate: list[PirateDestination] = field(default_factory=list)
    paid_pirate: list[PirateDestination] = field(default_factory=list)
    pirate_cards: dict[int, list[Offer]] = field(default_factory=dict)  # legs of the pirate by card
    landings: list[Offer] = field(default_factory=list)
    repay: list[Offer] = field(default_factory=list)
    extend: list[Offer] = field(default_factory=list)
    starters: list[Offer] = field(default_factory=list)
    end: Offer | None = None
    passing: Offer | None = None
    held: Offer | None = None  # chosen already: it is played when the turn is ended, and nothing else is offered
    decision: bool = False  # whether this is outside a turn: loans after a payday, or the next starting player

    @property
    def reachable(self) -> frozenset[int]:
        """The cities that a card of the hand leads to now."""
        return frozenset(offer.city for group in self.sails.values() for offer in group if offer.city is not None)


def offers(context: ViewContext) -> Offers:
    """Return the legal actions of the deciding seat."""
    found = Offers()
    if context.held_action is not None:
        return _held(context, context.held_action)
    if context.acting:
        found.seat = context.game.seat
        for number in sorted(context.legal):
            _add_offer(context, found, number)
        found.builds.sort(key=lambda offer: _build_order(context, offer))
        found.refused = _refused_builds(context, found)
        found.unsold = _refused_buys(context, found.buys)
        found.unlent = _refused_loans(context, found.loans)
    return found


def _build_order(context: ViewContext, offer: Offer) -> tuple[int, int]:
    """Order builds by what they add to the payday, then by their price; only by price if the forecast is hidden."""
    assert offer.preview is not None
    return -offer.gain if context.forecast_of(offer.preview.seat) else 0, offer.preview.cost


def _held(context: ViewContext, number: int) -> Offers:
    """Return the held action, and the offer to end the turn by it."""
    found = Offers()
    _add_offer(context, found, number)
    choices = [*found.loans.values(), *found.repay, *found.extend, *found.starters, found.passing]
    end = Offer(HELD, context.t.text("End the turn"))
    return Offers(seat=context.game.seat, end=end, held=choices[0], decision=found.decision)


def _add_offer(context: ViewContext, found: Offers, number: int) -> None:  # noqa: PLR0912 - one branch for each family
    """Add the offer of a legal action to those found so far."""
    t, board, here = context.t, context.game.figures.board, context.anchored
    match action := act.decode(number, context.game.figures):
        case act.Build() | act.Reopen():
            found.builds.append(_offer_with_preview(context, number, warehouse_words(t, action), here, "house"))
            found.can_build |= isinstance(action, act.Build)
        case act.BuildFortress():
            words = t.text("Fortress in {city}", city=CITY_NAMES[here])
            found.builds.append(_offer_with_preview(context, number, words, here, "tower"))
            found.can_fortify = True
        case act.TakeLoan(kind):
            words = t.text("Loan of {amount}", amount=int(board.loan_amount[kind]))
            found.loans[kind] = _offer_with_preview(context, number, words)
        case act.Buy(card):
            words = t.text("Buy {card}", card=context.teller.card(card))
            found.buys[card] = _offer(number, words, int(board.card_price[card]))
        case act.Sail(leg):
            found.sails.setdefault(leg.card, []).append(_sail_offer(number, leg))
        case act.SailPirate(leg):
            found.pirate_cards.setdefault(leg.card, []).append(_sail_offer(number, leg))
        case act.LandPirate(berth):
            found.landings.append(_offer(number, _berth_words(context, berth), city=int(context.state.pirate_at)))
        case act.MovePirateFree(city, berth):
            _add_destination(found.free_pirate, city, 0, _offer(number, _berth_words(context, berth), 0, city))
        case act.MovePirateForMoney(city, berth):
            fare = int(context.position.facts.pirate_fare[city])
            _add_destination(found.paid_pirate, city, fare, _offer(number, _berth_words(context, berth), fare, city))
        case act.Repay(kind):
            words = t.text("Repay the loan of {amount}", amount=int(board.loan_amount[kind]))
            found.repay.append(_offer(number, words, int(board.loan_due[kind, FACE_UP])))
            found.decision = True
        case act.Extend(kind):
            words = t.text("Extend the loan of {amount}", amount=int(board.loan_amount[kind]))
            later = t.text("or {amount} later", amount=int(board.loan_due[kind, FLIPPED]))
            found.extend.append(Offer(str(number), words, detail=later))
            found.decision = True
        case act.NameStarter(seat):
            found.starters.append(_offer(number, context.teller.merchant(seat), sign="helm"))
            found.decision = True
        case act.End():
            found.end = _offer(number, t.text("End the turn"), sign="flag")
        case act.Pass():
            found.passing = _offer(number, t.text("Pass: no other move is possible"), sign="flag")
        case _:
            assert_never(action)


def _add_destination(found: list[PirateDestination], city: int, cost: int, offer: Offer) -> None:
    """Add a harbour for the pirate; those of one city come one after the other, because actions come by number."""
    if not found or found[-1].city != city:
        found.append(PirateDestination(city, CITY_NAMES[city], cost))
    found[-1].offers.append(offer)


def _offer(number: int, words: str, cost: int | None = None, city: int | None = None, sign: str = "coin") -> Offer:
    """Make an offer of one action."""
    return Offer(str(number), words, cost, city=city, sign=sign)


def _offer_with_preview(
    context: ViewContext, number: int, words: str, city: int | None = None, sign: str = "coin"
) -> Offer:
    """Make an offer with a preview of what it would change."""
    ahead = preview(context.game, (number,))
    return Offer(str(number), words, ahead.cost, ahead, city, sign=sign)


def _sail_offer(number: int, leg: act.Leg) -> Offer:
    """Make an offer to sail with one card."""
    return Offer(str(number), CITY_NAMES[leg.city], city=leg.city, route=leg.use == "route")


def _berth_words(context: ViewContext, berth: act.Berth) -> str:
    """Name a harbour for the pirate, and where a ship that lies there goes."""
    if berth.shift is None:
        return context.t.text("harbour {harbour}", harbour=berth.space + 1)
    return context.t.text(
        "harbour {harbour}, its ship to harbour {shift}", harbour=berth.space + 1, shift=berth.shift + 1
    )


# ------------------------------------------------------------------------------------------------------------- refusals


def refusal(context: ViewContext, action: act.Action, words: str) -> RefusedOffer:
    """Return why an action is not legal."""
    fortress = isinstance(action, act.BuildFortress)
    error = context.game.why_not(act.encode(action, context.game.figures))
    if error is None:  # legal, but the guide asks for another action
        return RefusedOffer(words, context.t.text("Follow the guide for now."), "", fortress)
    return RefusedOffer(words, *sentence_and_rule(error, context.t), fortress)


def _refused_builds(context: ViewContext, legal: Offers) -> list[RefusedOffer]:
    """Return why no warehouse or no fortress can be built where the ship lies, until the turn's build is done."""
    city = next((each for each in context.position.cities if each.number == context.anchored), None)
    if city is None or legal.end or legal.decision:
        return []
    found = []
    if not legal.can_build:
        site = city.next if city.next != NO_SITE else 0
        found.append(refusal(context, act.Build(site), context.t.text("Warehouse")))
    if not legal.can_fortify:
        found.append(refusal(context, act.BuildFortress(), context.t.text("Fortress")))
    return found


def _refused_buys(context: ViewContext, buys: Mapping[int, Offer]) -> dict[int, RefusedOffer]:
    """Return why displayed cards cannot be bought."""
    return {
        card: refusal(context, act.Buy(card), context.teller.card(card))
        for card in bits(int(context.state.display))
        if card not in buys
    }


def _refused_loans(context: ViewContext, loans: Mapping[int, Offer]) -> dict[int, RefusedOffer]:
    """Return why loans cannot be taken."""
    amounts = context.game.figures.board.loan_amount.tolist()
    return {
        kind: refusal(context, act.TakeLoan(kind), context.t.text("Loan of {amount}", amount=amount))
        for kind, amount in enumerate(amounts)
        if kind not in loans
    }
