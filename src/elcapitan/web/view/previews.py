"""What could be done in a city: the places to click, and what each action would change."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.vocabulary import TRANSIT
from elcapitan.position.facts import CityLook
from elcapitan.position.preview import Preview, preview
from elcapitan.web.view.city_layout import Box, CityLayout, moored
from elcapitan.web.view.context import Gain, ViewContext, change
from elcapitan.web.view.offers import Offer, Offers


@dataclass(frozen=True)
class Target:
    """A place on the board where a click builds something."""

    offer: Offer
    box: Box
    kind: str  # site or tower
    label: str
    sign: int | None = None  # the colour that would be built, where several share a site


@dataclass(frozen=True)
class ActionPreview:
    """What an action would change in a city, shown while its button is pointed at."""

    actions: str
    title: str
    lines: tuple[str, ...]
    house: tuple[Box, int] | None = None
    tower: tuple[Box, int] | None = None
    ship: tuple[Box, int] | None = None
    coin: tuple[Box, int] | None = None
    closes: tuple[Box, int] | None = None
    gains: tuple[Gain, ...] = ()


class CityPreviews:
    """Makes the targets and previews of one city for the deciding seat."""

    def __init__(self, context: ViewContext, look: CityLook, layout: CityLayout, offered: Offers) -> None:
        self.context, self.look, self.layout, self.offered = context, look, layout, offered
        self.t = context.t
        self.towers = layout.towers(len(look.fortresses))
        self.berths = layout.berths(len(look.harbours), len(look.fortresses))

    def targets(self) -> list[Target]:
        """Return the places of this city where the deciding seat can build."""
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
            boxes = _split(self.layout.spaces[site], len(here))
            found += [
                Target(offer, box, "site", self._promise(offer), self._sign(offer) if len(here) > 1 else None)
                for offer, box in zip(here, boxes, strict=True)
            ]
        return found

    def _sign(self, offer: Offer) -> int | None:
        """Return the colour of the warehouse that would be placed."""
        colour = offer.preview.colour if offer.preview else None
        return None if colour is None else self.context.palette(colour)

    def _promise(self, offer: Offer) -> str:
        """Describe an offer with its price and its change of the payday."""
        ahead = offer.preview
        assert ahead is not None
        words = f"{offer.words}, {offer.price}"
        if not self.context.forecast_of(ahead.seat):
            return words
        return self.t.text("{offer}, payday {change}", offer=words, change=change(ahead.gains[ahead.seat]))

    def ahead(self) -> list[ActionPreview]:
        """Return the previews of all actions that change this city."""
        found = [
            self._ahead_of_build(offer, offer.preview)
            for offer in self.offered.builds
            if offer.city == self.look.number and offer.preview is not None
        ]
        legs = [offer for group in self.offered.sails.values() for offer in group if offer.city == self.look.number]
        if legs:
            found.append(self._ahead_of_sailing(legs))
        return found

    def _ahead_of_build(self, offer: Offer, ahead: Preview) -> ActionPreview:
        """Return the preview of a warehouse or a fortress."""
        context, t = self.context, self.t
        lines = []
        closes = house = tower = coin = None
        if ahead.closes is not None:
            site, colour = ahead.closes
            closes = (self.layout.houses[site], context.palette(colour))
            lines.append(t.text("closes {owner} on S{site}", owner=context.owner(colour), site=site + 1))
        if ahead.pays is not None and ahead.pays[0] != ahead.pays[1]:
            lines.append(t.text("pays {before}, then {after}", before=ahead.pays[0], after=ahead.pays[1]))
        if ahead.site is not None and ahead.colour is not None:
            house = (self.layout.houses[ahead.site], context.palette(ahead.colour))
        if ahead.coin is not None and ahead.coin != self.look.coin and ahead.pays is not None:
            coin = (self.layout.spaces[ahead.coin], ahead.pays[1])
        if ahead.fortress is not None:
            tower = (self.towers[ahead.fortress].middle(27.0), context.palette(ahead.seat))
        title = f"{offer.words}, {offer.price}"
        return ActionPreview(
            offer.actions, title, tuple(lines), house, tower, None, coin, closes, context.gains(ahead.gains)
        )

    def _ahead_of_sailing(self, legs: Sequence[Offer]) -> ActionPreview:
        """Return the preview of a ship that arrives."""
        ahead = preview(self.context.game, (int(legs[0].actions),))
        actions = " ".join(offer.actions for offer in legs)
        assert ahead.berth is not None
        space = ahead.berth[1]
        if space == TRANSIT:
            return ActionPreview(actions, self.t.text("{city} is full: sail on", city=self.look.name), ())
        berth = self.berths[space]
        ship = (moored(berth), self.context.palette(ahead.seat))
        price = self.look.harbours[space].price
        title = self.t.text("Harbour {number}: a warehouse costs {price}", number=space + 1, price=price)
        return ActionPreview(actions, title, (), ship=ship)


def _split(box: Box, count: int) -> list[Box]:
    """Divide a box among several actions at the same place."""
    columns = min(count, 2)
    rows = -(-count // columns)
    w, h = box.w / columns, box.h / rows
    return [
        Box(round(box.x + number % columns * w, 1), round(box.y + number // columns * h, 1), round(w, 1), round(h, 1))
        for number in range(count)
    ]
