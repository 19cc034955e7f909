"""Drawings of positions: every position comes back, short ones are filled in, bad ones are refused."""

import functools
import itertools
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawings import position

from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import LIGHT, UNIFORM
from elcapitan.engine.rng import generator
from elcapitan.engine.state import STATE, State, States
from elcapitan.engine.vocabulary import (
    AWAY,
    BANK,
    BUY_BEFORE_LOAN,
    CANARIAS,
    CARDS,
    DEFAULT_OPTIONS,
    DESTINATIONS,
    DUE,
    NOBODY,
    OVER,
    PIRATE,
    START,
    TRANSIT,
)
from elcapitan.error_messages import REASONS
from elcapitan.errors import BadDrawing, BadText
from elcapitan.notation.diagram import WIDTH, city_line, draw, read

FIGURES = packaged()
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "notation.md"
LEFT_OPEN = ("deck", "rng")  # what a drawing does not show

MID_GAME = """\
4 players, phase 2, round 3, Y under way, G first, free move due, pirate used

R  9 florins, 3 houses, 1 fortress, 1st bonus; owes 10 2x16!
Y 23 florins, 5 houses, 2 fortresses
G -4 florins, 6 houses, 1 fortress, 1 lost
B   1 florin, 3 houses, 1 fortress; owes 16

#                        1 2 3 4 5 6 7 8 9 0 1 2                         # pays
Marseille       [R .]    . R G G G B Y . : . : .  forts(G .)  shut(G)    #   28
Venezia         [. *]    R Y . . . . : . : . : .                         #    6
Constantinople  [. .]    . B . . . . : . : . : .                         #    8
Valencia        [. .]    . . . . . . : . : . : .                         #    0
Napoli          [. .]    . . . R B Y R B Y R B Y              shut(R B)  #   12
Athina          [G .]    . . . . . . : . : . : .                         #    0
Tanger          [. .]    . . . . . . : . : . : .                         #    0
Tunis           [. .]    . . . . . . : . : . : .                         #    0
Alexandria      [. .]    R R B . . . : . : . : .  forts(R B)             #   12
Porto           [. . .]  . Y B R Y B G . : . : .                         #   35
Lisboa          [. .]    . . . . . . : . . : . .                         #    0
Canarias        [Y .]    . . . . . . : . : . : .                         #    0
Bank            [B]      # lends 17x10 9x16

Y hand Marseille/3, Napoli-Tunis
Display: Tanger/2, Tunis/1
Display: Marseille-Venezia, Tunis-Alexandria
Discards: Venezia/1
"""


def everything_but_the_deck(s: State) -> dict[str, object]:
    """All fields that a drawing shows, and which cards are face down."""
    fields = {name: np.asarray(s[name]).tolist() for name in STATE.names or () if name not in LEFT_OPEN}
    return fields | {"face down": [sorted(deck) for deck in face_down(s)]}


def face_down(s: State) -> list[list[int]]:
    """The two decks."""
    return [s.deck[first : first + left].tolist() for first, left in zip((0, DESTINATIONS), s.deck_left, strict=True)]


def game(players: int, tiles: int, policy: int, every: int, limit: int) -> Iterator[States]:
    """Positions from a random game: of every few actions the one before and the one after, and the last."""
    states, desks, g = play.states(), play.desks(), generator(17 * players + tiles)
    play.new(states, 0, FIGURES.boards, players, tiles, tiles % 4, tiles % players, tiles, players)
    for number in range(limit):
        if number % every == 0:
            yield states
        play.turn_up(states, 0, FIGURES.boards)
        if number % every == 0:
            yield states
        if states[0].stage == OVER:
            break
        play.apply(states, 0, FIGURES.boards, play.choose(states, 0, FIGURES.boards, desks, 0, g, policy))
    yield states


# There and back.


def check_round_trip(s: State) -> None:
    """A drawing shows everything, with `deck` also what comes next, and is the same when drawn again."""
    text = draw(s, FIGURES)
    back = read(text, FIGURES)[0]
    assert everything_but_the_deck(back) == everything_but_the_deck(s), text
    assert draw(back, FIGURES) == text

    text = draw(s, FIGURES, deck=True)
    assert all(len(line) <= WIDTH for line in text.splitlines()[1:])
    with_deck = read(text, FIGURES)[0]
    assert everything_but_the_deck(with_deck) == everything_but_the_deck(s)
    assert face_down(with_deck) == face_down(s)


@pytest.mark.parametrize("policy", [UNIFORM, LIGHT])
@pytest.mark.parametrize("tiles", range(8))
@pytest.mark.parametrize("players", range(2, 6))
def test_every_position_comes_back(players: int, tiles: int, policy: int) -> None:
    for states in game(players, tiles, policy, every=41 if COMPILED else 5, limit=5000 if COMPILED else 25):
        check_round_trip(states[0])


@pytest.mark.parametrize(("players", "tiles"), [(2, 1), (3, 4), (4, 0), (5, 3)])
def test_whole_games_come_back(players: int, tiles: int) -> None:
    seen = set()
    for states in game(players, tiles, LIGHT, every=9, limit=5000):
        check_round_trip(states[0])
        seen.add(int(states[0].stage))
    assert OVER in seen


def test_a_full_drawing_as_people_see_it() -> None:
    assert draw(read(MID_GAME)[0], FIGURES) == MID_GAME


def test_the_drawings_of_the_documentation() -> None:
    positions = DOCUMENTATION.read_text(encoding="utf-8").partition("\n## Positions\n")[2].partition("\n## ")[0]
    full, short = re.findall("```text\n(.*?)```", positions, re.DOTALL)
    assert full == MID_GAME
    check_round_trip(read(short)[0])


def test_two_players_have_capital_and_small_letters() -> None:
    p = position("2 players \n R 3+0 houses; hand Tunis/1 \n Marseille [Y .] R r Y y shut(r) forts(Y .)")
    assert p.s.site[0, :5].tolist() == [0, 2, 1, 3, NOBODY]
    assert p.s.closed[0].tolist() == [0, 0, 1, 0, 0]
    assert (p.stock("R"), p.stock("r"), p.stock("Y"), p.stock("y")) == (3, 0, 5, 1)
    assert p.s.lost.tolist() == [2, 0, 0, 0, 0]
    assert "R 20 florins, 3+0 houses, 1 fortress, 2+0 lost\n" in p.drawing()


# What is left out.


def test_an_ordinary_turn_is_the_default() -> None:
    s = read("4 players")[0]
    assert (s.phase, s.round_no, s.starter, s.seat, s.stage) == (1, 2, 0, 0, START)
    assert (s.tiles, s.options, s.passes, s.pirate_city, s.pirate_at) == (0, DEFAULT_OPTIONS, 0, NOBODY, NOBODY)
    assert s.cash.tolist() == [20, 20, 20, 20, 0]
    assert s.stock.tolist() == [6, 6, 6, 6, 0]
    assert s.fortresses.tolist() == [1, 1, 1, 1, 0]
    assert s.ship_city.tolist() == [BANK, BANK, BANK, BANK, AWAY]
    assert s.loans_left.tolist() == [18, 12]
    assert (s.display, s.discard) == (0, 0) and not s.hand.any()


def test_the_first_round_begins_off_the_board() -> None:
    s = read("3 players, round 1 \n Tunis [R .]")[0]
    assert s.ship_city.tolist() == [7, AWAY, AWAY, AWAY, AWAY]
    assert read("3 players, phase 2, round 1")[0].ship_city.tolist() == [BANK, BANK, BANK, AWAY, AWAY]


def test_the_starting_player_is_to_move_by_default() -> None:
    assert read("3 players, Y first")[0].seat == 1


def test_stock_follows_from_what_is_built() -> None:
    p = position("4 players, phase 2 \n Tunis R R Y R . . shut(R) forts(G .)")
    assert [p.stock(letter) for letter in "RYGB"] == [8, 11, 12, 12]
    assert [p.fortresses(letter) for letter in "RYGB"] == [2, 2, 1, 2]


def test_what_is_neither_built_nor_in_stock_is_lost() -> None:
    s = read("4 players \n R 2 houses \n Y 3 lost \n Tunis R Y")[0]
    assert s.lost.tolist() == [3, 3, 0, 0, 0]
    assert s.stock.tolist() == [2, 2, 6, 6, 0]


def test_a_tile_is_in_play_when_it_is_drawn() -> None:
    s = read("4 players \n Porto \n Islas Canarias")[0]
    assert s.tiles == 0b101
    assert (s.pirate_city, s.pirate_space, s.harbour[CANARIAS, 1]) == (CANARIAS, 1, PIRATE)


def test_the_pirate_is_where_it_is_drawn() -> None:
    s = read("4 players \n Canarias \n Tunis [* R]")[0]
    assert (s.pirate_city, s.pirate_space) == (7, 0)
    assert s.harbour[CANARIAS].tolist() == [NOBODY] * 3


def test_cards_that_are_not_drawn_are_face_down_in_order() -> None:
    s = read("4 players \n R hand Marseille/3 \n Display: Marseille-Napoli, Venezia/1 \n Deck: Tunis/1, Athina/2")[0]
    destinations, links = face_down(s)
    assert [FIGURES.cards[card] for card in destinations[::-1][:3]] == ["Tunis/1", "Athina/2", "Marseille/1"]
    assert links[::-1] == [card for card in range(DESTINATIONS, CARDS) if FIGURES.cards[card] != "Marseille-Napoli"]
    assert sorted(s.deck.tolist()) == list(range(CARDS))


def test_the_deck_line_tells_what_comes_next() -> None:
    p = position("4 players, R done \n Deck: Tunis/3, Tanger/1, Athina/2, Napoli/3, Venezia/2, Tunis-Alexandria")
    assert {"Tunis/3", "Tanger/1", "Athina/2", "Napoli/3", "Tunis-Alexandria"} <= p.play("end").display()
    assert "Venezia/2" not in p.play("end").display()


def test_spaces_letters_and_order_do_not_matter() -> None:
    loose = "4 players,Y to move\n# a remark\nMarseille shut( R )RGGG B[Y.]forts(G) # 20\n\nY hand napoli-marseille"
    strict = "4 players, Y to move \n Y hand Marseille-Napoli \n Marseille [Y .] R G G G B . . forts(G .) shut(R)"
    assert everything_but_the_deck(read(loose)[0]) == everything_but_the_deck(read(strict)[0])


def test_turn_details() -> None:
    s = read("""
        5 players, phase 2, round 7, B under way, P first, 4 passes, pirate at Tunis, with buy_before_loan
        Canarias [. *]
        Marseille [R G] <B
    """)[0]
    assert draw(s, FIGURES).startswith(
        "5 players, phase 2, round 7, B under way, P first, 4 passes, pirate at Tunis, with buy_before_loan\n"
    )
    assert (s.phase, s.round_no, s.seat, s.starter, s.passes) == (2, 7, 3, 4, 4)
    assert (s.pirate_at, s.pirate_used) == (7, 1)
    assert (s.ship_city[3], s.ship_space[3]) == (0, TRANSIT)
    assert s.options == DEFAULT_OPTIONS | BUY_BEFORE_LOAN
    assert read("4 players, without reopen_shuts")[0].options == 0
    early = "4 players, Y {}, pirate at Tunis{} \n Canarias"
    for stage in ("to move", "bought"):
        assert read(early.format(stage, ", with pirate_before_loan"))[0].pirate_at == 7
        with pytest.raises(BadDrawing) as refused:
            read(early.format(stage, ""))
        assert refused.value.reason == "pirate-not-under-way"
    assert read("4 players, Y done, free move due \n Canarias [Y *]")[0].free_move == DUE


def test_settling_is_about_the_unflipped_loans() -> None:
    p = position("3 players, Y settling \n Y 50 florins; owes 2x10 16 16!")
    assert p.s.undecided.tolist() == [2, 1]
    assert p.legal() == ["repay 10", "repay 16", "extend 10", "extend 16"]
    assert p.s.loans_left.tolist() == [16, 10]


def test_a_city_line_is_the_short_form() -> None:
    s = read(MID_GAME)[0]
    assert city_line(s, FIGURES, 0) == "Marseille [R .] . R G G G B Y . . . . . forts(G .) shut(G)"
    assert city_line(s, FIGURES, 11) == "Canarias [Y .] . . . . . . . . . . . ."


# What is refused.

REFUSED = [
    ("", 0, "empty-drawing"),
    ("# nothing\n\n", 0, "empty-drawing"),
    ("Marseille R", 1, "no-players"),
    ("four players", 1, "no-players"),
    ("6 players", 1, "drawn-number"),
    ("4 players, phase 4", 1, "drawn-number"),
    ("4 players, round 99999999999999999999", 1, "drawn-number"),
    ("4 players, 5 passes", 1, "drawn-number"),
    ("4 players, G to move, 3 passes", 1, "drawn-number"),
    ("4 players, X to move", 1, "drawn-colour"),
    ("3 players, B to move", 1, "drawn-colour"),
    ("4 players, Red to move", 1, "drawn-colour"),
    ("4 players, Y to sail", 1, "strange-words"),
    ("4 players,", 1, "strange-words"),
    ("4 players, Y to move, R done", 1, "said-twice"),
    ("4 players, over, over", 1, "said-twice"),
    ("4 players, with salt", 1, "strange-words"),
    ("4 players, Y under way, pirate at Genova", 1, "drawn-city"),
    ("4 players\n\nMarsala R", 3, "no-such-line"),
    ("4 players\nDisplay Tunis/1", 2, "no-such-line"),
    ("4 players\nDisplay:: Tunis/1", 2, "drawn-card"),
    ("4 players\nBanks [R]", 2, "no-such-line"),
    ("4 players\nP 3 florins", 2, "drawn-colour"),
    ("4 players\nR 3 florin and 2 houses", 2, "strange-words"),
    ("4 players\nR", 2, "strange-words"),
    ("4 players\nR 3 houses, 3 houses", 2, "said-twice"),
    ("4 players\nR 3 florins\nR 3 florins", 3, "said-twice"),
    ("4 players\nR -2 houses", 2, "strange-words"),
    ("4 players\nR 2+2 houses", 2, "strange-words"),
    ("4 players\nR 26000 florins", 2, "drawn-number"),
    ("4 players\nR 4th bonus", 2, "strange-words"),
    ("4 players\nR owes 11", 2, "strange-words"),
    ("4 players\nR owes", 2, "strange-words"),
    ("4 players\nR owes 0x10", 2, "drawn-number"),
    ("4 players\nR hand Tunis", 2, "drawn-card"),
    ("4 players\nR hand Tunis/3 Tunis/1", 2, "drawn-card"),
    ("4 players\nDisplay: Tunis-Tunis", 2, "drawn-card"),
    ("4 players\nBank R", 2, "strange-words"),
    ("4 players\nBank [x]", 2, "drawn-colour"),
    ("4 players\nTunis [R . .]", 2, "no-room"),
    ("4 players\nTunis [R . . .]", 2, "no-room"),
    ("4 players\nPorto forts(R Y)", 2, "no-room"),
    ("4 players\nTunis . . . . . . . . . . . . .", 2, "no-room"),
    ("4 players\nTunis [R", 2, "strange-words"),
    ("4 players\nTunis R 7", 2, "strange-words"),
    ("4 players\nTunis R r", 2, "drawn-colour"),
    ("4 players\nTunis [R .] [Y .]", 2, "said-twice"),
    ("4 players\nTunis\nTunis", 3, "said-twice"),
    ("4 players, over", 1, "wrong-phase"),
    ("4 players, phase 3, Y naming", 1, "wrong-phase"),
    ("4 players, round 0", 1, "no-deal"),
    ("4 players, round 0, after R", 1, "no-deal"),
    ("4 players, Y settling", 1, "nothing-to-settle"),
    ("4 players\nTunis R . R", 2, "gap"),
    ("4 players\nPorto shut(R)", 2, "shut-in-porto"),
    ("4 players\nTunis forts(R R)", 2, "two-fortresses"),
    ("4 players\nTunis [R R]", 2, "ship-twice"),
    ("4 players\nTunis [R .]\nBank [R]", 2, "ship-twice"),
    ("4 players\nTunis [R .] <R", 2, "ship-twice"),
    ("4 players, R to move\nTunis [G B] <R", 2, "not-under-way"),
    ("4 players, R under way\nTunis [G B] <Y", 2, "not-under-way"),
    ("4 players, R under way\nTunis [G .] <R", 1, "would-anchor"),
    ("4 players\nTunis [* .]", 1, "no-pirate"),
    ("4 players, pirate used", 1, "no-pirate"),
    ("4 players, Y done, pirate at Porto\nCanarias", 1, "no-pirate-there"),
    ("4 players\nTunis [* .]\nCanarias [. *]", 3, "pirate-twice"),
    ("4 players\nCanarias [R .]", 2, "pirate-nowhere"),
    ("4 players, pirate at Tunis\nCanarias", 1, "pirate-not-under-way"),
    ("4 players, R done, free move due\nCanarias", 1, "no-free-move"),
    ("4 players, free move due\nCanarias [R *]", 1, "no-free-move"),
    ("4 players\nTunis R Y R Y R Y R Y R Y R Y\nTanger R", 1, "wrong-houses"),
    ("4 players\nR 7 houses", 2, "wrong-houses"),
    ("4 players\nR 5 houses, 2 lost", 2, "wrong-houses"),
    ("4 players\nR 1 fortress\nTunis forts(R .)", 2, "wrong-fortresses"),
    ("4 players\nTunis forts(R .)\nTanger forts(R .)", 1, "wrong-fortresses"),
    ("4 players\nR 2nd bonus", 1, "wrong-bonus"),
    ("4 players\nR 1st bonus\nY 1st bonus", 1, "wrong-bonus"),
    ("4 players\nR owes 10x10\nY owes 9x10!", 1, "too-many-loans"),
    ("4 players\nR hand Tunis/1\nY hand Tunis/1", 3, "card-twice"),
    ("4 players\nR hand Tunis/1\nDeck: Tunis/1", 3, "card-twice"),
    ("4 players\nDisplay: Tunis/1, Tunis/3, Tanger/1, Tanger/2, Athina/2", 1, "display-too-long"),
]


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED)
def test_bad_drawings_are_refused(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadDrawing) as refused:
        read(text)
    assert (refused.value.reason, refused.value.line) == (reason, line)
    sentence = str(refused.value)
    assert sentence.startswith(f"Line {line}: " if line else "A drawing ")
    assert not re.search(r"[{}]", sentence) and sentence.endswith(".")
    assert str(pickle.loads(pickle.dumps(refused.value))) == sentence


def test_nothing_is_turned_up_onto_a_full_display() -> None:
    cards = ", ".join([*FIGURES.cards[:4], *FIGURES.cards[DESTINATIONS : DESTINATIONS + 6]])
    with pytest.raises(BadDrawing) as refused:
        read(f"4 players, after R \n Display: {cards}")
    assert refused.value.reason == "nothing-to-turn-up"


def test_every_reason_is_tested() -> None:
    codes = list(REASONS)
    drawing_reasons = codes[codes.index("empty-drawing") : codes.index("display-too-long") + 1]
    assert set(drawing_reasons) == {reason for _, _, reason in REFUSED} | {"nothing-to-turn-up"}


# Whatever people write.


@functools.cache
def drawings() -> list[str]:
    """Drawings to spoil."""
    tables = itertools.product((2, 4, 5), (0, 7))
    games = itertools.chain.from_iterable(game(players, tiles, LIGHT, 12, 61) for players, tiles in tables)
    return [MID_GAME, *(draw(states[0], FIGURES, deck=True) for states in games)]


def check_what_is_read(text: str) -> None:
    """Either the text is refused with a sentence, or it shows a position that can be drawn and read again."""
    try:
        states = read(text)
    except BadText as refused:
        str(refused)
    else:
        check_round_trip(states[0])


PIECES = st.sampled_from(
    [*".:*#<>![](),;-+ \n0123456789RYGBPry", "R to move", "shut(R)", "forts(G .)", "Tunis", "hand Tunis/1", "owes 10"]
)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_spoilt_drawings(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(drawings()))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        removed = data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(PIECES | st.just("")) + text[at + removed :]
    check_what_is_read(text)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_shuffled_lines(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(drawings())).splitlines()
    first, rest = lines[0], lines[1:]
    check_what_is_read("\n".join([first, *data.draw(st.lists(st.sampled_from(rest), max_size=25))]))


@settings(max_examples=80, deadline=None)
@given(text=st.text() | st.lists(PIECES).map("".join))
def test_any_text(text: str) -> None:
    check_what_is_read(text)
    check_what_is_read(f"4 players\n{text}")
    check_what_is_read(f"2 players, Y to move\nTunis {text}\nR {text}")
