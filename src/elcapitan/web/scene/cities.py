"""The cities of the board as they are drawn: what stands where, what it pays, and what could be done there."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from elcapitan.engine.rules.warehouses import FEWEST_PLAYERS_WITHOUT_TRIANGLE
from elcapitan.engine.vocabulary import (
    CANARIAS,
    LISBOA,
    MAIN_CITIES,
    NO_SITE,
    NOBODY,
    PIRATE,
    PORTO,
    SITES,
    TRANSIT,
)
from elcapitan.figures import Figures
from elcapitan.look import FREE, SHUTTING, VACATED, CityLook, Slot
from elcapitan.preview import Preview, preview
from elcapitan.text.catalogue import _
from elcapitan.text.names import plainly
from elcapitan.web.scene.changes import Changes
from elcapitan.web.scene.ground import Box, Ground
from elcapitan.web.scene.offers import Offer, Offers
from elcapitan.web.scene.sight import Sight
from elcapitan.web.scene.words import change

# What is special about the cities of the expansion, in the fewest words [PORTO-04, LISB-03, CANA-02].
SPECIAL: Final = {
    PORTO: _("closed houses leave"),
    LISBOA: _("pays at every build"),
    CANARIAS: _("sends the pirate"),
}
SHIP: Final = 28.0


@dataclass(frozen=True)
class Printed:
    """What is printed along the track of a city."""

    track: tuple[int, ...]
    dark: tuple[bool, ...]
    triangle: int


@functools.lru_cache(maxsize=64)
def printed(figures: Figures, city: int) -> Printed:
    """The figures of a city, read once."""
    board = figures.board
    return Printed(
        track=tuple(board.track[city].tolist()),
        dark=tuple(bool(dark) for dark in board.dark[city].tolist()),
        triangle=plainly(board.triangle[city]),
    )


@dataclass(frozen=True)
class Space:
    """A site, or the last space, as it is printed."""

    box: Box
    value: int
    dark: bool
    triangle: str  # nothing, `mark` or `full` where it closes a warehouse


@dataclass(frozen=True)
class Plan:
    """A city without any piece: this never changes during a game."""

    number: int
    name: str
    tile: bool
    spaces: tuple[Space, ...]
    berths: tuple[tuple[Box, int], ...]  # with the price of a warehouse from there
    towers: tuple[tuple[Box, int], ...]  # with the price of a fortress


@dataclass(frozen=True)
class Part:
    """A thing in a city that can be pointed at: where it is, what it is, and which page of help explains it."""

    box: Box
    label: str
    help: str


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Ship:
    """A ship in a harbour, or one that has to sail on."""

    name: str  # of the piece: ship-2, pirate
    label: str
    box: Box
    berth: Box | None
    colour: int | None  # of the palette; none for the pirate
    price: int
    new: bool


@dataclass(frozen=True)
class Tower:
    """A fortress."""

    site: int
    label: str
    box: Box
    colour: int
    new: bool


@dataclass(frozen=True)
class Closed:
    """The closed warehouses of a city."""

    label: str
    pieces: tuple[tuple[Box, int], ...]


@dataclass(frozen=True)
class Vacated:
    """A site that is out of use."""

    part: Part
    value: int
    dark: bool


@dataclass(frozen=True)
class Earner:
    """Merchants who earn the same in a city by their rank."""

    colours: tuple[int, ...]
    amount: int


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
    gains: tuple[tuple[int, str, bool], ...] = ()  # colour, change and whether it is a gain


@dataclass(frozen=True)
class CityScene:
    """A city as it is now."""

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
    here: int | None  # palette colour of the merchant who decides and lies here
    reachable: bool
    targets: tuple[Target, ...] = ()
    ahead: tuple[Ahead, ...] = ()
    next: str = ""  # what the next warehouse changes
    east: bool = False  # whether a neighbour lies there
    south: bool = False

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


def plans(sight: Sight, looks: Sequence[CityLook], ground: Ground) -> list[Plan]:
    """The cities as they are printed."""
    return [_plan(sight, look, ground) for look in looks]


def _plan(sight: Sight, look: CityLook, ground: Ground) -> Plan:
    """One city as it is printed."""
    print_of, city = printed(sight.game.figures, look.number), look.number
    full = sight.players < FEWEST_PLAYERS_WITHOUT_TRIANGLE
    spaces = tuple(
        Space(
            box=box,
            value=print_of.track[number],
            dark=number < SITES and print_of.dark[number],
            triangle=("full" if full else "mark") if number == print_of.triangle else "",
        )
        for number, box in enumerate(ground.spaces)
    )
    towers = ground.towers(len(look.fortresses))
    berths = ground.berths(len(look.harbours), len(towers))
    return Plan(
        number=city,
        name=look.name,
        tile=city >= MAIN_CITIES,
        spaces=spaces,
        berths=tuple((box, slot.price) for box, slot in zip(berths, look.harbours, strict=True)),
        towers=tuple((box, slot.price) for box, slot in zip(towers, look.fortresses, strict=True)),
    )


def cities(
    sight: Sight, looks: Sequence[CityLook], ground: Ground, offered: Offers, changed: Changes
) -> list[CityScene]:
    """The cities as they are now."""
    places = frozenset((look.row, look.column) for look in looks)
    return [_Painter(sight, look, ground, offered, changed, places).city() for look in looks]


class _Painter:
    """Makes the scene of one city."""

    def __init__(
        self,
        sight: Sight,
        look: CityLook,
        ground: Ground,
        offered: Offers,
        changed: Changes,
        places: frozenset[tuple[int, int]],
    ) -> None:
        self.sight, self.look, self.ground, self.offered, self.changed = sight, look, ground, offered, changed
        self.places = places  # of all cities, by row and column
        self.t = sight.t
        self.printed = printed(sight.game.figures, look.number)
        self.coin = self._coin()
        self.tower_boxes = ground.towers(len(look.fortresses))
        self.berth_boxes = ground.berths(len(look.harbours), len(look.fortresses))

    def city(self) -> CityScene:
        """The whole scene."""
        look, sight = self.look, self.sight
        deciding = sight.game.seat
        here = deciding is not None and plainly(sight.state.ship_city[deciding]) == look.number
        return CityScene(
            number=look.number,
            name=look.name,
            row=look.row,
            column=look.column,
            tile=look.number >= MAIN_CITIES,
            summary=self._summary(),
            pays=look.pays,
            coin=self._space(self.coin),
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
            here=sight.palette(deciding) if here and deciding is not None else None,
            reachable=look.number in self.offered.reachable,
            targets=tuple(self._targets()),
            ahead=tuple(self._ahead()),
            next=self._next(),
            east=(look.row, look.column + 1) in self.places,
            south=(look.row + 1, look.column) in self.places,
        )

    # ----------------------------------------------------------------------------------------------------- what pays

    def _coin(self) -> int:
        """The space that pays now: the one after the end of the row of warehouses."""
        last = plainly(self.sight.state.last[self.look.number])
        return 0 if last == NO_SITE else last + 1

    def _ranks(self) -> tuple[Earner, ...]:
        """Who earns by rank, first rank first; those who earn the same together."""
        found: list[Earner] = []
        for seat, amount in self.look.earners:
            colour = self.sight.palette(seat)
            if len(found) > 1 and found[-1].amount == amount:
                found[-1] = Earner((*found[-1].colours, colour), amount)
            else:
                found.append(Earner((colour,), amount))
        return tuple(found)

    def _standing(self) -> tuple[tuple[int, str, int, int], ...]:
        """All colours with an open warehouse here, in the order of their ranks."""
        sight = self.sight
        return tuple(
            (sight.palette(each.colour), sight.owner(each.colour), each.houses, each.earns) for each in self.look.order
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
                    owner=self.sight.owner(look.sites[look.closes_next]),
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
                label=self.t.text("S{site}: {owner}", site=site + 1, owner=self.sight.owner(colour)),
                box=self.ground.houses[site],
                cell=self.ground.spaces[site],
                dark=self.printed.dark[site],
                colour=self.sight.palette(colour),
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
        owners = ", ".join(self.sight.owner(colour) for colour in colours)
        pieces = tuple((box, self.sight.palette(colour)) for box, colour in zip(boxes, colours, strict=True))
        return Closed(self.t.text("closed: {owners}", owners=owners), pieces)

    def _towers(self) -> list[Tower]:
        """The fortresses."""
        return [
            Tower(
                site=site,
                label=self.t.text("fortress of {owner}", owner=self.sight.teller.merchant(slot.occupant)),
                box=box.middle(27.0),
                colour=self.sight.palette(slot.occupant),
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
            label = self.t.text("{who} must sail on", who=self.sight.teller.merchant(seat))
            found.append(Ship(f"ship-{seat}", label, box, None, self.sight.palette(seat), 0, new=False))
        return found

    def _ship(self, number: int, berth: Box, slot: Slot) -> Ship:
        """A ship in its berth."""
        seat = slot.occupant
        pirate = seat == PIRATE
        who = self.t.text("the pirate") if pirate else self.sight.teller.merchant(seat)
        return Ship(
            name="pirate" if pirate else f"ship-{seat}",
            label=self.t.text("harbour {number}, {who}: {price}", number=number, who=who, price=slot.price),
            box=_moored(berth),
            berth=berth,
            colour=None if pirate else self.sight.palette(seat),
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
            if number != self.coin and (number == SITES or self.look.sites[number] in (FREE, SHUTTING))
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
            if number == self.coin:
                return Part(box, self.t.text("last space: pays {amount} now", amount=value), "coin")
            return Part(box, self.t.text("last space: {amount}", amount=value), "last")
        if number == self.coin:
            return Part(box, self.t.text("S{site}: pays {amount} now", site=number + 1, amount=value), "coin")
        if self.printed.dark[number]:
            return Part(box, self.t.text("S{site}, dark: {amount}", site=number + 1, amount=value), "dark")
        words = self.t.text("S{site}: {amount}", site=number + 1, amount=value)
        return Part(box, words, "triangle" if number == self.printed.triangle else "site")

    # ------------------------------------------------------------------------------------------------- what could be

    def _targets(self) -> list[Target]:
        """The places of this city where the deciding seat can build."""
        found: list[Target] = []
        by_site: dict[int, list[Offer]] = {}
        for offer in self.offered.builds:
            if offer.city != self.look.number or offer.preview is None:
                continue
            if offer.preview.site is not None:
                by_site.setdefault(offer.preview.site, []).append(offer)
            elif offer.preview.fortress is not None:
                box = self.tower_boxes[offer.preview.fortress]
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

    def _ahead(self) -> list[Ahead]:
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
            after = max(plainly(sight.state.last[self.look.number]), ahead.site) + 1
            if after != self.coin and ahead.pays is not None:
                coin = (self.ground.spaces[after], ahead.pays[1])
        if ahead.fortress is not None:
            tower = (self.tower_boxes[ahead.fortress].middle(27.0), sight.palette(ahead.seat))
        gains = tuple(
            (sight.palette(seat), change(gain), gain > 0)
            for seat, gain in enumerate(ahead.gains)
            if gain and sight.forecast_of(seat)
        )
        title = f"{offer.words}, {offer.price}"
        return Ahead(offer.actions, title, tuple(lines), house, tower, None, coin, closes, gains)

    def _ahead_of_sailing(self, legs: Sequence[Offer]) -> Ahead:
        """A ship that would come here."""
        ahead = preview(self.sight.game, (int(legs[0].actions),))
        actions = " ".join(offer.actions for offer in legs)
        assert ahead.berth is not None
        space = ahead.berth[1]
        if space == TRANSIT:
            return Ahead(actions, self.t.text("{city} is full: sail on", city=self.look.name), ())
        berth = self.berth_boxes[space]
        ship = (_moored(berth), self.sight.palette(ahead.seat))
        price = self.look.harbours[space].price
        title = self.t.text("Harbour {number}: a warehouse costs {price}", number=space + 1, price=price)
        return Ahead(actions, title, (), ship=ship)


@functools.cache
def _moored(berth: Box) -> Box:
    """A ship in its berth."""
    return Box(round(berth.x + 1, 1), 31.5, SHIP, SHIP)


def _split(box: Box, count: int) -> list[Box]:
    """A box for each of several things that can be done in the same place, side by side, then below each other."""
    columns = min(count, 2)
    rows = -(-count // columns)
    w, h = box.w / columns, box.h / rows
    return [
        Box(round(box.x + number % columns * w, 1), round(box.y + number // columns * h, 1), round(w, 1), round(h, 1))
        for number in range(count)
    ]
