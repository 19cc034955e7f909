"""Everything that may be done now, arranged as people look for it; and why something may not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from elcapitan.engine.actions import (
    BERTHINGS,
    BUILD,
    BUY,
    EXTEND,
    FORTRESS,
    FREE_PIRATE,
    LOAN,
    PAID_PIRATE,
    PIRATE_LAND,
    PIRATE_SAIL,
    REOPEN,
    REPAY,
    SAIL,
    STARTER,
    berthing_shift,
    berthing_space,
    family,
)
from elcapitan.engine.vocabulary import CITIES, CITY_NAMES, FACE_UP, FLIPPED, NO_SITE, SITES
from elcapitan.look import CityLook
from elcapitan.preview import Preview, preview
from elcapitan.text.actions import pirate_fare
from elcapitan.text.names import card_of, interpreted, leg_city, leg_use, plainly
from elcapitan.web.scene.sight import Sight
from elcapitan.web.scene.words import change, price, warehouse

FORESEEN: Final = ("build", "reopen", "fortress", "loan")  # what is worth a look ahead before it is done


@dataclass(frozen=True)
class Offer:
    """One legal action as a button says it."""

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
        """What it costs, or brings."""
        return "" if self.cost is None else price(self.cost)

    @property
    def gain(self) -> int:
        """By how much a payday now would pay the one who acts more, or less."""
        return self.preview.gains[self.preview.seat] if self.preview else 0

    @property
    def gain_words(self) -> str:
        """The same as it is written."""
        return change(self.gain) if self.gain else "±0"


@dataclass(frozen=True)
class Refused:
    """Something one might want to do but may not: the reason and its rule."""

    family: str
    words: str
    reason: str
    rule: str


@dataclass(frozen=True)
class Harbours:
    """A city that the pirate can be sent to, with its harbours and what going there costs."""

    city: int
    name: str
    cost: int
    offers: list[Offer] = field(default_factory=list)


@dataclass(frozen=True)
class Offers:
    """All that is legal, and what is refused where people would look for it."""

    seat: int | None = None  # whose offers these are
    builds: tuple[Offer, ...] = ()  # warehouses, re-openings and a fortress
    refused: tuple[Refused, ...] = ()
    sails: Mapping[int, tuple[Offer, ...]] = field(default_factory=dict)  # by card
    buys: Mapping[int, Offer] = field(default_factory=dict)  # by card
    unsold: Mapping[int, Refused] = field(default_factory=dict)  # displayed cards that may not be bought
    loans: Mapping[int, Offer] = field(default_factory=dict)  # by kind
    unlent: Mapping[int, Refused] = field(default_factory=dict)
    free_pirate: tuple[Harbours, ...] = ()
    paid_pirate: tuple[Harbours, ...] = ()
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
        """Whether something is to be decided apart from a turn: loans after a payday, the next starting player."""
        return bool(self.repay or self.extend or self.starters)

    @property
    def reachable(self) -> frozenset[int]:
        """The cities that a card of the hand leads to now."""
        return frozenset(offer.city for group in self.sails.values() for offer in group if offer.city is not None)

    @property
    def everything(self) -> tuple[Offer, ...]:
        """Every offer, in no particular order."""
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


def offers(sight: Sight, looks: Sequence[CityLook]) -> Offers:
    """What is legal for the seat that decides."""
    if not sight.acting:
        return Offers()
    numbers: dict[str, list[int]] = {}
    for action in sorted(sight.legal):
        numbers.setdefault(family(action), []).append(action)

    def of(*families: str) -> tuple[Offer, ...]:
        return tuple(OFFER[what](sight, action) for what in families for action in numbers.get(what, ()))

    return Offers(
        seat=sight.game.seat,
        builds=of("build", "reopen", "fortress"),
        refused=tuple(_not_built(sight, looks, numbers)),
        sails=_by_card(of("sail"), SAIL),
        buys={int(offer.actions) - BUY: offer for offer in of("buy")},
        unsold=_unsold(sight, numbers),
        loans={int(offer.actions) - LOAN: offer for offer in of("loan")},
        unlent=_unlent(sight, numbers),
        free_pirate=_harbours(sight, numbers.get("free_pirate", ()), FREE_PIRATE),
        paid_pirate=_harbours(sight, numbers.get("paid_pirate", ()), PAID_PIRATE),
        pirate_cards=_by_card(of("pirate_sail"), PIRATE_SAIL),
        landings=of("pirate_land"),
        repay=of("repay"),
        extend=of("extend"),
        starters=of("starter"),
        end=next(iter(of("end")), None),
        passing=next(iter(of("pass")), None),
    )


# ------------------------------------------------------------------------------------------------------- single offers


def _offer(sight: Sight, action: int, words: str, cost: int | None = None, city: int | None = None) -> Offer:
    """An offer of one number; what is worth it is looked at ahead."""
    what = family(action)
    ahead = preview(sight.game, (action,)) if what in FORESEEN else None
    return Offer(str(action), what, words, ahead.cost if ahead else cost, ahead, city)


def _here(sight: Sight) -> int:
    """The city where the ship of the deciding seat lies."""
    return plainly(sight.state.ship_city[plainly(sight.state.seat)])


def _build(sight: Sight, action: int) -> Offer:
    neutral, site = divmod(action - BUILD, SITES)
    words = warehouse(sight.t, site, neutral=bool(neutral), reopened=False)
    return _offer(sight, action, words, city=_here(sight))


def _reopen(sight: Sight, action: int) -> Offer:
    neutral, site = divmod(action - REOPEN, SITES)
    words = warehouse(sight.t, site, neutral=bool(neutral), reopened=True)
    return _offer(sight, action, words, city=_here(sight))


def _fortress(sight: Sight, action: int) -> Offer:
    city = _here(sight)
    return _offer(sight, action, sight.t.text("Fortress in {city}", city=CITY_NAMES[city]), city=city)


def _loan(sight: Sight, action: int) -> Offer:
    amount = plainly(sight.game.figures.board.loan_amount[action - LOAN])
    return _offer(sight, action, sight.t.text("Loan of {amount}", amount=amount))


def _buy(sight: Sight, action: int) -> Offer:
    card = action - BUY
    price = plainly(sight.game.figures.board.card_price[card])
    return _offer(sight, action, sight.t.text("Buy {card}", card=sight.teller.card(card)), price)


def _sail(sight: Sight, action: int) -> Offer:
    return _leg(sight, action, action - SAIL)


def _pirate_sail(sight: Sight, action: int) -> Offer:
    return _leg(sight, action, action - PIRATE_SAIL)


def _leg(sight: Sight, action: int, leg: int) -> Offer:
    """A voyage with one card."""
    city = leg_city(sight.game.figures, leg)
    return Offer(str(action), family(action), CITY_NAMES[city], city=city, route=leg_use(leg) == "route")


def _repay(sight: Sight, action: int) -> Offer:
    board, kind = sight.game.figures.board, action - REPAY
    words = sight.t.text("Pay back the loan of {amount}", amount=plainly(board.loan_amount[kind]))
    return _offer(sight, action, words, plainly(board.loan_due[kind, FACE_UP]))


def _extend(sight: Sight, action: int) -> Offer:
    board, kind = sight.game.figures.board, action - EXTEND
    words = sight.t.text("Extend the loan of {amount}", amount=plainly(board.loan_amount[kind]))
    offer = _offer(sight, action, words)
    later = sight.t.text("later {amount}", amount=plainly(board.loan_due[kind, FLIPPED]))
    return Offer(offer.actions, offer.family, offer.words, detail=later)


def _starter(sight: Sight, action: int) -> Offer:
    return _offer(sight, action, sight.teller.merchant(action - STARTER))


def _end(sight: Sight, action: int) -> Offer:
    return _offer(sight, action, sight.t.text("End the turn"))


def _pass(sight: Sight, action: int) -> Offer:
    return _offer(sight, action, sight.t.text("Pass: nothing is possible"))


def _land(sight: Sight, action: int) -> Offer:
    return _offer(sight, action, _berth(sight, action - PIRATE_LAND), city=plainly(sight.state.pirate_at))


def _berth(sight: Sight, berthing: int) -> str:
    """A harbour for the pirate, and where a ship that lies there goes."""
    space, shift = interpreted(berthing_space)(berthing), interpreted(berthing_shift)(berthing)
    if shift < 0:
        return sight.t.text("harbour {harbour}", harbour=space + 1)
    return sight.t.text("harbour {harbour}, its ship to {shift}", harbour=space + 1, shift=shift + 1)


OFFER: Final = {
    "buy": _buy,
    "sail": _sail,
    "build": _build,
    "reopen": _reopen,
    "fortress": _fortress,
    "loan": _loan,
    "end": _end,
    "pass": _pass,
    "repay": _repay,
    "extend": _extend,
    "starter": _starter,
    "pirate_sail": _pirate_sail,
    "pirate_land": _land,
}


# --------------------------------------------------------------------------------------------------------- arrangement


def _by_card(found: Sequence[Offer], first: int) -> dict[int, tuple[Offer, ...]]:
    """Voyages by the card they are made with."""
    arranged: dict[int, tuple[Offer, ...]] = {}
    for offer in found:
        card = card_of(int(offer.actions) - first)
        arranged[card] = (*arranged.get(card, ()), offer)
    return arranged


def _harbours(sight: Sight, actions: Sequence[int], first: int) -> tuple[Harbours, ...]:
    """Moves of the pirate by the city they lead to."""
    found: dict[int, Harbours] = {}
    for action in actions:
        city, berthing = divmod(action - first, BERTHINGS)
        cost = pirate_fare(sight.state, sight.game.figures, city) if first == PAID_PIRATE else 0
        harbours = found.setdefault(city, Harbours(city, CITY_NAMES[city], cost))
        harbours.offers.append(_offer(sight, action, _berth(sight, berthing), cost, city))
    return tuple(found.values())


# ------------------------------------------------------------------------------------------------------------- refusals


def refusal(sight: Sight, action: int, what: str, words: str) -> Refused:
    """Why an action that is not legal is refused."""
    error = sight.game.why_not(action)
    if error is None:  # legal, but the guide asks for another action
        return Refused(what, words, sight.t.text("The guide has something else in mind now."), "")
    sentence = error.sentence(sight.t.template).removesuffix(f" [{error.rule}]")
    return Refused(what, words, sentence, error.rule)


def _not_built(sight: Sight, looks: Sequence[CityLook], numbers: Mapping[str, list[int]]) -> list[Refused]:
    """Why no warehouse, or no fortress, can be built where the ship lies, while the turn is still about that."""
    city = _here(sight)
    look = next((each for each in looks if each.number == city), None)
    if city >= CITIES or look is None or "end" in numbers or numbers.keys() & {"repay", "extend", "starter"}:
        return []
    found = []
    if not numbers.keys() & {"build"}:
        site = look.next if look.next != NO_SITE else 0
        words = sight.t.text("Warehouse")
        found.append(refusal(sight, BUILD + site, "build", words))
    if "fortress" not in numbers:
        found.append(refusal(sight, FORTRESS, "fortress", sight.t.text("Fortress")))
    return found


def _unsold(sight: Sight, numbers: Mapping[str, list[int]]) -> dict[int, Refused]:
    """Why displayed cards cannot be bought."""
    display = plainly(sight.state.display)
    cards = [card for card in range(display.bit_length()) if display >> card & 1]
    return {
        card: refusal(sight, BUY + card, "buy", sight.teller.card(card))
        for card in cards
        if BUY + card not in numbers.get("buy", ())
    }


def _unlent(sight: Sight, numbers: Mapping[str, list[int]]) -> dict[int, Refused]:
    """Why loans cannot be taken."""
    amounts = sight.game.figures.board.loan_amount.tolist()
    return {
        kind: refusal(sight, LOAN + kind, "loan", sight.t.text("Loan of {amount}", amount=amount))
        for kind, amount in enumerate(amounts)
        if LOAN + kind not in numbers.get("loan", ())
    }
