"""Fair shuffles: what a record proves, and what it cannot hide."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.playing import CANARIAS, random_game

from elcapitan import fairness
from elcapitan.errors import ElCapitanError
from elcapitan.fairness import check, first_by_lot
from elcapitan.figures import packaged
from elcapitan.game import Game
from elcapitan.history import Event, Reveal
from elcapitan.notation.shuffles import Promise, any_salt, promise
from elcapitan.service.beginning import taken_over
from elcapitan.service.course import Course, told
from elcapitan.service.entries import Shuffle

BOARD = packaged()
SALT = "0f" * 16


def retold(game: Game) -> Game:
    """The game as it comes from a record: it was told its cards."""
    return told(game.setup, game.figures, game.events)


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


def test_another_seed_brings_other_cards() -> None:
    finding = check(retold(random_game(3, seed=5, most=30)), [promise(0, 6, SALT)])
    assert finding.verdict == fairness.OTHER_CARDS and not finding.fair
    assert finding.at == 0 and finding.found != finding.wanted


def test_every_exchanged_card_is_found() -> None:
    """One card that might as well have come, instead of the one that did, anywhere in the game."""
    honest = random_game(4, seed=9)
    promises = [promise(0, 9, SALT)]
    places = [number for number, event in enumerate(honest.events) if isinstance(event, Reveal)]
    exchanged = 0
    for place in random.Random(1).sample(places, 25):
        other = _with_another_card(honest, honest.events, place)
        if other is not None:
            finding = check(other, promises)
            assert (finding.verdict, finding.at) == (fairness.OTHER_CARDS, place)
            real = honest.events[place]
            assert isinstance(real, Reveal) and finding.wanted == real.card != finding.found
            assert finding.checked < finding.cards
            exchanged += 1
    assert exchanged > 10


def _with_another_card(game: Game, events: Sequence[Event], place: int) -> Game | None:
    """The same game up to a card, and then another card; none where only this one could come."""
    before = told(game.setup, game.figures, events[:place])
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
        assert (finding.verdict, finding.at, finding.checked) == (fairness.BROKEN, 0, 0)


def test_a_promise_not_yet_told_proves_nothing() -> None:
    game = retold(random_game(3, seed=5, most=30))
    assert check(game, [promise(0, 5, SALT).untold()]).verdict == fairness.SEALED
    assert check(game, []).verdict == fairness.UNKNOWN


def test_a_game_taken_over_is_proved_from_there_on() -> None:
    """What was turned up elsewhere is counted, but not called proved."""
    elsewhere = random_game(3, seed=8, most=60)
    course, _ = taken_over(elsewhere.setup, BOARD, elsewhere.events, 2**60)
    dice = random.Random(2)
    while not course.game.over:
        course.act([dice.choice(course.game.legal())])
    (secret,) = course.told_promises(over=True)
    assert 0 < secret.at <= len(elsewhere.events)
    finding = check(retold(course.game), [secret])
    assert finding.verdict == fairness.PARTLY and not finding.fair
    assert 0 < finding.checked < finding.cards


def test_shuffled_twice() -> None:
    """A game that was shuffled again in the middle holds by both promises, and not by the first alone."""
    course = Course(random_game(3, seed=1, most=1).setup, BOARD)
    course.begin(11)
    dice = random.Random(3)
    _play(course, dice, 40)
    while course.turn:
        course.act([dice.choice(course.game.legal())])
    course.begin(12)
    _play(course, dice, 60)
    first, second = course.told_promises(over=True)
    assert (first.at, first.seed, second.seed) == (0, 11, 12)
    assert check(retold(course.game), [first, second]).fair
    assert check(retold(course.game), [first]).verdict == fairness.OTHER_CARDS


def _play(course: Course, dice: random.Random, actions: int) -> None:
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


# ------------------------------------------------------------------------------------------ while it is played


def test_while_a_game_is_played_only_the_hash_is_told() -> None:
    course = Course(random_game(3, seed=1, most=1).setup, BOARD)
    shuffle = course.begin(11)[0]
    assert isinstance(shuffle, Shuffle) and shuffle.salt
    secret = promise(0, 11, shuffle.salt)
    assert course.told_promises(over=False) == (Promise(0, secret.commitment),)
    assert course.told_promises(over=True) == (secret,)


def test_every_shuffle_has_a_salt_of_its_own() -> None:
    setup = random_game(3, seed=1, most=1).setup
    assert len({Course(setup, BOARD).begin(11)[0] for _ in range(20)}) == 20


def test_games_of_the_first_editions_promised_nothing() -> None:
    course = Course(random_game(3, seed=1, most=1).setup, BOARD)
    course.happen(Shuffle(11))
    assert course.told_promises(over=True) == course.told_promises(over=False) == ()


def test_a_finished_game_that_is_brought_in_promises_nothing() -> None:
    over = random_game(2, seed=3)
    course, _ = taken_over(over.setup, BOARD, over.events, 5)
    assert course.told_promises(over=True) == ()
