"""All legal actions, grouped as the page shows them, and the reasons why others are not legal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from elcapitan.actions import union as act
from elcapitan.engine.actions import family
from elcapitan.engine.vocabulary import CITY_NAMES, FACE_UP, FLIPPED, NO_SITE
from elcapitan.position.facts import CityLook, bits
from elcapitan.position.preview import Preview, preview
from elcapitan.web.view.context import ViewContext, change, price, warehouse


@dataclass(frozen=True)
class Offer:
    """One legal action with its words and its price."""

    actions: str  # numbers with a space between them, as the form sends them
    family: str
    words: str
    cost: int | None = None  # florins; nothing where there is nothing to pay
    preview: Preview | None = None
    city: int | None = None
    detail: str = ""
    route: bool = False  # a card used as sea route

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

    family: str
    words: str
    reason: str
    rule: str


@dataclass(frozen=True)
class PirateDestination:
    """A city that the pirate can be sent to, with its harbours and the price."""

    city: int
    name: str
    cost: int
    offers: list[Offer] = field(default_factory=list)


@dataclass(frozen=True)
class Offers:
    """All legal actions, and the refused ones that the page shows."""

    seat: int | None = None  # whose offers these are
    builds: tuple[Offer, ...] = ()  # warehouses, re-openings and a fortress
    refused: tuple[RefusedOffer, ...] = ()
    sails: Mapping[int, tuple[Offer, ...]] = field(default_factory=dict)  # by card
    buys: Mapping[int, Offer] = field(default_factory=dict)  # by card
    unsold: Mapping[int, RefusedOffer] = field(default_factory=dict)  # displayed cards that may not be bought
    loans: Mapping[int, Offer] = field(default_factory=dict)  # by kind
    unlent: Mapping[int, RefusedOffer] = field(default_factory=dict)
    free_pirate: tuple[PirateDestination, ...] = ()
    paid_pirate: tuple[PirateDestination, ...] = ()
    pirate_cards: Mapping[int, tuple[Offer, ...]] = field(default_factory=dict)  # legs of the pirate by card
    landings: tuple[Offer, ...] = ()
    repay: tuple[Offer, ...] = ()
    extend: tuple[Offer, ...] = ()
    starters: tuple[Offer, ...] = ()
    end: Offer | None = None
    passing: Offer | None = None

    @property
    def pirate(self) -> bool:
        """Whether the pirate can be moved."""
        return bool(self.free_pirate or self.paid_pirate or self.pirate_cards or self.landings)

    @property
    def decision(self) -> bool:
        """Whether there is a decision outside a turn: loans after a payday, or the next starting player."""
        return bool(self.repay or self.extend or self.starters)

    @property
    def reachable(self) -> frozenset[int]:
        """The cities that a card of the hand leads to now."""
        return frozenset(offer.city for group in self.sails.values() for offer in group if offer.city is not None)

    @property
    def everything(self) -> tuple[Offer, ...]:
        """All offers, in no particular order."""
        groups: list[Iterable[Offer]] = [
            self.builds,
            self.buys.values(),
            self.loans.values(),
            self.landings,
            self.repay,
            self.extend,
            self.starters,
            *self.sails.values(),
            *self.pirate_cards.values(),
            *(harbours.offers for harbours in (*self.free_pirate, *self.paid_pirate)),
            [offer for offer in (self.end, self.passing) if offer],
        ]
        return tuple(offer for group in groups for offer in group)


@dataclass
class _Sorted:
    """The offers found so far, as `Offers` groups them."""

    builds: list[Offer] = field(default_factory=list)
    sails: dict[int, list[Offer]] = field(default_factory=dict)
    buys: dict[int, Offer] = field(default_factory=dict)
    loans: dict[int, Offer] = field(default_factory=dict)
    free_pirate: dict[int, PirateDestination] = field(default_factory=dict)
    paid_pirate: dict[int, PirateDestination] = field(default_factory=dict)
    pirate_cards: dict[int, list[Offer]] = field(default_factory=dict)
    landings: list[Offer] = field(default_factory=list)
    repay: list[Offer] = field(default_factory=list)
    extend: list[Offer] = field(default_factory=list)
    starters: list[Offer] = field(default_factory=list)
    end: Offer | None = None
    passing: Offer | None = None
    house: bool = False  # whether a warehouse can be built
    fortress: bool = False


def offers(context: ViewContext, looks: Sequence[CityLook]) -> Offers:
    """Return the legal actions of the deciding seat."""
    if not context.acting:
        return Offers()
    found = _Sorted()
    for number in sorted(context.legal):
        _sort_in(context, found, number)
    return Offers(
        seat=context.game.seat,
        builds=tuple(found.builds),
        refused=tuple(_not_built(context, looks, found)),
        sails={card: tuple(group) for card, group in found.sails.items()},
        buys=found.buys,
        unsold=_unsold(context, found.buys),
        loans=found.loans,
        unlent=_unlent(context, found.loans),
        free_pirate=tuple(found.free_pirate.values()),
        paid_pirate=tuple(found.paid_pirate.values()),
        pirate_cards={card: tuple(group) for card, group in found.pirate_cards.items()},
        landings=tuple(found.landings),
        repay=tuple(found.repay),
        extend=tuple(found.extend),
        starters=tuple(found.starters),
        end=found.end,
        passing=found.passing,
    )


def _sort_in(context: ViewContext, found: _Sorted, number: int) -> None:  # noqa: PLR0912 - one branch for each family
    """Add the offer of a legal action to those found so far."""
    t, board, here = context.t, context.game.figures.board, _here(context)
    match action := act.decode(number, context.game.figures):
        case act.Build(site, neutral):
            words = warehouse(t, site, neutral=neutral, reopened=False)
            found.builds.append(_foreseen(context, number, words, here))
            found.house = True
        case act.Reopen(site, neutral):
            words = warehouse(t, site, neutral=neutral, reopened=True)
            found.builds.append(_foreseen(context, number, words, here))
        case act.BuildFortress():
            words = t.text("Fortress in {city}", city=CITY_NAMES[here])
            found.builds.append(_foreseen(context, number, words, here))
            found.fortress = True
        case act.TakeLoan(kind):
            words = t.text("Loan of {amount}", amount=int(board.loan_amount[kind]))
            found.loans[kind] = _foreseen(context, number, words)
        case act.Buy(card):
            words = t.text("Buy {card}", card=context.teller.card(card))
            found.buys[card] = _offer(number, words, int(board.card_price[card]))
        case act.Sail(leg):
            found.sails.setdefault(leg.card, []).append(_voyage(number, leg))
        case act.SailPirate(leg):
            found.pirate_cards.setdefault(leg.card, []).append(_voyage(number, leg))
        case act.LandPirate(berth):
            found.landings.append(_offer(number, _berth(context, berth), city=int(context.state.pirate_at)))
        case act.MovePirateFree(city, berth):
            harbours = found.free_pirate.setdefault(city, PirateDestination(city, CITY_NAMES[city], 0))
            harbours.offers.append(_offer(number, _berth(context, berth), harbours.cost, city))
        case act.MovePirateForMoney(city, berth):
            fare = int(context.facts.position.facts.pirate_fare[city])
            harbours = found.paid_pirate.setdefault(city, PirateDestination(city, CITY_NAMES[city], fare))
            harbours.offers.append(_offer(number, _berth(context, berth), harbours.cost, city))
        case act.Repay(kind):
            words = t.text("Pay back the loan of {amount}", amount=int(board.loan_amount[kind]))
            found.repay.append(_offer(number, words, int(board.loan_due[kind, FACE_UP])))
        case act.Extend(kind):
            words = t.text("Extend the loan of {amount}", amount=int(board.loan_amount[kind]))
            later = t.text("later {amount}", amount=int(board.loan_due[kind, FLIPPED]))
            found.extend.append(Offer(str(number), family(number), words, detail=later))
        case act.NameStarter(seat):
            found.starters.append(_offer(number, context.teller.merchant(seat)))
        case act.End():
            found.end = _offer(number, t.text("End the turn"))
        case act.Pass():
            found.passing = _offer(number, t.text("Pass: nothing is possible"))
        case _:
            assert_never(action)


def _offer(number: int, words: str, cost: int | None = None, city: int | None = None) -> Offer:
    """Make an offer of one action."""
    return Offer(str(number), family(number), words, cost, city=city)


def _foreseen(context: ViewContext, number: int, words: str, city: int | None = None) -> Offer:
    """Make an offer with a preview of what it would change."""
    ahead = preview(context.game, (number,))
    return Offer(str(number), family(number), words, ahead.cost, ahead, city)


def _voyage(number: int, leg: act.Leg) -> Offer:
    """Make an offer to sail with one card."""
    return Offer(str(number), family(number), CITY_NAMES[leg.city], city=leg.city, route=leg.use == "route")


def _berth(context: ViewContext, berth: act.Berth) -> str:
    """Name a harbour for the pirate, and where a ship that lies there goes."""
    if berth.shift is None:
        return context.t.text("harbour {harbour}", harbour=berth.space + 1)
    return context.t.text("harbour {harbour}, its ship to {shift}", harbour=berth.space + 1, shift=berth.shift + 1)


def _here(context: ViewContext) -> int:
    """Return the place where the deciding seat's ship lies."""
    return int(context.state.ship_city[int(context.state.seat)])


# ------------------------------------------------------------------------------------------------------------- refusals


def refusal(context: ViewContext, action: act.Action, what: str, words: str) -> RefusedOffer:
    """Return why an action is not legal."""
    error = context.game.why_not(act.encode(action, context.game.figures))
    if error is None:  # legal, but the guide asks for another action
        return RefusedOffer(what, words, context.t.text("The guide has something else in mind now."), "")
    sentence = error.sentence(context.t.template).removesuffix(f" [{error.rule}]")
    return RefusedOffer(what, words, sentence, error.rule)


def _not_built(context: ViewContext, looks: Sequence[CityLook], legal: _Sorted) -> list[RefusedOffer]:
    """Return why no warehouse or no fortress can be built where the ship lies, until the turn's build is done."""
    city = _here(context)
    look = next((each for each in looks if each.number == city), None)
    if look is None or legal.end or legal.repay or legal.extend or legal.starters:
        return []
    found = []
    if not legal.house:
        site = look.next if look.next != NO_SITE else 0
        words = context.t.text("Warehouse")
        found.append(refusal(context, act.Build(site), "build", words))
    if not legal.fortress:
        found.append(refusal(context, act.BuildFortress(), "fortress", context.t.text("Fortress")))
    return found


def _unsold(context: ViewContext, buys: Mapping[int, Offer]) -> dict[int, RefusedOffer]:
    """Return why displayed cards cannot be bought."""
    return {
        card: refusal(context, act.Buy(card), "buy", context.teller.card(card))
        for card in bits(int(context.state.display))
        if card not in buys
    }


def _unlent(context: ViewContext, loans: Mapping[int, Offer]) -> dict[int, RefusedOffer]:
    """Return why loans cannot be taken."""
    amounts = context.game.figures.board.loan_amount.tolist()
    return {
        kind: refusal(context, act.TakeLoan(kind), "loan", context.t.text("Loan of {amount}", amount=amount))
        for kind, amount in enumerate(amounts)
        if kind not in loans
    }
