"""What a merchant can be called, so that players can tell one another apart.

Two names are alike if their skeletons, as Unicode Technical Standard #39 defines them, are equal. A name may contain
the invisible characters that some scripts need (joiners and variation selectors), which count for nothing when names
are compared. Other invisible characters are refused.
"""

import functools
import json
import unicodedata
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final

from elcapitan.errors import BadSetup

NAME_LENGTH: Final = 40  # characters of a name
JOINERS: Final = "\u200c\u200d"  # ZWNJ and ZWJ
# Unicode's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt), first and last of each range. Python does
# not know it.
IGNORABLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
SELECTORS: Final = ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))  # Variation_Selector
_MARK: Final = "\u200e"
BLANK: Final = "\u2800\U00016fe4\U0001d159"  # drawn as nothing: an empty Braille cell, a filler, an empty note head


def tidy(text: str, most: int) -> str:
    """Put a text on one line, without control characters, and cut it to `most` characters."""
    shown = "".join(letter if letter.isprintable() else " " for letter in str(text))
    return " ".join(shown.split())[:most].rstrip()


def tidy_name(name: str) -> str:
    """Put a name on one line, without control characters and commas, which separate names in lists, and cut it."""
    shown = "".join(letter if is_printable(letter) else " " for letter in str(name))
    return _without_stray_joiners(" ".join(shown.replace(",", " ").split())[:NAME_LENGTH].rstrip())


def is_printable(text: str) -> bool:
    """Whether all characters of a text are printable or joiners."""
    return all(letter.isprintable() or letter in JOINERS for letter in text)


def _without_stray_joiners(name: str) -> str:
    """Remove joiners that join nothing: at the edge of a word, one after the other, or beside an ASCII character."""
    kept: list[str] = []
    for number, letter in enumerate(name):
        beside = (kept[-1:] or " ")[0], name[number + 1 : number + 2] or " "
        if letter not in JOINERS or not any(each.isascii() or each in JOINERS for each in beside):
            kept.append(letter)
    return "".join(kept)


def check_names(names: Sequence[str], reserved: Sequence[Iterable[str]], changed: Iterable[int]) -> None:
    """Raise `BadSetup` if a seat's new name has an invisible character, looks like another's, or is reserved for it.

    Seats whose name has not changed are not checked: games that were stored with names that are alike go on.
    """
    for seat in changed:
        name = names[seat]
        unseen = next((letter for letter in name if is_unseen(letter)), None)
        if unseen is not None:
            raise BadSetup("invisible-letter", code=f"U+{ord(unseen):04X}")
        others = [*(other for number, other in enumerate(names) if number != seat and other), *reserved[seat]]
        if name and any(alike(name, other) for other in others):
            raise BadSetup("name-twice", name=name)


def visible(name: str) -> str:
    """Remove the invisible characters that are refused in a new name, and tidy the rest."""
    return tidy_name("".join(letter for letter in name if not is_unseen(letter)))


def numbered(names: Sequence[str], reserved: Sequence[Iterable[str]]) -> list[str]:
    """Add a number to each name that looks like an earlier one, or like one that is reserved for its seat."""
    made: list[str] = []
    for number, name in enumerate(names):
        others = [*reserved[number], *made]
        known = bool(name) and any(alike(name, other) for other in others)
        made.append(_with_number(name, [*others, *names[number + 1 :]]) if known else name)
    return made


def _with_number(name: str, taken: Sequence[str]) -> str:
    """Add the first number with which a name is like no other."""
    for number in range(2, len(taken) + 3):
        end = f" {number}"
        made = name[: NAME_LENGTH - len(end)].rstrip() + end
        if not any(alike(made, other) for other in taken):
            return made
    raise AssertionError("there are more numbers than names")


def is_unseen(letter: str) -> bool:
    """Whether a character is printable but draws nothing, and no script needs it in a name."""
    if letter in BLANK:
        return True
    return letter.isprintable() and _within(letter, IGNORABLE) and not _within(letter, SELECTORS)


# -------------------------------------------------------------------------------------------------------- looking alike


def alike(one: str, other: str) -> bool:
    """Whether two names look alike, as they are written or with the same case."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


@functools.lru_cache(maxsize=1024)
def _looks(name: str) -> tuple[str, str, str]:
    """What is compared, each with its like: the skeleton, its small letters, and the skeleton of the small letters.

    They differ: a capital I looks like a small l, a capital Greek Nu like an N, but their small letters do not.
    """
    plain = unicodedata.normalize("NFKC", name)
    found = skeleton(plain)
    return found, found.casefold(), skeleton(plain.casefold()).casefold()


def skeleton(text: str) -> str:
    """The skeleton of a text in one direction, as UTS #39 defines it; texts with the same skeleton look alike."""
    visible = (letter for letter in unicodedata.normalize("NFD", text) if not _within(letter, IGNORABLE))
    return unicodedata.normalize("NFD", "".join(visible).translate(prototypes()))


def _within(letter: str, ranges: Iterable[tuple[int, int]]) -> bool:
    """Whether a character is in one of some ranges."""
    return any(first <= ord(letter) <= last for first, last in ranges)


@functools.cache
def prototypes() -> dict[int, str]:
    """The character or characters that each confusable one looks like, from Unicode's list.

    The library has the list in both directions: a character with its prototype alone, a prototype with all characters
    that look like it. So a single character is mapped if it has one partner; of two that have only each other, either
    may be the prototype, as long as it is the same one everywhere. Letters written from right to left have marks around
    them there, which do not belong to them.
    """
    listed: dict[str, set[str]] = {}
    content = (resources.files("homoglyphs_fork") / "confusables.json").read_text("utf-8")
    for text, looking_alike in json.loads(content).items():
        partners = listed.setdefault(text.strip(_MARK), set())
        partners |= {other.strip(_MARK) for other in looking_alike}
    found = {}
    for letter, partners in listed.items():
        if len(letter) == 1 and len(partners) == 1:
            (partner,) = partners
            mutual = len(partner) == 1 and listed.get(partner) == {letter}
            if not mutual or partner < letter:
                found[ord(letter)] = partner
    return {code: prototype.translate(found) for code, prototype in found.items()}
