"""What a record tells about how its cards were shuffled, so that anybody can check it when the game is over.

Whoever shuffles draws a seed and a salt, and tells a hash of both at once: the commitment. Seed and salt stay secret as
long as the game goes on, and are told at its end. Then everybody can see that they belong to the hash that was shown at
the beginning, and that they bring the cards that came. The salt is there because a seed alone could be guessed.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from elcapitan.board_file import nearest, short
from elcapitan.digits import whole_number
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.errors import BadRecord

SALT_BYTES: Final = 16
_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")
_SALT: Final = re.compile(r"[0-9a-f]{32}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,19}")
_EXAMPLE: Final = "0 9f86d081884c7d65…"


@dataclass(frozen=True, slots=True)
class Promise:
    """After so many events what is face down was shuffled: its hash, and what is behind it once that may be told."""

    at: int
    commitment: str
    seed: int | None = None
    salt: str = ""

    @property
    def told(self) -> bool:
        """Whether it can be checked."""
        return self.seed is not None

    @property
    def holds(self) -> bool:
        """Whether seed and salt are those that were committed to."""
        return self.seed is not None and commitment_of(self.seed, self.salt) == self.commitment

    def untold(self) -> "Promise":
        """The same without its secret."""
        return Promise(self.at, self.commitment)


def promise(at: int, seed: int, salt: str) -> Promise:
    """What is promised when a seed and a salt were drawn."""
    return Promise(at, commitment_of(seed, salt), seed, salt)


def commitment_of(seed: int, salt: str) -> str:
    """The hash that tells nothing and cannot be changed afterwards."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


def any_salt() -> str:
    """A salt that nobody knows."""
    return secrets.token_hex(SALT_BYTES)


# ------------------------------------------------------------------------------------------------------------- JSON


def to_json(promises: Iterable[Promise]) -> list[dict[str, Any]]:
    """The shuffles of a JSON record."""
    return [_to_object(promise) for promise in promises]


def _to_object(promise: Promise) -> dict[str, Any]:
    """One shuffle."""
    public: dict[str, Any] = {"at": promise.at, "commitment": promise.commitment}
    return {**public, "seed": promise.seed, "salt": promise.salt} if promise.told else public


def from_json(content: object, events: int) -> tuple[Promise, ...]:
    """The shuffles of a JSON record with so many events, checked for their form."""
    if not isinstance(content, list):
        raise BadRecord("not-an-array", key="shuffles", found=short(content))
    return _in_order([_from_object(each) for each in content], events)


def _from_object(content: object) -> Promise:
    """One shuffle: with seed and salt, or without both."""
    if not isinstance(content, dict):
        raise BadRecord("not-an-object", key="shuffles", found=short(content))
    wanted: tuple[str, ...] = ("at", "commitment")
    if "seed" in content or "salt" in content:
        wanted += ("seed", "salt")
    for key in content:
        if key not in wanted:
            raise BadRecord("surplus-key", key=short(key), nearest=nearest(str(key)[:99], wanted))
    for key in wanted:
        if key not in content:
            raise BadRecord("lacks-key", key=key)
    at, commitment = content["at"], content["commitment"]
    seed, salt = content.get("seed"), content.get("salt", "")
    numbers = type(at) is int and at >= 0 and (seed is None or (type(seed) is int and 0 <= seed <= HIGHEST_SEED))
    if not numbers or ("seed" in content and seed is None) or not _is_hex(commitment, salt, told="salt" in content):
        raise BadRecord("bad-shuffle", found=short(content), example=_EXAMPLE)
    return Promise(at, commitment, seed, salt)


# ------------------------------------------------------------------------------------------------------------- text


def to_text(promises: Iterable[Promise]) -> str:
    """The shuffles as the value of a header: `0 commitment`, and `seed salt` behind it once they may be told."""
    return ", ".join(
        f"{each.at} {each.commitment}" + (f" {each.seed} {each.salt}" if each.told else "") for each in promises
    )


def from_text(text: str, events: int) -> tuple[Promise, ...]:
    """The shuffles of a header, checked for their form."""
    return _in_order([_from_words(part) for part in text.split(",")] if text.strip() else [], events)


def _from_words(text: str) -> Promise:
    """One shuffle."""
    match text.split():
        case [at, commitment] if _NUMBER.fullmatch(at) and _is_hex(commitment, "", told=False):
            if (place := whole_number(at, HIGHEST_SEED)) is not None:
                return Promise(place, commitment)
        case [at, commitment, seed, salt] if (
            _NUMBER.fullmatch(at) and _NUMBER.fullmatch(seed) and _is_hex(commitment, salt, told=True)
        ):
            place, drawn = whole_number(at, HIGHEST_SEED), whole_number(seed, HIGHEST_SEED)
            if place is not None and drawn is not None:
                return Promise(place, commitment, drawn, salt)
    raise BadRecord("bad-shuffle", found=short(text.strip()), example=_EXAMPLE)


def _is_hex(commitment: object, salt: object, *, told: bool) -> bool:
    """Whether hash and salt look like what they are."""
    right = isinstance(commitment, str) and _COMMITMENT.fullmatch(commitment)
    return bool(right and (not told or (isinstance(salt, str) and _SALT.fullmatch(salt))))


def _in_order(promises: Sequence[Promise], events: int) -> tuple[Promise, ...]:
    """Shuffles stand in the order in which they happened, none after the last event."""
    places = [each.at for each in promises]
    if places != sorted(set(places)) or any(at > events for at in places):
        raise BadRecord("shuffles-out-of-order", found=", ".join(map(str, places))[:80], most=events)
    return tuple(promises)
