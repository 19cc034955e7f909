"""The course of a game: a game that is told its cards, and a dealer who alone knows what is face down."""

import random
from collections import Counter

import numpy as np
import pytest
from tests.playing import CANARIAS, game_with_voyage, random_game

from elcapitan.actions.text import from_text
from elcapitan.board.figures import packaged
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.errors import CannotUndo, ElCapitanError, Frozen, IllegalAction, NotYourTurn
from elcapitan.game.game import Game
from elcapitan.game.history import Act, Deal, Reveal, action_groups
from elcapitan.game.position_queries import position, without_secrets
from elcapitan.game.setup import Setup
from elcapitan.records.shuffles import Secret
from elcapitan.service.dealt_game import DealtGame, taken_over
from elcapitan.service.log import Answer, Ask, Back, LogEntry, Note, Redo, Shuffle, Undo, read, written

BOARD = packaged()
SETUP = Setup.of(3, [], 0)


KEY = "0123456789abcdef" * 4


def begun(secret: Secret = KEY, setup: Setup = SETUP) -> DealtGame:
    course = DealtGame(setup, BOARD)
    course.begin(secret)
    return course


def visible(game: Game) -> bytes:
    return without_secrets(position(game.position.tobytes())).tobytes()


def deck(course: DealtGame) -> list[int]:
    """The destination cards that are face down, the next one last."""
    state = course.arranged.position
    return [int(card) for card in state.deck[: int(state.deck_left[0])]]


def test_cards_come_as_in_any_game_with_this_seed() -> None:
    dice = random.Random(5)
    plain = Game.new(3, first=0, seed=7)
    course = begun(7)
    for _ in range(150):
        if plain.over:
            break
        action = dice.choice(plain.legal())
        plain.play(action)
        course.act([action])
        assert course.game.legal() == plain.legal()
    assert course.game.events == plain.events == course.arranged.events
    assert course.secret == plain.position.tobytes()
    assert course.event_count == len(plain.events)


@pytest.mark.parametrize("secrets", [(1, 2), (KEY, KEY[::-1]), (1, KEY)])
def test_the_table_knows_no_order(secrets: tuple[Secret, Secret]) -> None:
    played = random_game(3, seed=2, most=30)
    while played.stage != "start":
        played.play(played.legal()[0])
    courses = [taken_over(played.setup, BOARD, played.events, secret)[0] for secret in secrets]
    assert courses[0].secret != courses[1].secret
    assert courses[0].game.position.tobytes() == courses[1].game.position.tobytes()
    assert courses[0].game.seed is None
    assert [moment.before.tobytes() for moment in courses[0].game.history()] == [
        moment.before.tobytes() for moment in courses[1].game.history()
    ]


@pytest.mark.parametrize("secret", [7, KEY])
def test_taking_back_and_doing_again(secret: Secret) -> None:
    course = begun(secret)
    start = visible(course.game)
    for text in ("buy", "buy"):
        action = next(number for number in course.game.legal() if number in _all_buys())
        assert isinstance(course.act([action])[0], Act), text
    bought = visible(course.game)
    assert (course.undoable, course.redoable, course.turn_begins, course.event_count) == (2, 0, 1, 3)
    assert course.undo(2) == [Undo(0, 2)]
    assert (course.undoable, course.redoable, course.turn_begins, course.event_count) == (0, 2, 1, 1)
    assert visible(course.game) == start == visible(course.arranged)
    course.redo(1)
    assert (course.undoable, course.redoable) == (1, 1)
    assert course.redo(1) == [Redo(0, 1)]
    assert visible(course.game) == bought == visible(course.arranged)
    with pytest.raises(CannotUndo, match="There is nothing to redo"):
        course.redo(1)


def _all_buys() -> set[int]:
    return {from_text(f"buy {card}", BOARD)[0] for card in BOARD.cards}


def test_another_action_ends_what_could_be_done_again() -> None:
    course = begun()
    buys = [number for number in course.game.legal() if number in _all_buys()]
    course.act([buys[0]])
    course.undo(1)
    course.act([buys[1]])
    assert course.redoable == 0
    with pytest.raises(CannotUndo):
        course.redo(1)


def test_nothing_is_taken_back_across_a_card() -> None:
    dice, course = random.Random(3), begun()
    revealed = 0
    while revealed < 5:
        happened = course.act([dice.choice(course.game.legal())])
        if isinstance(happened[-1], Reveal):
            revealed += 1
            assert course.undoable == 0
            with pytest.raises(CannotUndo, match="A card has been turned up"):
                course.undo(1)
        else:
            assert course.undoable == len(action_groups(course.turn))


@pytest.mark.parametrize("count", [0, -1, 2, 99])
def test_no_more_is_taken_back_than_was_done(count: int) -> None:
    course = begun()
    course.act([course.game.legal()[0]])
    with pytest.raises(CannotUndo):
        course.copy().undo(count)
    course.undo(1)
    with pytest.raises(CannotUndo):
        course.copy().redo(count)


def test_a_voyage_of_the_pirate_is_taken_back_at_once() -> None:
    game, voyage = game_with_voyage(seed=3, cards=2)
    course, _ = taken_over(game.setup, BOARD, game.events, 1)
    start, undoable, events = visible(course.game), course.undoable, course.event_count
    course.act(voyage[:1])
    assert (course.undoable, course.event_count) == (undoable + 1, events)
    course.act(voyage[1:])
    assert (course.undoable, course.event_count) == (undoable + 1, events + 1)
    landed = visible(course.game)
    course.undo(1)
    assert visible(course.game) == start and (course.undoable, course.event_count) == (undoable, events)
    course.redo(1)
    assert visible(course.game) == landed and course.event_count == len(course.game.events)


def test_nothing_follows_the_end_of_a_turn() -> None:
    course = begun()
    ending = _turn(course.copy())
    course.copy().act(ending)
    with pytest.raises(NotYourTurn, match="the turn is over"):
        course.copy().act([*ending, 0])


def _turn(course: DealtGame) -> list[int]:
    """The actions of a whole turn."""
    dice, seat, actions = random.Random(1), course.game.seat, []
    while course.game.seat == seat:
        actions.append(dice.choice(course.game.legal()))
        course.act(actions[-1:])
    return actions


def test_what_is_not_legal_is_refused_with_its_rule() -> None:
    course = begun()
    illegal = next(number for number in range(N_ACTIONS) if number not in course.game.legal())
    for actions in ([illegal], [course.game.legal()[0], illegal], []):
        with pytest.raises(IllegalAction):
            course.copy().act(actions)


@pytest.mark.parametrize("keyed", [False, True])
def test_a_branch_is_shuffled_independently(keyed: bool) -> None:
    """The face-down cards are the same, but where each of them lies has nothing to do with where it lay."""
    original = begun(f"{11:064x}" if keyed else 11)
    dice = random.Random(1)
    for _ in range(12):
        original.act([dice.choice(original.game.legal())])
    order = deck(original)
    secrets = [f"{seed:064x}" if keyed else seed for seed in range(200, 320)]
    branches = [deck(taken_over(SETUP, BOARD, original.game.events, secret)[0]) for secret in secrets]
    assert all(sorted(branch) == sorted(order) for branch in branches)
    assert order not in branches and len({tuple(branch) for branch in branches}) == len(branches)
    top = Counter(branch[-1] for branch in branches)
    assert set(top) == set(order), "every face-down card comes first in some branch"
    assert top[order[-1]] < 3 * len(branches) / len(order)


@pytest.mark.parametrize("seed", range(4))
def test_a_game_can_be_taken_over_at_any_event(seed: int) -> None:
    played = random_game(3, [CANARIAS] if seed % 2 else [], seed=seed, most=120)
    events = played.events
    for at in range(0, len(events) + 1, 7):
        course, happened = taken_over(played.setup, BOARD, events[:at], KEY if seed < 2 else seed)
        expected = Game.replay(played.setup, events[:at], BOARD)
        if not expected.card_due:
            assert course.game.events == events[:at]
            assert visible(course.game) == visible(expected)
        assert visible(course.game) == visible(course.arranged)
        assert not course.game.card_due and course.game.dealt
        assert sum(isinstance(each, Shuffle) for each in happened) == 1
        again = DealtGame(played.setup, BOARD)
        for each in happened:
            again.apply(each)
        assert again.secret == course.secret and again.turn == course.turn
        if course.undoable:
            course.undo(course.undoable)
            assert course.turn_begins == course.event_count == len(course.game.events)


def test_a_turn_that_was_taken_over_can_be_taken_back() -> None:
    course = begun()
    course.act([course.game.legal()[0]])
    twin, _ = taken_over(SETUP, BOARD, course.game.events, 5)
    assert twin.undoable == 1
    twin.undo(1)
    assert deck(twin) != deck(course), "the order is the new one before the turn as well"


@pytest.mark.parametrize("secret", [7, KEY])
def test_a_card_that_the_dealer_does_not_bring_stops_play(secret: Secret) -> None:
    """A log in which a card was exchanged can be looked at, but nobody plays on with it."""
    course = begun(secret)
    for action in _turn(begun(secret)):
        course.apply(Act(0, (action,)))
    assert course.game.card_due and course.dealer
    right = course.dealer.next_cards(course.game)
    wrong = next(card for card in range(54) if _possible(course.game, card) and Reveal(card) != right)
    honest = course.copy()
    honest.apply(right)
    assert honest.problem is None
    course.apply(Reveal(wrong))
    assert course.problem is not None and course.problem.reason == "other-position"
    with pytest.raises(Frozen, match="can be viewed, but not continued"):
        course.act([0])


@pytest.mark.parametrize("secret", [7, KEY])
def test_the_same_cards_come_again_after_going_back(secret: Secret) -> None:
    """Also across the renewal of a deck, which shuffles what was discarded."""
    course, dice = begun(secret, Setup.of(5, [], 0)), random.Random(4)
    while course.game.turned_up[0] < 30 and not course.game.over:  # of 18 destinations: the deck was made anew
        course.act([dice.choice(course.game.legal())])
    events, secrets = course.game.events, course.secret
    twin = course.copy()
    twin.back(0, 20)
    for event in events[twin.event_count :]:
        if isinstance(event, Act):
            twin.act(event.numbers)
    assert twin.game.events == events and twin.secret == secrets


def _possible(game: Game, card: int) -> bool:
    try:
        game.copy().reveal(card)
    except ElCapitanError:
        return False
    return True


def test_every_entry_is_read_as_it_was_written() -> None:
    happened: list[LogEntry] = [
        Shuffle(2**64 - 1),
        Shuffle(7, "0f" * 16),
        Shuffle(KEY, "0f" * 16),
        Deal((0, 1, 2, 17), (18, 20, 30, 40, 50, 53)),
        *(Reveal(card) for card in range(54)),
        *(Act(4, (number,)) for number in range(N_ACTIONS)),
        Undo(1, 3),
        Redo(0, 2),
        Ask(0, 12),
        Answer(4, yes=False),
        Back(0, 12),
        Note({"pace": "fast", "names": ["A", "B"]}),
    ]
    for what in happened:
        kind, content = written(what, BOARD)
        assert read(kind, content, BOARD) == what
    assert written(happened[1], BOARD) == ("shuffle", {"seed": 7, "salt": "0f" * 16}), "as it always was"
    wrong: list[dict[str, object]] = [
        {"scheme": "hmac-sha512", "key": KEY, "salt": "0f" * 16},
        {"scheme": "hmac-sha256", "key": KEY[1:], "salt": "0f" * 16},
        {"seed": KEY},
        {"seed": 2**64},
    ]
    for content in wrong:
        with pytest.raises(ElCapitanError):
            read("shuffle", content, BOARD)
    with pytest.raises(ElCapitanError):
        read("sing", {}, BOARD)


def test_copies_do_not_disturb_one_another() -> None:
    course = begun()
    twin = course.copy()
    twin.act([twin.game.legal()[0]])
    twin.undo(1)
    assert (course.redoable, twin.redoable) == (0, 1)
    assert np.array_equal(course.game.legal(), begun().game.legal())
