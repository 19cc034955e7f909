"""Whole numbers from outside: the only place that turns digits somebody has sent into a number."""

from typing import Final

MOST_DIGITS: Final = 20  # digits of any number; the largest that means anything is a seed below 2**64


def whole_number(text: str, most: int) -> int | None:
    """Read a whole number from 0 to `most`, written in ASCII digits; None for any other text.

    The length is bounded before the digits are converted: Python raises an error for more than 4,300 digits, and up to
    there the time grows with the square of the length.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        return None
    number = int(text)
    return number if number <= most else None
