"""The extras that modules of this package need."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra in a `with` block; where one is missing, the error says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        how = f'pip install "elcapitan[{name}]"'
        raise ModuleNotFoundError(f"{error.name} is missing: {how}", name=error.name, path=error.path) from error
