"""Types of the values in addresses, queries and forms, for the arguments of pages."""

from typing import Annotated, Final

from fastapi import Form
from pydantic import BeforeValidator
from starlette.convertors import Convertor, register_url_convertor

from elcapitan.untrusted_input import whole_number

HIGHEST: Final = 2**31 - 1  # of any number on a page: events, entries, seats, steps of the guide
LONGEST_TURN: Final = 100  # actions sent at once


def _read(value: object) -> object:
    """Read the digits of a number, with a minus sign or without. Raises `ValueError` for anything else."""
    if not isinstance(value, str):
        return value
    number = whole_number(value.removeprefix("-"), HIGHEST)
    if number is None:
        raise ValueError
    return -number if value.startswith("-") else number


Whole = Annotated[int, BeforeValidator(_read)]  # a number in a query or an address
Number = Annotated[Whole, Form()]
SomeSeat = Annotated[Whole | None, Form()]
Text = Annotated[str, Form()]


class _NumberInPath(Convertor[int]):
    """A number as a part of an address, `{name:number}`; an address with more digits is not found."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        """Read the number from an address."""
        number = whole_number(value, HIGHEST)
        assert number is not None  # nine digits are no more than that
        return number

    def to_string(self, value: int) -> str:
        """Write the number into an address."""
        return str(value)


register_url_convertor("number", _NumberInPath())
