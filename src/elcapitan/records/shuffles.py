"""How cards are shuffled, what a record tells about it, and the check that every card came as it was shuffled.

Whoever shuffles draws a secret and a salt, and tells a hash of both at once: the commitment. Secret and salt stay
hidden as long as the game goes on, and are told at its end. Then all players can see that they belong to the hash that
was shown at the beginning, and that they bring the cards that came. There are two schemes:

- with a key, `hmac-sha256`: every game of a server, unless a seed was chosen for it;
- with a seed of the engine's generator: games with a chosen seed, and those begun before there were keys. Records do
  not name this scheme. Its salt is there because a seed alone could be guessed.

A key decides the cards, who begins, and the dice of computer players. Every decision asks HMAC-SHA256 under a label of
its own, so no answer tells anything about another one. The order of a deck is kept nowhere: the next card is drawn from
the face-down cards when it is turned up. Drawing one of those that are left, again and again, is the shuffle of Fisher
and Yates. A card depends on the key, on how many cards of its kind came before it, and on the cards that could come; so
going back and playing on brings the same cards again. docs/notation.md describes the scheme for those who want to check
it with a program of their own.

Every shuffle of a record names a hash, the commitment, that was shown when it happened. Of a game that is over it also
tells the secret (a key, or a seed) and the salt. Two things are checked: that they make this hash, and that every card
which was dealt or turned up since is the one that the secret brings. What lay on the table before the first shuffle, as
in a game that was brought from elsewhere, cannot be checked and is counted apart.
"""

import hashlib
import hmac
import itertools
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from elcapitan.board.board_file import nearest, short
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, DISPLAYED_DESTINATIONS, DISPLAYED_LINKS
from elcapitan.errors import BadRecord, ElCapitanError
from elcapitan.game.game import Game
from elcapitan.game.history import Act, Counts, Deal, Event, Moment, Reveal, cards_of
from elcapitan.game.position_queries import cards_to_come
from elcapitan.untrusted_input import whole_number

KEYED: Final = "hmac-sha256"
SEEDED: Final = ""  # has no name in records: it was the only one
KEY_BYTES: Final = 32  # 256 bits, as many as the hash has
SALT_BYTES: Final = 16
KINDS: Final = ("destination", "link")
_NUMBERS: Final = 2**256  # that an answer can be
_DICE: Final = 2**64  # seeds of the generator that computer players use
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_KEY: Final = re.compile(rf"[0-9a-f]{{{2 * KEY_BYTES}}}")
_SALT: Final = re.compile(rf"[0-9a-f]{{{2 * SALT_BYTES}}}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,19}")
_WORDS: Final = {  # of a shuffle in text, by how many there are
    2: ("at", "commitment"),
    3: ("at", "scheme", "commitment"),
    4: ("at", "commitment", "seed", "salt"),
    5: ("at", "scheme", "commitment", "key", "salt"),
}
_EXAMPLE: Final = f"0 {KEYED} 9f86d081884c7d65…"

Secret: TypeAlias = int | str  # a seed, or a key in hexadecimal digits
FAIR: Final = "fair"  # every card is what the shuffles bring
PARTLY: Final = "partly"  # so are all since the first shuffle, but there were cards before
UNKNOWN: Final = "unknown"  # nothing is told about any shuffle
SEALED: Final = "sealed"  # commitments are there, but not yet what is behind them
BROKEN: Final = "broken"  # a secret and its salt do not make the hash
OTHER_CARDS: Final = "other-cards"  # a card came that the secret does not bring


@dataclass(frozen=True, slots=True)
class Promise:
    """After so many events what is face down was shuffled: its hash, and what is behind it once that may be told."""

    at: int
    commitment: str
    seed: int | None = None
    salt: str = ""
    scheme: str = SEEDED
    key: str = ""

    @property
    def secret(self) -> Secret | None:
        """The key or the seed, once it is told."""
        return self.key or None if self.scheme else self.seed

    @property
    def published(self) -> bool:
        """Whether its secret has been published, so that it can be checked."""
        return self.secret is not None

    @property
    def matches(self) -> bool:
        """Whether secret and salt are those that were committed to."""
        return self.secret is not None and commitment_of(self.secret, self.salt) == self.commitment

    def untold(self) -> "Promise":
        """Return the same promise without its secret."""
        return Promise(self.at, self.commitment, scheme=self.scheme)


def promise(at: int, secret: Secret, salt: str) -> Promise:
    """Commit to a secret and a salt that were drawn for the cards after so many events."""
    commitment = commitment_of(secret, salt)
    if isinstance(secret, str):
        return Promise(at, commitment, salt=salt, scheme=KEYED, key=secret)
    return Promise(at, commitment, secret, salt)


def commitment_of(secret: Secret, salt: str) -> str:
    """Hash a secret and a salt: the commitment reveals neither and fixes both."""
    committed = f"{KEYED}:{secret}:{salt}" if isinstance(secret, str) else f"{secret}:{salt}"
    return hashlib.sha256(committed.encode()).hexdigest()


def any_salt() -> str:
    """Draw a new random salt."""
    return secrets.token_hex(SALT_BYTES)


def is_key(text: object) -> bool:
    """Whether this is a key in hexadecimal digits."""
    return isinstance(text, str) and _KEY.fullmatch(text) is not None


def is_seed(number: object) -> bool:
    """Whether this is a seed of the engine's generator."""
    return type(number) is int and 0 <= number <= HIGHEST_SEED


# --------------------------------------------------------------------------------------------------- what a key decides


def any_key() -> str:
    """Draw a new key from the system's randomness, in hexadecimal digits."""
    return secrets.token_hex(KEY_BYTES)


def below(key: str, label: str, bound: int) -> int:
    """Decide on a number from 0 to `bound` - 1, each as likely as any other; a different label decides anew."""
    even = _NUMBERS - _NUMBERS % bound  # from here on some numbers would be likelier than others
    for attempt in itertools.count():
        answer = hmac.digest(bytes.fromhex(key), f"{label}|{attempt}".encode(), "sha256")
        number = int.from_bytes(answer)
        if number < even:
            return number % bound
    raise AssertionError("counting never ends")


def first_seat(key: str, players: int) -> int:
    """Draw the seat that begins."""
    return below(key, "first seat", players)


def dice(key: str, number: int) -> int:
    """Draw a seed for the dice of a computer player that thinks after so many entries of the log."""
    return below(key, f"dice {number}", _DICE)


def drawn(key: str, turned_up: int, cards: Sequence[int]) -> int:
    """Draw one of these cards of one kind, in ascending order, after so many of this kind were turned up."""
    label = f"{KINDS[kind_of(cards[0])]} {turned_up}|{','.join(map(str, cards))}"
    return cards[below(key, label, len(cards))]


def in_order(key: str, turned_up: int, cards: Iterable[int]) -> list[int]:
    """Draw all these cards of one kind, one after another: the order in which they will be turned up."""
    left = sorted(cards)
    order: list[int] = []
    while left:
        order.append(drawn(key, turned_up + len(order), left))
        left.remove(order[-1])
    return order


def opening(key: str) -> Deal:
    """Draw the opening display [SET-07]."""
    destination = in_order(key, 0, range(DESTINATIONS))
    link = in_order(key, 0, range(DESTINATIONS, CARDS))
    return Deal(tuple(destination[:DISPLAYED_DESTINATIONS]), tuple(link[:DISPLAYED_LINKS]))


def next_card(key: str, states: States, turned_up: Counts) -> int:
    """Draw the card that is turned up next in a position, after so many of each kind were turned up."""
    cards = cards_to_come(states)
    return drawn(key, turned_up[kind_of(cards[0])], cards)


def kind_of(card: int) -> int:
    """Which of KINDS a card is."""
    return int(card >= DESTINATIONS)


# ------------------------------------------------------------------------------------------------------------- JSON


def to_json(promises: Iterable[Promise]) -> list[dict[str, Any]]:
    """The shuffles of a JSON record."""
    return [_to_object(promise) for promise in promises]


def _to_object(promise: Promise) -> dict[str, Any]:
    """Write one shuffle as a JSON object."""
    named = {"scheme": promise.scheme} if promise.scheme else {}
    public: dict[str, Any] = {"at": promise.at, **named, "commitment": promise.commitment}
    secret = {"key": promise.key} if promise.scheme else {"seed": promise.seed}
    return {**public, **secret, "salt": promise.salt} if promise.published else public


def from_json(content: object, events: int) -> tuple[Promise, ...]:
    """The shuffles of a JSON record with so many events, checked for their form."""
    if not isinstance(content, list):
        raise BadRecord("not-an-array", key="shuffles", found=short(content))
    return _in_order([_from_object(each) for each in content], events)


def _from_object(content: object) -> Promise:
    """Read one shuffle: with its secret and salt, or without both."""
    if not isinstance(content, dict):
        raise BadRecord("not-an-object", key="shuffles", found=short(content))
    public, secret = (("at", "scheme", "commitment"), "key") if "scheme" in content else (("at", "commitment"), "seed")
    told = secret in content or "salt" in content
    wanted = (*public, secret, "salt") if told else public
    for key in content:
        if key not in wanted:
            raise BadRecord("surplus-key", key=short(key), nearest=nearest(str(key), wanted))
    for key in wanted:
        if key not in content:
            raise BadRecord("lacks-key", key=key)
    at, right = content["at"], is_key if secret == "key" else is_seed
    fits = type(at) is int and at >= 0 and content.get("scheme", KEYED) == KEYED and _is_hash(content["commitment"])
    if not fits or (told and not (right(content[secret]) and _is_salt(content["salt"]))):
        raise BadRecord("bad-shuffle", found=short(content), example=_EXAMPLE)
    return Promise(**content)


# ------------------------------------------------------------------------------------------------------------- text


def to_text(promises: Iterable[Promise]) -> str:
    """The shuffles as the value of a header.

    `0 hmac-sha256 commitment`, and `key salt` behind it once they may be told; with a seed `0 commitment` and
    `seed salt`.
    """
    return ", ".join(" ".join(map(str, _to_object(each).values())) for each in promises)


def from_text(text: str, events: int) -> tuple[Promise, ...]:
    """The shuffles of a header, checked for their form."""
    return _in_order([_from_words(part) for part in text.split(",")] if text.strip() else [], events)


def _from_words(text: str) -> Promise:
    """Read one shuffle from its words."""
    words = text.split()
    content: dict[str, Any] = dict(zip(_WORDS.get(len(words), ()), words, strict=False))
    for name in content.keys() & {"at", "seed"}:
        word = content[name]
        content[name] = whole_number(word, HIGHEST_SEED) if _NUMBER.fullmatch(word) else None
    try:
        return _from_object(content)
    except BadRecord:
        raise BadRecord("bad-shuffle", found=short(text.strip()), example=_EXAMPLE) from None


def _is_hash(text: object) -> bool:
    """Whether this looks like a commitment."""
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def _is_salt(text: object) -> bool:
    """Whether this looks like a salt."""
    return isinstance(text, str) and _SALT.fullmatch(text) is not None


def _in_order(promises: Sequence[Promise], events: int) -> tuple[Promise, ...]:
    """Shuffles stand in the order in which they happened, none after the last event."""
    places = [each.at for each in promises]
    if places != sorted(set(places)) or any(at > events for at in places):
        raise BadRecord("shuffles-out-of-order", found=", ".join(map(str, places))[:80], most=events)
    return tuple(promises)


@dataclass(frozen=True)
class Finding:
    """The result of checking a game."""

    verdict: str
    promises: tuple[Promise, ...]
    cards: int  # dealt and turned up in all
    checked: int  # that are what the shuffles bring
    at: int | None = None  # the event with the first card that is not, or the shuffle that does not hold
    found: int | None = None  # that card
    wanted: int | None = None  # the card that should have come

    @property
    def fair(self) -> bool:
        """Whether every card of the game is proved."""
        return self.verdict == FAIR


def check(game: Game, promises: Sequence[Promise]) -> Finding:
    """Shuffle again as the record says, let the seats do what they did, and compare all cards."""
    told, moments = tuple(promises), list(game.history())
    cards = _count(moments)
    if not told:
        return Finding(UNKNOWN, told, cards, 0)
    if not all(each.published for each in told):
        return Finding(SEALED, told, cards, 0)
    for each in told:
        if not each.matches:
            return Finding(BROKEN, told, cards, 0, at=each.at)
    checked = 0
    for each, end in zip(told, [*(other.at for other in told[1:]), len(moments)], strict=True):
        due = _due(game, moments, each, end)
        for number, moment in enumerate(moments[each.at : end]):
            expected = due[number] if number < len(due) else ()
            for place, card in enumerate(cards_of(moment.event)):
                wanted = expected[place] if place < len(expected) else None
                if card != wanted:
                    return Finding(OTHER_CARDS, told, cards, checked, each.at + number, card, wanted)
                checked += 1
    return Finding(PARTLY if _count(moments[: told[0].at]) else FAIR, told, cards, checked)


def _count(moments: Sequence[Moment]) -> int:
    """Count the cards that came in these events."""
    return sum(len(cards_of(moment.event)) for moment in moments)


def _due(game: Game, moments: Sequence[Moment], promise: Promise, end: int) -> list[tuple[int, ...]]:
    """The cards that a shuffle brings with each event since, up to some event."""
    if isinstance(promise.secret, str):
        return _drawn_again(promise.secret, moments, promise.at, end)
    return _dealt_again(game, [moment.event for moment in moments], promise, end)


def _drawn_again(key: str, moments: Sequence[Moment], at: int, end: int) -> list[tuple[int, ...]]:
    """The cards that a key brings, each drawn in the position in which the record has one."""
    turned_up = [0, 0]
    due: list[tuple[int, ...]] = []
    for number, moment in enumerate(moments[:end]):
        if number >= at:
            due.append(_drawn(key, moment, (turned_up[0], turned_up[1])))
        for card in cards_of(moment.event):
            turned_up[kind_of(card)] += 1
    return due


def _drawn(key: str, moment: Moment, turned_up: Counts) -> tuple[int, ...]:
    """The cards that a key brings instead of those of an event."""
    match moment.event:
        case Deal():
            return cards_of(opening(key))
        case Reveal():
            return (next_card(key, moment.before, turned_up),)
        case _:
            return ()


def _dealt_again(game: Game, events: Sequence[Event], promise: Promise, end: int) -> list[tuple[int, ...]]:
    """The cards that a seed brings when the same is done again, up to the first action that is impossible then."""
    again = Game.from_setup(game.setup, game.figures)
    try:
        for event in events[: promise.at]:
            again.apply(event)
        again = _shuffled(again, promise.seed)
        for event in events[promise.at : end]:
            if isinstance(event, Act):
                again.play_all(event.numbers)
    except ElCapitanError:
        pass  # another card came than in the record: it is found by comparing
    return [cards_of(event) for event in again.events[promise.at :]]


def _shuffled(game: Game, seed: int | None) -> Game:
    """The game with what is face down in the order of a seed, and cards drawn until a seat has to decide."""
    if game.dealt:
        game.shuffle(seed)
        return game
    return Game.from_setup(game.setup, game.figures, seed=seed)


def first_by_lot(game: Game, promises: Sequence[Promise]) -> bool | None:
    """Whether the secret of the first shuffle draws the seat that begins; `None` where it cannot be known."""
    if not promises or promises[0].at or not promises[0].published:
        return None
    if promises[0].key:
        return first_seat(promises[0].key, game.players) == game.setup.first
    drawn = Game.new(game.players, game.setup.tiles, seed=promises[0].seed, figures=game.figures)
    return drawn.setup.first == game.setup.first
