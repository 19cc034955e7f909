"""The cities of the board as they are drawn: what stands where, and what it pays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.engine.vocabulary import CANARIAS, LISBOA, MAIN_CITIES, NO_SITE, NOBODY, PIRATE, PORTO, SITES
from elcapitan.look import FREE, SHUTTING, VACATED, CityLook, Slot
from elcapitan.text.catalogue import _
from elcapitan.web.scene.changes import Changes
from elcapitan.web.scene.ground import SHIP, Box, Ground, moored
from elcapitan.web.scene.offers import Offers
from elcapitan.web.scene.plans import printed
from elcapitan.web.scene.prospects import Ahead, Prospects, Target
from elcapitan.web.scene.sight import Naming, Sight

# What is special about the cities of the expansion, in the fewest words [PORTO-04, LISB-03, CANA-02].
SPECIAL: Final = {
    PORTO: _("closed houses leave"),
    LISBOA: _("pays at every build"),
    CANARIAS: _("sends the pirate"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A thing in a city that can be pointed at: where it is, what it is, and which page of help explains it."""

    box: Box
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class House:
    """An open warehouse."""

    site: int
    label: str
    box: Box
    cell: Box
    dark: bool
    colour: int  # of the palette
    new: bool
    front: bool  # the next warehouse closes it


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship in a harbour, or one that has to sail on."""

    name: str  # of the piece: ship-2, pirate
    label: str
    box: Box
    berth: Box | None
    colour: int | None  # of the palette; none for the pirate
    price: int
    new: bool


@dataclass(frozen=True, slots=True)
class Tower:
    """A fortress."""

    site: int
    label: str
    box: Box
    colour: int
    new: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """The closed warehouses of a city."""

    label: str
    pieces: tuple[tuple[Box, int], ...]


@dataclass(frozen=True, slots=True)
class Vacated:
    """A site that is out of use."""

    part: Part
    value: int
    dark: bool


@dataclass(frozen=True, slots=True)
class Earner:
    """Merchants who earn the same in a city by their rank."""

    colours: tuple[int, ...]
    amount: int


@dataclass(frozen=True, slots=True, eq=False)
class CityScene:
    """A city as it stands, whoever looks; made once as long as nothing changes there."""

    number: int
    name: str
    row: int
    column: int
    tile: bool
    summary: str
    pays: int
    coin: Part
    ranks: tuple[Earner, ...]
    standing: tuple[tuple[int, str, int, int], ...]  # colour, whose, open warehouses, what they earn
    houses: tuple[House, ...]
    vacated: tuple[Vacated, ...]
    closed: Closed | None
    towers: tuple[Tower, ...]
    ships: tuple[Ship, ...]
    free: tuple[Part, ...]  # sites, harbours and fortress sites with nothing on them, and the last space
    pennant: bool
    special: str  # what is special about a city of the expansion
    next: str  # what the next warehouse changes
    east: bool  # whether a neighbour lies there
    south: bool

    @property
    def track_words(self) -> str:
        """The open warehouses in words."""
        return "; ".join(house.label for house in self.houses)

    @property
    def harbour_words(self) -> str:
        """The harbours in words."""
        ships = [ship.label for ship in self.ships]
        return "; ".join(ships + [part.label for part in self.free if part.help == "harbour"])

    @property
    def tower_words(self) -> str:
        """The fortress sites in words."""
        towers = [tower.label for tower in self.towers]
        return "; ".join(towers + [part.label for part in self.free if part.help == "fortress"])


@dataclass(frozen=True, slots=True)
class CityNow:
    """A city and what whoever decides could do there."""

    city: CityScene
    here: int | None  # palette colour of the merchant who decides and lies here
    reachable: bool
    targets: tuple[Target, ...]
    ahead: tuple[Ahead, ...]


def cities(sight: Sight, looks: Sequence[CityLook], ground: Ground, offered: Offers, changed: Changes) -> list[CityNow]:
    """The cities as they are now."""
    places = {(look.row, look.column) for look in looks}
    return [_now(sight, look, ground, offered, changed, places) for look in looks]


def _now(
    sight: Sight, look: CityLook, ground: Ground, offered: Offers, changed: Changes, places: set[tuple[int, int]]
) -> CityNow:
    """A city with what is offered there."""
    east, south = (look.row, look.column + 1) in places, (look.row + 1, look.column) in places
    prospects, deciding = Prospects(sight, look, ground, offered), sight.facts.seat
    return CityNow(
        city=_standing(sight, look, ground, changed.within(look), east, south),
        here=sight.palette(deciding) if deciding is not None and sight.facts.anchored == look.number else None,
        reachable=look.number in offered.reachable,
        targets=tuple(prospects.targets()),
        ahead=tuple(prospects.ahead()),
    )


def _standing(sight: Sight, look: CityLook, ground: Ground, changed: Changes, east: bool, south: bool) -> CityScene:
    """A city as it stands."""
    naming = sight.naming
    return sight.table.once(
        ("city", naming.t.language, look.number, sight.live),
        (naming, look, ground, changed, east, south),
        lambda: _Painter(naming, look, ground, changed).city(east, south),
    )


class _Painter:
    """Makes the scene of one city."""

    def __init__(self, naming: Naming, look: CityLook, ground: Ground, changed: Changes) -> None:
        self.naming, self.look, self.ground, self.changed = naming, look, ground, changed
        self.t, self.teller = naming.t, naming.teller
        self.printed = printed(naming.figures, look.number)
        self.tower_boxes = ground.towers(len(look.fortresses))
        self.berth_boxes = ground.berths(len(look.harbours), len(look.fortresses))

    def city(self, east: bool, south: bool) -> CityScene:
        """The whole scene."""
        look = self.look
        return CityScene(
            number=look.number,
            name=look.name,
            row=look.row,
            column=look.column,
            tile=look.number >= MAIN_CITIES,
            summary=self._summary(),
            pays=look.pays,
            coin=self._space(look.coin),
            ranks=self._ranks(),
            standing=self._standing(),
            houses=tuple(self._houses()),
            vacated=self._vacated(),
            closed=self._closed(),
            towers=tuple(self._towers()),
            ships=tuple(self._ships()),
            free=tuple(self._free()),
            pennant=look.fullest,
            special=self.t.template(SPECIAL.get(look.number, "")),
            next=self._next(),
            east=east,
            south=south,
        )

    # ----------------------------------------------------------------------------------------------------- what pays

    def _ranks(self) -> tuple[Earner, ...]:
        """Who earns by rank, first rank first; those who earn the same together."""
        found: list[Earner] = []
        for seat, amount in self.look.earners:
            colour = self.naming.palette(seat)
            if len(found) > 1 and found[-1].amount == amount:
                found[-1] = Earner((*found[-1].colours, colour), amount)
            else:
                found.append(Earner((colour,), amount))
        return tuple(found)

    def _standing(self) -> tuple[tuple[int, str, int, int], ...]:
        """All colours with an open warehouse here, in the order of their ranks."""
        naming = self.naming
        return tuple(
            (naming.palette(each.colour), naming.owner(each.colour), each.houses, each.earns)
            for each in self.look.order
        )

    def _next(self) -> str:
        """What the next warehouse changes."""
        look, t = self.look, self.t
        if look.next == NO_SITE:
            return t.text("No warehouse can be placed here any more.")
        sentences = [t.text("The next warehouse goes on S{site}.", site=look.next + 1)]
        if look.closes_next is not None:
            sentences.append(
                t.text(
                    "It closes the one of {owner} on S{site}.",
                    owner=self.naming.owner(look.sites[look.closes_next]),
                    site=look.closes_next + 1,
                )
            )
        sentences.append(t.text("Then first rank earns {amount}.", amount=look.after_next))
        return " ".join(sentences)

    def _summary(self) -> str:
        """The city in a few sentences."""
        t = self.t
        sentences = [t.text("{city}: first rank earns {amount}.", city=self.look.name, amount=self.look.pays)]
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

    def _houses(self) -> list[House]:
        """The open warehouses."""
        return [
            House(
                site=site,
                label=self.t.text("S{site}: {owner}", site=site + 1, owner=self.naming.owner(colour)),
                box=self.ground.houses[site],
                cell=self.ground.spaces[site],
                dark=self.printed.dark[site],
                colour=self.naming.palette(colour),
                new=(self.look.number, site) in self.changed.sites,
                front=site == self.look.closes_next,
            )
            for site, colour in enumerate(self.look.sites)
            if colour >= 0
        ]

    def _vacated(self) -> tuple[Vacated, ...]:
        """The sites that are out of use."""
        return tuple(
            Vacated(
                Part(self.ground.spaces[site], self.t.text("S{site}: vacated", site=site + 1), "vacated"),
                self.printed.track[site],
                self.printed.dark[site],
            )
            for site, what in enumerate(self.look.sites)
            if what == VACATED
        )

    def _closed(self) -> Closed | None:
        """The closed warehouses on the square."""
        colours = self.look.closed
        if not colours:
            return None
        boxes = self.ground.closed(len(colours))
        owners = ", ".join(self.naming.owner(colour) for colour in colours)
        pieces = tuple((box, self.naming.palette(colour)) for box, colour in zip(boxes, colours, strict=True))
        return Closed(self.t.text("closed: {owners}", owners=owners), pieces)

    def _towers(self) -> list[Tower]:
        """The fortresses."""
        return [
            Tower(
                site=site,
                label=self.t.text("fortress of {owner}", owner=self.teller.merchant(slot.occupant)),
                box=box.middle(27.0),
                colour=self.naming.palette(slot.occupant),
                new=(self.look.number, site) in self.changed.towers,
            )
            for site, (box, slot) in enumerate(zip(self.tower_boxes, self.look.fortresses, strict=True))
            if slot.occupant != NOBODY
        ]

    def _ships(self) -> list[Ship]:
        """The ships in the harbour, the pirate, and ships that found no harbour."""
        found = [
            self._ship(number, box, slot)
            for number, (box, slot) in enumerate(zip(self.berth_boxes, self.look.harbours, strict=True), start=1)
            if slot.occupant != NOBODY
        ]
        for number, seat in enumerate(self.look.passing):
            box = Box(self.ground.square.x + 4 + 30 * number, self.ground.square.y + 2, SHIP, SHIP)
            label = self.t.text("{who} must sail on", who=self.teller.merchant(seat))
            found.append(Ship(f"ship-{seat}", label, box, None, self.naming.palette(seat), 0, new=False))
        return found

    def _ship(self, number: int, berth: Box, slot: Slot) -> Ship:
        """A ship in its berth."""
        seat = slot.occupant
        pirate = seat == PIRATE
        who = self.t.text("the pirate") if pirate else self.teller.merchant(seat)
        return Ship(
            name="pirate" if pirate else f"ship-{seat}",
            label=self.t.text("harbour {number}, {who}: {price}", number=number, who=who, price=slot.price),
            box=moored(berth),
            berth=berth,
            colour=None if pirate else self.naming.palette(seat),
            price=slot.price,
            new=self.changed.pirate if pirate else seat in self.changed.ships,
        )

    # ------------------------------------------------------------------------------------------------- what is free

    def _free(self) -> list[Part]:
        """Every place with nothing on it, and what it is."""
        t = self.t
        found = [
            self._space(number)
            for number in range(SITES + 1)
            if number != self.look.coin and (number == SITES or self.look.sites[number] in (FREE, SHUTTING))
        ]
        for number, (box, slot) in enumerate(zip(self.berth_boxes, self.look.harbours, strict=True), start=1):
            if slot.occupant == NOBODY:
                label = t.text("harbour {number}, free: {price}", number=number, price=slot.price)
                found.append(Part(box, label, "harbour"))
        for box, slot in zip(self.tower_boxes, self.look.fortresses, strict=True):
            if slot.occupant == NOBODY:
                found.append(Part(box, t.text("fortress site, free: {price}", price=slot.price), "fortress"))
        return found

    def _space(self, number: int) -> Part:
        """A free site, or the last space."""
        box, value = self.ground.spaces[number], self.printed.track[number]
        if number == SITES:
            if number == self.look.coin:
                return Part(box, self.t.text("last space: pays {amount} now", amount=value), "coin")
            return Part(box, self.t.text("last space: {amount}", amount=value), "last")
        if number == self.look.coin:
            return Part(box, self.t.text("S{site}: pays {amount} now", site=number + 1, amount=value), "coin")
        if self.printed.dark[number]:
            return Part(box, self.t.text("S{site}, dark: {amount}", site=number + 1, amount=value), "dark")
        words = self.t.text("S{site}: {amount}", site=number + 1, amount=value)
        return Part(box, words, "triangle" if number == self.printed.triangle else "site")
