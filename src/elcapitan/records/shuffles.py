"""What a record tells about how its cards were shuffled, so that any player can check it when the game is over.

Whoever shuffles draws a secret and a salt, and tells a hash of both at once: the commitment. Secret and salt stay
hidden as long as the game goes on, and are told at its end. Then everybody can see that they belong to the hash that
was shown at the beginning, and that they bring the cards that came. There are two schemes:

- with a key (`keyed_chance`): every game of a server, unless somebody has chosen a seed;
- with a seed of the engine's generator: games with a chosen seed, and those begun before there were keys. Records do
  not name this scheme. Its salt is there because a seed alone could be guessed.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from elcapitan.board.board_file import nearest, short
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.errors import BadRecord
from elcapitan.records import keyed_chance
from elcapitan.untrusted_input import whole_number

KEYED: Final = keyed_chance.SCHEME
SEEDED: Final = ""  # has no name in records: it was the only one
SALT_BYTES: Final = 16
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_KEY: Final = re.compile(rf"[0-9a-f]{{{2 * keyed_chance.KEY_BYTES}}}")
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
    def told(self) -> bool:
        """Whether it can be checked."""
        return self.secret is not None

    @property
    def holds(self) -> bool:
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


# ------------------------------------------------------------------------------------------------------------- JSON


def to_json(promises: Iterable[Promise]) -> list[dict[str, Any]]:
    """The shuffles of a JSON record."""
    return [_to_object(promise) for promise in promises]


def _to_object(promise: Promise) -> dict[str, Any]:
    """Write one shuffle as a JSON object."""
    named = {"scheme": promise.scheme} if promise.scheme else {}
    public: dict[str, Any] = {"at": promise.at, **named, "commitment": promise.commitment}
    secret = {"key": promise.key} if promise.scheme else {"seed": promise.seed}
    return {**public, **secret, "salt": promise.salt} if promise.told else public


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
