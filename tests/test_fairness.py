"""Fair shuffles: what a record proves, and what it cannot hide."""

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.playing import CANARIAS, length_for, random_game

from elcapitan.board.figures import packaged
from elcapitan.errors import ElCapitanError
from elcapitan.game.game import Game
from elcapitan.game.history import Event, Reveal
from elcapitan.game.setup import Setup
from elcapitan.records import shuffles
from elcapitan.records.json_record import to_json
from elcapitan.records.shuffles import Promise, Secret, any_salt, check, first_by_lot, promise
from elcapitan.service.dealt_game import DealtGame, taken_over
from elcapitan.service.log import Shuffle

BOARD = packaged()
SALT = "0f" * 16
EXAMPLE = Path(__file__).parents[1] / "examples" / "check_shuffle.py"


KEY = "0123456789abcdef" * 4


def keyed_game(
    players: int, tiles: Sequence[str] = (), key: str = KEY, most: int = 10_000, options: dict[str, bool] | None = None
) -> Game:
    """A game played by chance, whose cards come from a key; as it comes from a record."""
    first = shuffles.first_seat(key, players)
    course = DealtGame(Setup.of(players, tiles, first, options), BOARD)
    course.begin(key)
    _play(course, random.Random(players), most if CANARIAS not in tiles else length_for(tiles))
    return retold(course.game)


def retold(game: Game) -> Game:
    """The game as it comes from a record: it was told its cards."""
    return Game.replay(game.setup, game.events, game.figures)


@pytest.mark.parametrize(
    ("players", "tiles", "options"),
    [(2, (), {}), (3, (CANARIAS,), {}), (4, ("Porto", "Lisboa"), {"buy_before_loan": True}), (5, (), {})],
)
def test_every_card_of_an_honest_game_is_proved(players: int, tiles: Sequence[str], options: dict[str, bool]) -> None:
    game = random_game(players, tiles, 2**63 + players, options=options)
    finding = check(retold(game), [promise(0, 2**63 + players, SALT)])
    revealed = sum(isinstance(event, Reveal) for event in game.events)
    assert finding.fair
    assert finding.cards == finding.checked == 10 + revealed
    assert players < 4 or finding.cards > 54, "decks are made anew from their discards meanwhile"


@pytest.mark.parametrize(
    ("players", "tiles", "options"),
    [(2, (), {}), (3, (CANARIAS,), {}), (4, ("Porto", "Lisboa"), {"buy_before_loan": True}), (5, (), {})],
)
def test_every_card_that_a_key_brings_is_proved(players: int, tiles: Sequence[str], options: dict[str, bool]) -> None:
    game = keyed_game(players, tiles, options=options)
    finding = check(game, [promise(0, KEY, SALT)])
    revealed = sum(isinstance(event, Reveal) for event in game.events)
    assert finding.fair
    assert finding.cards == finding.checked == 10 + revealed
    assert CANARIAS in tiles or finding.cards > 54, "decks are made anew from their discards meanwhile"
    assert first_by_lot(game, [promise(0, KEY, SALT)]) is True


def test_another_key_brings_other_cards() -> None:
    finding = check(keyed_game(3, most=30), [promise(0, "f" * 64, SALT)])
    assert finding.verdict == shuffles.OTHER_CARDS and not finding.fair
    assert finding.at == 0 and finding.found != finding.wanted


def test_another_seed_brings_other_cards() -> None:
    finding = check(retold(random_game(3, seed=5, most=30)), [promise(0, 6, SALT)])
    assert finding.verdict == shuffles.OTHER_CARDS and not finding.fair
    assert finding.at == 0 and finding.found != finding.wanted


@pytest.mark.parametrize("secret", [9, KEY])
def test_every_exchanged_card_is_found(secret: Secret) -> None:
    """One card that might as well have come, instead of the one that did, anywhere in the game."""
    honest = keyed_game(4) if secret == KEY else random_game(4, seed=9)
    promises = [promise(0, secret, SALT)]
    places = [number for number, event in enumerate(honest.events) if isinstance(event, Reveal)]
    exchanged = 0
    for place in random.Random(1).sample(places, 25):
        other = _with_another_card(honest, honest.events, place)
        if other is not None:
            finding = check(other, promises)
            assert (finding.verdict, finding.at) == (shuffles.OTHER_CARDS, place)
            real = honest.events[place]
            assert isinstance(real, Reveal) and finding.wanted == real.card != finding.found
            assert finding.checked < finding.cards
            exchanged += 1
    assert exchanged > 10


def _with_another_card(game: Game, events: Sequence[Event], place: int) -> Game | None:
    """The same game up to a card, and then another card; none where only this one could come."""
    before = Game.replay(game.setup, events[:place], game.figures)
    for card in range(54):
        if events[place] != Reveal(card):
            try:
                before.reveal(card)
            except ElCapitanError:
                continue
            return before
    return None


def test_seed_and_salt_must_make_the_hash() -> None:
    game = retold(random_game(3, seed=5, most=30))
    honest = promise(0, 5, SALT)
    for changed in (replace(honest, commitment="0" * 64), replace(honest, salt=any_salt()), replace(honest, seed=6)):
        finding = check(game, [changed])
        assert (finding.verdict, finding.at, finding.checked) == (shuffles.BROKEN, 0, 0)


def test_key_and_salt_must_make_the_hash() -> None:
    game = keyed_game(3, most=30)
    honest = promise(0, KEY, SALT)
    other = promise(0, KEY[::-1], SALT)
    for changed in (
        replace(honest, commitment="0" * 64),
        replace(honest, salt=any_salt()),
        replace(honest, key=KEY[::-1]),
        replace(honest, commitment=hashlib.sha256(f"{KEY}:{SALT}".encode()).hexdigest()),
    ):
        finding = check(game, [changed])
        assert (finding.verdict, finding.at, finding.checked) == (shuffles.BROKEN, 0, 0)
    assert check(game, [other]).verdict == shuffles.OTHER_CARDS
    assert check(game, [honest.untold()]).verdict == shuffles.SEALED


def test_a_promise_not_yet_told_proves_nothing() -> None:
    game = retold(random_game(3, seed=5, most=30))
    assert check(game, [promise(0, 5, SALT).untold()]).verdict == shuffles.SEALED
    assert check(game, []).verdict == shuffles.UNKNOWN


@pytest.mark.parametrize("secret", [2**60, KEY])
def test_a_game_taken_over_is_proved_from_there_on(secret: Secret) -> None:
    """What was turned up elsewhere is counted, but not called proved."""
    elsewhere = random_game(3, seed=8, most=60)
    course, _ = taken_over(elsewhere.setup, BOARD, elsewhere.events, secret)
    dice = random.Random(2)
    while not course.game.over:
        course.act([dice.choice(course.game.legal())])
    (told_secret,) = course.told_promises(over=True)
    assert 0 < told_secret.at <= len(elsewhere.events)
    finding = check(retold(course.game), [told_secret])
    assert finding.verdict == shuffles.PARTLY and not finding.fair
    assert 0 < finding.checked < finding.cards


@pytest.mark.parametrize(("one", "two"), [(11, 12), (11, KEY), (KEY, 12), (KEY, KEY[::-1])])
def test_shuffled_twice(one: Secret, two: Secret) -> None:
    """A game that was shuffled again in the middle holds by both promises, and not by the first alone."""
    course = DealtGame(random_game(3, seed=1, most=1).setup, BOARD)
    course.begin(one)
    dice = random.Random(3)
    _play(course, dice, 40)
    while course.turn:
        course.act([dice.choice(course.game.legal())])
    course.begin(two)
    _play(course, dice, 60)
    first, second = course.told_promises(over=True)
    assert (first.at, first.secret, second.secret) == (0, one, two)
    assert check(retold(course.game), [first, second]).fair
    assert check(retold(course.game), [first]).verdict == shuffles.OTHER_CARDS


def _play(course: DealtGame, dice: random.Random, actions: int) -> None:
    for _ in range(actions):
        if not course.game.over:
            course.act([dice.choice(course.game.legal())])


def test_the_lot_that_draws_who_begins() -> None:
    by_lot = Game.new(4, seed=21)
    assert first_by_lot(retold(by_lot), [promise(0, 21, SALT)]) is True
    agreed = Game.new(4, first=(by_lot.setup.first + 1) % 4, seed=21)
    assert first_by_lot(retold(agreed), [promise(0, 21, SALT)]) is False
    assert first_by_lot(agreed, [promise(0, 21, SALT).untold()]) is None
    assert first_by_lot(agreed, [promise(3, 21, SALT)]) is None
    assert first_by_lot(agreed, []) is None


def test_the_lot_of_a_key() -> None:
    lot = shuffles.first_seat(KEY, 4)
    for first in range(4):
        game = Game.bare(4, first=first)
        assert first_by_lot(game, [promise(0, KEY, SALT)]) is (first == lot)
        assert first_by_lot(game, [promise(0, KEY, SALT).untold()]) is None
        assert first_by_lot(game, [promise(3, KEY, SALT)]) is None


# ------------------------------------------------------------------------------------------ by other people's programs


def test_the_example_program_proves_a_record() -> None:
    """It shares nothing with the package but the page that describes the scheme."""
    check_record = _example_program()
    for players, tiles in ((2, ()), (3, (CANARIAS,)), (5, ("Porto",))):
        game = keyed_game(players, tiles)
        record = to_json(game, shuffles=[promise(0, KEY, SALT)])
        assert check_record(record) == check(game, [promise(0, KEY, SALT)]).checked
    other = Game.bare(4, first=0)
    deal = shuffles.opening(KEY[::-1])
    other.deal(deal.destination, deal.link)
    with pytest.raises(AssertionError, match="event 0 brings"):
        check_record(to_json(other, shuffles=[promise(0, KEY, SALT)]))
    elsewhere = random_game(3, seed=8, most=60)
    course, _ = taken_over(elsewhere.setup, BOARD, elsewhere.events, KEY)
    _play(course, random.Random(2), 10_000)
    promises = course.told_promises(over=True)
    assert check_record(to_json(course.game, shuffles=promises)) == check(retold(course.game), promises).checked


def test_the_example_program_reads_a_file(tmp_path: Path) -> None:
    game = keyed_game(2)
    file = tmp_path / "evening.json"
    file.write_text(json.dumps(to_json(game, shuffles=[promise(0, KEY, SALT)])), encoding="utf-8")
    answer = subprocess.run([sys.executable, "-I", EXAMPLE, file], capture_output=True, text=True, check=True)
    assert answer.stdout == f"{check(game, [promise(0, KEY, SALT)]).checked} cards are proved\n"


def _example_program() -> Any:
    names: dict[str, Any] = {"__name__": "example"}
    exec(EXAMPLE.read_text("utf-8"), names)
    return names["check"]


# ------------------------------------------------------------------------------------------ while it is played


def test_while_a_game_is_played_only_the_hash_is_told() -> None:
    course = DealtGame(random_game(3, seed=1, most=1).setup, BOARD)
    shuffle = course.begin(11)[0]
    assert isinstance(shuffle, Shuffle) and shuffle.salt
    secret = promise(0, 11, shuffle.salt)
    assert course.told_promises(over=False) == (Promise(0, secret.commitment),)
    assert course.told_promises(over=True) == (secret,)
    course = DealtGame(course.game.setup, BOARD)
    shuffle = course.begin(KEY)[0]
    assert isinstance(shuffle, Shuffle) and shuffle.salt
    secret = promise(0, KEY, shuffle.salt)
    assert course.told_promises(over=False) == (Promise(0, secret.commitment, scheme="hmac-sha256"),)
    assert course.told_promises(over=True) == (secret,)


def test_every_shuffle_has_a_salt_of_its_own() -> None:
    setup = random_game(3, seed=1, most=1).setup
    assert len({DealtGame(setup, BOARD).begin(11)[0] for _ in range(20)}) == 20


def test_games_of_the_first_editions_promised_nothing() -> None:
    course = DealtGame(random_game(3, seed=1, most=1).setup, BOARD)
    course.apply(Shuffle(11))
    assert course.told_promises(over=True) == course.told_promises(over=False) == ()


def test_a_finished_game_that_is_brought_in_promises_nothing() -> None:
    over = random_game(2, seed=3)
    course, _ = taken_over(over.setup, BOARD, over.events, 5)
    assert course.told_promises(over=True) == ()
