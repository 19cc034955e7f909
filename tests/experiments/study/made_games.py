"""Tables made by hand."""

from collections.abc import Sequence
from dataclasses import replace

from tests.experiments.arena.made_results import made

from elcapitan.experiments.arena.games import GameResult
from elcapitan.experiments.arena.tournament import Results
from elcapitan.experiments.study.games import Accounts, AmongEquals, StudiedTable
from elcapitan.position.ledger import BONUS, FORTRESSES, MAJORITIES, PROLIFERATION, SOURCES, START

BOT = "somebody"


def game(
    number: int,
    money: Sequence[int],
    *,
    presence: Sequence[int] = (),
    first: int = 0,
    rounds: tuple[int, ...] = (7, 8, 9),
) -> GameResult:
    """A game with these scores in which each merchant earned so much by presence, one of it by a bonus card."""
    plain = made(number, [BOT] * len(money), money, first=first, rounds=rounds)
    shares = presence or [0] * len(money)
    merchants = tuple(
        replace(
            merchant,
            sources={
                **dict.fromkeys(SOURCES, 0),
                START: 20,
                PROLIFERATION: max(0, share - 1),
                BONUS: min(1, share),
                MAJORITIES: merchant.money - 20 - share - 2,
                FORTRESSES: 2,
            },
        )
        for merchant, share in zip(plain.merchants, shares, strict=True)
    )
    return replace(plain, merchants=merchants)


def books(
    money: int,
    *,
    worth: tuple[int, int] = (0, 0),
    taken: tuple[int, int, int] = (0, 0, 0),
    extended: tuple[int, int, int] = (0, 0, 0),
    left: tuple[int, int, int] = (0, 0, 0),
) -> Accounts:
    """The accounts of a merchant who ended with so much money."""
    return Accounts((*worth, money), taken, extended, left)


def table(*games: GameResult, accounts: Sequence[tuple[Accounts, ...]] = (), seed: int = 1) -> StudiedTable:
    """Some games as those of one number of players; nobody borrows and everybody builds everything if not told."""
    players = len(games[0].merchants)
    config = AmongEquals((BOT,), players, games=len(games), seed=seed)
    plain = [tuple(books(merchant.money) for merchant in each.merchants) for each in games]
    return StudiedTable(Results(config, games), tuple(accounts or plain))
