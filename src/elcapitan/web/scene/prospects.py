"""What could be done in a city: the places that shine, and what an action would change, before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.vocabulary import TRANSIT
from elcapitan.look import CityLook
from elcapitan.preview import Preview, preview
from elcapitan.web.scene.ground import Box, Ground, moored
from elcapitan.web.scene.offers import Offer, Offers
from elcapitan.web.scene.sight import Gain, Sight
from elcapitan.web.scene.words import change


@dataclass(frozen=True)
class Target:
    """A place on the board where something may be done at once."""

    offer: Offer
    box: Box
    kind: str  # site or tower
    label: str
    sign: int | None = None  # the colour that would be built, where several share a site


@dataclass(frozen=True)
class Ahead:
    """What an action would change in a city, shown while it is pointed at."""

    actions: str
    title: str
    lines: tuple[str, ...]
    house: tuple[Box, int] | None = None
    tower: tuple[Box, int] | None = None
    ship: tuple[Box, int] | None = None
    coin: tuple[Box, int] | None = None
    closes: tuple[Box, int] | None = None
    gains: tuple[Gain, ...] = ()


class Prospects:
    """Everything the deciding seat could do in one city."""

    def __init__(self, sight: Sight, look: CityLook, ground: Ground, offered: Offers) -> None:
        self.sight, self.look, self.ground, self.offered = sight, look, ground, offered
        self.t = sight.t
        self.towers = ground.towers(len(look.fortresses))
        self.berths = ground.berths(len(look.harbours), len(look.fortresses))

    def targets(self) -> list[Target]:
        """The places of this city where the deciding seat can build."""
        found: list[Target] = []
        by_site: dict[int, list[Offer]] = {}
        for offer in self.offered.builds:
            if offer.city != self.look.number or offer.preview is None:
                continue
            if offer.preview.site is not None:
                by_site.setdefault(offer.preview.site, []).append(offer)
            elif offer.preview.fortress is not None:
                box = self.towers[offer.preview.fortress]
                found.append(Target(offer, box, "tower", self._promise(offer)))
        for site, here in by_site.items():
            boxes = _split(self.ground.spaces[site], len(here))
            found += [
                Target(offer, box, "site", self._promise(offer), self._sign(offer) if len(here) > 1 else None)
                for offer, box in zip(here, boxes, strict=True)
            ]
        return found

    def _sign(self, offer: Offer) -> int | None:
        """The colour of the warehouse that would be placed."""
        colour = offer.preview.colour if offer.preview else None
        return None if colour is None else self.sight.palette(colour)

    def _promise(self, offer: Offer) -> str:
        """An offer with its price and what it changes, in words."""
        ahead = offer.preview
        assert ahead is not None
        words = f"{offer.words}, {offer.price}"
        if not self.sight.forecast_of(ahead.seat):
            return words
        return self.t.text("{offer}, payday {change}", offer=words, change=change(ahead.gains[ahead.seat]))

    def ahead(self) -> list[Ahead]:
        """What actions would change here."""
        found = [
            self._ahead_of_build(offer, offer.preview)
            for offer in self.offered.builds
            if offer.city == self.look.number and offer.preview is not None
        ]
        legs = [offer for group in self.offered.sails.values() for offer in group if offer.city == self.look.number]
        if legs:
            found.append(self._ahead_of_sailing(legs))
        return found

    def _ahead_of_build(self, offer: Offer, ahead: Preview) -> Ahead:
        """A warehouse or a fortress that would stand here."""
        sight, t = self.sight, self.t
        lines = []
        closes = house = tower = coin = None
        if ahead.closes is not None:
            site, colour = ahead.closes
            closes = (self.ground.houses[site], sight.palette(colour))
            lines.append(t.text("closes {owner} on S{site}", owner=sight.owner(colour), site=site + 1))
        if ahead.pays is not None and ahead.pays[0] != ahead.pays[1]:
            lines.append(t.text("pays {before}, then {after}", before=ahead.pays[0], after=ahead.pays[1]))
        if ahead.site is not None and ahead.colour is not None:
            house = (self.ground.houses[ahead.site], sight.palette(ahead.colour))
        if ahead.coin is not None and ahead.coin != self.look.coin and ahead.pays is not None:
            coin = (self.ground.spaces[ahead.coin], ahead.pays[1])
        if ahead.fortress is not None:
            tower = (self.towers[ahead.fortress].middle(27.0), sight.palette(ahead.seat))
        title = f"{offer.words}, {offer.price}"
        return Ahead(offer.actions, title, tuple(lines), house, tower, None, coin, closes, sight.gains(ahead.gains))

    def _ahead_of_sailing(self, legs: Sequence[Offer]) -> Ahead:
        """A ship that would come here."""
        ahead = preview(self.sight.game, (int(legs[0].actions),))
        actions = " ".join(offer.actions for offer in legs)
        assert ahead.berth is not None
        space = ahead.berth[1]
        if space == TRANSIT:
            return Ahead(actions, self.t.text("{city} is full: sail on", city=self.look.name), ())
        berth = self.berths[space]
        ship = (moored(berth), self.sight.palette(ahead.seat))
        price = self.look.harbours[space].price
        title = self.t.text("Harbour {number}: a warehouse costs {price}", number=space + 1, price=price)
        return Ahead(actions, title, (), ship=ship)


def _split(box: Box, count: int) -> list[Box]:
    """A box for each of several things that can be done in the same place, side by side, then below each other."""
    columns = min(count, 2)
    rows = -(-count // columns)
    w, h = box.w / columns, box.h / rows
    return [
        Box(round(box.x + number % columns * w, 1), round(box.y + number // columns * h, 1), round(w, 1), round(h, 1))
        for number in range(count)
    ]
