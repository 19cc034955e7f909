"""The cities of the board as they are drawn: the pieces in them, and what they pay."""

from dataclasses import dataclass
from typing import Final

from elcapitan.engine.vocabulary import CANARIAS, LISBOA, MAIN_CITIES, NO_SITE, NOBODY, PIRATE, PORTO, SITES
from elcapitan.position.facts import FREE, SHUTTING, VACATED, CityFacts, Slot
from elcapitan.text.catalogue import _
from elcapitan.web.view.city_layout import (
    SHIP,
    Box,
    CityLayout,
    berth_boxes,
    closed_boxes,
    moored,
    printed_track,
    tower_boxes,
)
from elcapitan.web.view.context import Naming, ViewContext
from elcapitan.web.view.history import Changes
from elcapitan.web.view.offers import Offers
from elcapitan.web.view.previews import ActionPreview, CityPreviews, Target

# What is special about the cities of the expansion, in the fewest words [PORTO-04, LISB-03, CANA-02].
SPECIAL: Final = {
    PORTO: _("closed = gone"),
    LISBOA: _("pays when you build"),
    CANARIAS: _("sends the pirate"),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a city that can be pointed at, with its label and its help topic."""

    box: Box
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class WarehousePiece:
    """An open warehouse on its site."""

    site: int
    label: str
    box: Box
    cell: Box
    dark: bool
    colour: int  # of the palette
    new: bool
    front: bool  # the next warehouse closes it


@dataclass(frozen=True, slots=True)
class ShipPiece:
    """A ship in a harbour, or one that has to sail on."""

    name: str  # of the piece: ship-2, pirate
    label: str
    box: Box
    berth: Box | None
    colour: int | None  # of the palette; none for the pirate
    price: int
    new: bool


@dataclass(frozen=True, slots=True)
class FortressPiece:
    """A fortress on its site."""

    site: int
    label: str
    box: Box
    colour: int
    new: bool


@dataclass(frozen=True, slots=True)
class ClosedPieces:
    """The closed warehouses of a city."""

    label: str
    pieces: tuple[tuple[Box, int], ...]


@dataclass(frozen=True, slots=True)
class VacatedSite:
    """A site that is out of use."""

    part: Spot
    value: int
    dark: bool


@dataclass(frozen=True, slots=True)
class Earner:
    """Merchants who earn the same in a city by their rank."""

    colours: tuple[int, ...]
    amount: int


@dataclass(frozen=True, slots=True, eq=False)
class CityView:
    """A city as all viewers see it; made again only when something in it changes."""

    number: int
    name: str
    row: int
    column: int
    tile: bool
    summary: str
    pays: int
    coin: Spot
    ranks: tuple[Earner, ...]
    standing: tuple[tuple[int, str, int, int], ...]  # colour, whose, open warehouses, what they earn
    houses: tuple[WarehousePiece, ...]
    vacated: tuple[VacatedSite, ...]
    closed: ClosedPieces | None
    towers: tuple[FortressPiece, ...]
    ships: tuple[ShipPiece, ...]
    free: tuple[Spot, ...]  # sites, harbours and fortress sites with nothing on them, and the last space
    pennant: bool
    special: str  # what is special about a city of the expansion
    next: str  # what the next warehouse changes
    east: bool  # whether a neighbour lies there
    south: bool

    @property
    def track_words(self) -> str:
        """Describe the open warehouses."""
        return "; ".join(house.label for house in self.houses)

    @property
    def harbour_words(self) -> str:
        """Describe the harbours and their ships."""
        return self._words([ship.label for ship in self.ships], "harbour")

    @property
    def tower_words(self) -> str:
        """Describe the fortress sites."""
        return self._words([tower.label for tower in self.towers], "fortress")

    def _words(self, labels: list[str], kind: str) -> str:
        """Join the labels of pieces and those of the free places of a kind."""
        return "; ".join(labels + [spot.label for spot in self.free if spot.help == kind])


@dataclass(frozen=True, slots=True)
class CityWithActions:
    """A city with the actions that the deciding seat has there."""

    city: CityView
    here: int | None  # palette colour of the merchant who decides and lies here
    reachable: bool
    targets: tuple[Target, ...]
    ahead: tuple[ActionPreview, ...]


def cities(context: ViewContext, layout: CityLayout, offered: Offers, changed: Changes) -> list[CityWithActions]:
    """Return all cities with the actions offered in them."""
    places = {(city.row, city.column) for city in context.position.cities}
    deciding, anchored, reachable = context.game.seat, context.anchored, offered.reachable
    found = []
    for city in context.position.cities:
        east, south = (city.row, city.column + 1) in places, (city.row + 1, city.column) in places
        previews = CityPreviews(context, city, layout, offered)
        found.append(
            CityWithActions(
                city=_city_view(context, city, layout, changed.within(city), east, south),
                here=None if deciding is None or anchored != city.number else context.palette(deciding),
                reachable=city.number in reachable,
                targets=tuple(previews.targets()),
                ahead=tuple(previews.ahead()),
            )
        )
    return found


def _city_view(
    context: ViewContext, city: CityFacts, layout: CityLayout, changed: Changes, east: bool, south: bool
) -> CityView:
    """Return the view of a city; reuse the last one if nothing has changed in it."""
    naming = context.naming
    return context.table.once(
        ("city", naming.t.language, city.number, context.live),
        (naming, city, layout, changed, east, south),
        lambda: _CityMaker(naming, city, layout, changed).view(east, south),
    )


class _CityMaker:
    """Makes the view of one city."""

    def __init__(self, naming: Naming, city: CityFacts, layout: CityLayout, changed: Changes) -> None:
        self.naming, self.city, self.layout, self.changed = naming, city, layout, changed
        self.t, self.teller = naming.t, naming.teller
        self.printed_track = printed_track(naming.figures, city.number)
        self.tower_boxes = tower_boxes(layout, len(city.fortresses))
        self.berth_boxes = berth_boxes(layout, len(city.harbours), len(city.fortresses))

    def view(self, east: bool, south: bool) -> CityView:
        """Return the view of the city."""
        city = self.city
        return CityView(
            number=city.number,
            name=city.name,
            row=city.row,
            column=city.column,
            tile=city.number >= MAIN_CITIES,
            summary=self._summary(),
            pays=city.pays,
            coin=self._space(city.coin),
            ranks=self._ranks(),
            standing=self._standing(),
            houses=tuple(self._houses()),
            vacated=self._vacated(),
            closed=self._closed(),
            towers=tuple(self._towers()),
            ships=tuple(self._ships()),
            free=tuple(self._free()),
            pennant=city.fullest,
            special=self.t.template(SPECIAL.get(city.number, "")),
            next=self._next(),
            east=east,
            south=south,
        )

    # ----------------------------------------------------------------------------------------------------- what pays

    def _ranks(self) -> tuple[Earner, ...]:
        """Return who earns by rank, the first rank first; merchants who earn the same form one group."""
        found: list[Earner] = []
        for seat, amount in self.city.earners:
            colour = self.naming.palette(seat)
            if len(found) > 1 and found[-1].amount == amount:
                found[-1] = Earner((*found[-1].colours, colour), amount)
            else:
                found.append(Earner((colour,), amount))
        return tuple(found)

    def _standing(self) -> tuple[tuple[int, str, int, int], ...]:
        """Return all colours with an open warehouse here, in the order of their ranks."""
        naming = self.naming
        return tuple(
            (naming.palette(each.colour), naming.owner(each.colour), each.houses, each.earns)
            for each in self.city.order
        )

    def _next(self) -> str:
        """Say what the next warehouse changes."""
        city, t = self.city, self.t
        if city.next == NO_SITE:
            return t.text("No warehouse can be placed here any more.")
        sentences = [t.text("The next warehouse goes on site {site}.", site=city.next + 1)]
        if city.closes_next is not None:
            owner = self.naming.owner(city.sites[city.closes_next])
            sentences.append(
                t.text("It closes the one of {owner} on site {site}.", owner=owner, site=city.closes_next + 1)
            )
        sentences.append(t.text("Then first rank earns {amount}.", amount=city.after_next))
        return " ".join(sentences)

    def _summary(self) -> str:
        """Describe the city in a few sentences."""
        t = self.t
        sentences = [t.text("{city}: first rank earns {amount}.", city=self.city.name, amount=self.city.pays)]
        sentences += [
            t.plural(
                "{rank}. {who}, {number} warehouse.", "{rank}. {who}, {number} warehouses.", houses, rank=rank, who=who
            )
            if not earns
            else t.plural(
                "{rank}. {who}, {number} warehouse: {amount}.",
                "{rank}. {who}, {number} warehouses: {amount}.",
                houses,
                rank=rank,
                who=who,
                amount=earns,
            )
            for rank, (_colour, who, houses, earns) in enumerate(self._standing(), start=1)
        ]
        return " ".join([*sentences, self._next()])

    # ----------------------------------------------------------------------------------------------------- what stands

    def _houses(self) -> list[WarehousePiece]:
        """Return the open warehouses."""
        return [
            WarehousePiece(
                site=site,
                label=self.t.text("site {site}: {owner}", site=site + 1, owner=self.naming.owner(colour)),
                box=self.layout.houses[site],
                cell=self.layout.spaces[site],
                dark=self.printed_track.dark[site],
                colour=self.naming.palette(colour),
                new=(self.city.number, site) in self.changed.sites,
                front=site == self.city.closes_next,
            )
            for site, colour in enumerate(self.city.sites)
            if colour >= 0
        ]

    def _vacated(self) -> tuple[VacatedSite, ...]:
        """Return the sites that are out of use."""
        return tuple(
            VacatedSite(
                Spot(self.layout.spaces[site], self.t.text("site {site}: vacated", site=site + 1), "vacated"),
                self.printed_track.track[site],
                self.printed_track.dark[site],
            )
            for site, what in enumerate(self.city.sites)
            if what == VACATED
        )

    def _closed(self) -> ClosedPieces | None:
        """Return the closed warehouses on the square."""
        colours = self.city.closed
        if not colours:
            return None
        boxes = closed_boxes(self.layout, len(colours))
        owners = ", ".join(self.naming.owner(colour) for colour in colours)
        pieces = tuple((box, self.naming.palette(colour)) for box, colour in zip(boxes, colours, strict=True))
        return ClosedPieces(self.t.text("closed: {owners}", owners=owners), pieces)

    def _towers(self) -> list[FortressPiece]:
        """Return the fortresses with their boxes."""
        return [
            FortressPiece(
                site=site,
                label=self.t.text("fortress of {owner}", owner=self.teller.merchant(slot.occupant)),
                box=box.middle(27.0),
                colour=self.naming.palette(slot.occupant),
                new=(self.city.number, site) in self.changed.towers,
            )
            for site, (box, slot) in enumerate(zip(self.tower_boxes, self.city.fortresses, strict=True))
            if slot.occupant != NOBODY
        ]

    def _ships(self) -> list[ShipPiece]:
        """Return the ships in the harbour, the pirate, and ships that found no harbour."""
        found = [
            self._ship(number, box, slot)
            for number, (box, slot) in enumerate(zip(self.berth_boxes, self.city.harbours, strict=True), start=1)
            if slot.occupant != NOBODY
        ]
        for number, seat in enumerate(self.city.passing):
            box = Box(self.layout.square.x + 4 + 30 * number, self.layout.square.y + 2, SHIP, SHIP)
            label = self.t.text("{who} must sail on", who=self.teller.merchant(seat))
            found.append(ShipPiece(f"ship-{seat}", label, box, None, self.naming.palette(seat), 0, new=False))
        return found

    def _ship(self, number: int, berth: Box, slot: Slot) -> ShipPiece:
        """Return a ship in its berth."""
        seat = slot.occupant
        pirate = seat == PIRATE
        who = self.t.text("the pirate") if pirate else self.teller.merchant(seat)
        return ShipPiece(
            name="pirate" if pirate else f"ship-{seat}",
            label=self.t.text("harbour {number}, {who}: {price}", number=number, who=who, price=slot.price),
            box=moored(berth),
            berth=berth,
            colour=None if pirate else self.naming.palette(seat),
            price=slot.price,
            new=self.changed.pirate if pirate else seat in self.changed.ships,
        )

    # ------------------------------------------------------------------------------------------------- what is free

    def _free(self) -> list[Spot]:
        """Return every place with nothing on it, and its label."""
        t = self.t
        found = [
            self._space(number)
            for number in range(SITES + 1)
            if number != self.city.coin and (number == SITES or self.city.sites[number] in (FREE, SHUTTING))
        ]
        for number, (box, slot) in enumerate(zip(self.berth_boxes, self.city.harbours, strict=True), start=1):
            if slot.occupant == NOBODY:
                label = t.text("harbour {number}, free: {price}", number=number, price=slot.price)
                found.append(Spot(box, label, "harbour"))
        for box, slot in zip(self.tower_boxes, self.city.fortresses, strict=True):
            if slot.occupant == NOBODY:
                found.append(Spot(box, t.text("fortress site, free: {price}", price=slot.price), "fortress"))
        return found

    def _space(self, number: int) -> Spot:
        """Return a free site, or the last space."""
        box, value = self.layout.spaces[number], self.printed_track.track[number]
        if number == SITES:
            if number == self.city.coin:
                return Spot(box, self.t.text("last space: pays {amount} now", amount=value), "coin")
            return Spot(box, self.t.text("last space: {amount}", amount=value), "last")
        if number == self.city.coin:
            return Spot(box, self.t.text("site {site}: pays {amount} now", site=number + 1, amount=value), "coin")
        if self.printed_track.dark[number]:
            return Spot(box, self.t.text("site {site}, dark: {amount}", site=number + 1, amount=value), "dark")
        words = self.t.text("site {site}: {amount}", site=number + 1, amount=value)
        return Spot(box, words, "triangle" if number == self.printed_track.triangle else "site")
