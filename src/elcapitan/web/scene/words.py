"""Small words that several parts of the table share."""

from typing import Final

from elcapitan.text.catalogue import Translator

FLORINS: Final = "ƒ"
MINUS: Final = "\N{MINUS SIGN}"
SEAL: Final = "\N{BLACK CIRCLE}"


def florins(amount: int) -> str:
    """An amount of money."""
    return f"{number(amount)}\N{NO-BREAK SPACE}{FLORINS}"


def price(cost: int) -> str:
    """What something costs; what it brings instead has a plus sign."""
    return florins(cost) if cost >= 0 else f"+{florins(-cost)}"


def warehouse(t: Translator, site: int, *, neutral: bool, reopened: bool) -> str:
    """A warehouse that could be placed; sites count from 0."""
    if reopened:
        if neutral:
            return t.text("Re-open neutral on S{site}", site=site + 1)
        return t.text("Re-open on S{site}", site=site + 1)
    if neutral:
        return t.text("Neutral warehouse on S{site}", site=site + 1)
    return t.text("Warehouse on S{site}", site=site + 1)


def number(amount: int) -> str:
    """A number with a minus sign as wide as the plus."""
    return f"{MINUS}{-amount}" if amount < 0 else str(amount)


def change(amount: int) -> str:
    """A gain or a loss, always with its sign."""
    return f"+{amount}" if amount > 0 else number(amount)
