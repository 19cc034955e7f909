"""Games as text for people: what is written is read back, with comments and variations; the rest is refused."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.playing import CANARIAS, game_with_voyage, random_game, well_refused

from elcapitan.actions.text import from_text, voyage_to_text
from elcapitan.actions.typed import voyage_to_typed
from elcapitan.board.figures import packaged
from elcapitan.engine.policies import LIGHT
from elcapitan.errors import BadRecord
from elcapitan.game.game import Act, Game, Reveal
from elcapitan.records.capitan import MOST_DEEP, Item, Line, Note, Score, fresh, from_capitan, to_capitan
from elcapitan.records.json_record import from_json, to_json

HEADERS = '[Rules "1"]\n[Players "3"]\n[Board "mediterranean"]\n[First "1"]\n'
DEAL = """
deal +Marseille/3 +Napoli/1 +Tunis/3 +Athina/2
     +Marseille-Venezia +Marseille-Valencia +Marseille-Alexandria +Venezia-Tanger +Constantinople-Tunis +Napoli-Athina
"""
TURNS = """
1.1 seat 1: buy Marseille/3; sail Marseille/3; build 2 {takes the second site}; end +Tunis/1
1.1 seat 2: buy Tunis/3; sail Tunis/3; fortress
  (1.1 seat 2: build 1 {cheaper}; end +Napoli/3
   1.1 seat 3: buy Athina/2; sail Athina/2
     ({or perhaps}
      1.1 seat 3: buy Napoli/1)
     build 1)
  {the main line again}
  (1.1 seat 2: buy Marseille-Venezia)
  end +Napoli/3
  (+Venezia/1
   1.1 seat 3: buy Venezia/1)
"""
SCORE = HEADERS + '[Date "2024-05-01"]\n[Seat1 "An \\"the\\" \\\\ a"]\n\n{A short game.\nTwo turns.}\n' + DEAL + TURNS


@pytest.mark.parametrize(
    ("players", "tiles", "options"),
    [
        (2, (), {}),
        (3, ("Lisboa",), {"buy_before_loan": True, "reopen_shuts": False}),
        (5, ("Porto", CANARIAS), {"pirate_before_loan": True}),
    ],
)
def test_games_round_trip_with_json(players: int, tiles: tuple[str, ...], options: dict[str, bool]) -> None:
    game = random_game(players, tiles, seed=41, policy=LIGHT, options=options)
    text = to_capitan(game, {"Event": "A test"})
    score = from_capitan(text)
    assert score.headers == {"Event": "A test"}
    assert to_capitan(score) == text
    record = to_json(game)
    assert to_json(score.game) == record
    assert to_capitan(from_json(json.dumps(record)), {"Event": "A test"}) == text


def test_a_score_is_written_as_it_was_read() -> None:
    score = from_capitan(SCORE)
    assert to_capitan(score) == SCORE
    assert score.headers == {"Date": "2024-05-01", "Seat1": 'An "the" \\ a'}
    assert score.line.comments == ["A short game.\nTwo turns."]
    fortress = score.line.items[7]
    first, again, second = fortress.notes
    assert again == "the main line again"
    assert isinstance(first, Line) and isinstance(second, Line)
    assert first.items[0].notes == ["cheaper"]
    assert [type(item.event) for item in first.items] == [Act, Act, Reveal, Act, Act, Act]
    assert isinstance(first.items[4].notes[0], Line) and first.items[4].notes[0].comments == ["or perhaps"]
    assert len(score.game.events) == 11 and score.game.seat == 2
    assert to_json(score.game) == to_json(from_capitan(to_capitan(score.game)).game)


def test_free_form_is_read() -> None:
    text = "\ufeff" + SCORE.replace("\n", "\r\n").replace(";", " ").replace("Players", "PLAYERS").replace("buy", "BUY")
    score = from_capitan(text)
    assert to_capitan(score).splitlines()[-12:] == SCORE.splitlines()[-12:]
    assert from_capitan(HEADERS + DEAL).game.seat == 0
    bare = from_capitan(HEADERS + "{nothing yet}")
    assert not bare.game.dealt and to_capitan(bare) == HEADERS + "\n{nothing yet}\n"


def test_a_voyage_is_written_in_one() -> None:
    game, voyage = game_with_voyage(cards=2)
    game.play_all(voyage)
    text = to_capitan(game)
    assert "pirate cards " in text
    assert from_capitan(text).game.events == game.events
    before, _, after = text.partition("pirate cards ")
    with pytest.raises(BadRecord) as caught:
        from_capitan(before + "pirate by " + after.split(",")[0])
    assert caught.value.reason == "voyage-in-one"


def test_an_unfinished_game_has_no_result() -> None:
    assert "Result" not in SCORE
    from_capitan(SCORE.replace("[Date", '[Result "*"]\n[Date'))
    text = to_capitan(_finished())
    assert f'[Result "{", ".join(map(str, _finished().money))}"]' in text
    with pytest.raises(BadRecord) as caught:
        from_capitan(text.replace('[Result "', '[Result "1'))
    assert (caught.value.line, caught.value.reason) == (5, "other-result")


@cache
def _finished() -> Game:
    return random_game(2, seed=42)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('[Rules "1"]\n', "", None, "header-missing"),
        ('[Rules "1"]', '[Rules "2"]', 1, "other-rules"),
        ('[Players "3"]', '[Players "x"]', 2, "number-wanted"),
        ('[Players "3"]', '[Players "3 4"]', 2, "too-much"),
        ('[Players "3"]', '[Players "1"]', 2, "number-wanted"),
        ('[Players "3"]', "[Players 3]", 2, "bad-header"),
        ('[Board "mediterranean"]', '[Board "baltic"]', 3, "other-board"),
        ('[First "1"]', '[First "6"]', 4, "number-wanted"),
        ('[First "1"]', '[First "4"]', 4, "number-wanted"),
        ("[Date", '[Tiles "Lisbon"]\n[Date', 5, "city-wanted"),
        ("[Date", '[Tiles "Napoli"]\n[Date', 5, "bad-tile"),
        ("[Date", '[Options "reopen_shuts"]\n[Date', 5, "bad-value"),
        ("[Date", '[Options "reopen = no"]\n[Date', 5, "bad-option"),
        ("[Date", '[First "1"]\n[Date', 5, "header-twice"),
        ("[Date", '[Seat1 "B"]\n[Date', 7, "header-twice"),
        ("[Date", '[Result "20, 20, 20"]\n[Date', 5, "result-too-early"),
        ("+Athina/2\n", "\n", 11, "bad-deal"),
        ("+Athina/2\n", "+Athina/4\n", 11, "card-wanted"),
        ("deal", "dael", 11, "unknown-word"),
        ("build 2", "build 3", 14, None),
        ("build 2", "biuld 2", 14, "unknown-word"),
        ("+Tunis/1", "+Tunis/3", 14, "impossible-card"),
        ("+Tunis/1", "", 15, "other-turn"),
        ("1.1 seat 2: buy Tunis/3", "1.1 seat 3: buy Tunis/3", 15, "other-turn"),
        ("1.1 seat 2: buy Tunis/3", "1.2 seat 2: buy Tunis/3", 15, "other-turn"),
        ("1.1 seat 2: buy Tunis/3", "payday 1 seat 2: buy Tunis/3", 15, "other-turn"),
        ("1.1 seat 2: buy Tunis/3", "1.1: buy Tunis/3", 15, "symbol-wanted"),
        ("{or perhaps}", "{or perhaps", 22, "out-of-place"),
        ("{the main line again}", "{the main line again", 21, "never-closed"),
        ("1.1 seat 3: buy Venezia/1)", "1.1 seat 3: buy Venezia/1", 24, "never-closed"),
        ("buy Venezia/1)", "buy Venezia/1))", 25, "out-of-place"),
        ("buy Venezia/1)", "buy Venezia/1) {", 25, "never-closed"),
        ("1.1 seat 1: buy", "(1.1 seat 1: buy", 14, "out-of-place"),
        ("(1.1 seat 2: buy Marseille-Venezia)", "(1.1 seat 2: buy Venezia/1)", 22, None),
    ],
)  # fmt: skip
def test_bad_scores(old: str, new: str, line: int | None, reason: str | None) -> None:
    assert SCORE.count(old) == 1
    with pytest.raises(BadRecord) as caught:
        from_capitan(SCORE.replace(old, new))
    error = caught.value
    assert (error.line, error.event) == (line, None)
    assert error.reason == reason or (reason is None and error.rule)
    assert str(error).startswith("" if line is None else f"Line {line}:")


def test_variations_have_a_depth() -> None:
    def nested(depth: int) -> str:
        return HEADERS + DEAL + "buy Tunis/3" + " (buy Tunis/3" * depth + ")" * depth

    assert from_capitan(nested(MOST_DEEP)).line.items
    with pytest.raises(BadRecord) as caught:
        from_capitan(nested(MOST_DEEP + 1))
    assert caught.value.reason == "too-deep"
    with pytest.raises(BadRecord):
        from_capitan(nested(100_000))


@pytest.mark.parametrize("headers", [{"players": "3"}, {"Two words": ""}, {"A": "one\ntwo"}, {"": "x"}])
def test_headers_that_cannot_be_written(headers: dict[str, str]) -> None:
    with pytest.raises(BadRecord):
        to_capitan(Game.new(3, seed=1), headers)


def test_comments_that_cannot_be_written() -> None:
    with pytest.raises(BadRecord):
        to_capitan(Score(Game.new(3, seed=1), Line(["a } b"])))


# --------------------------------------------------------------------------------------------------------------- fuzz

_COMMENTS = st.text(st.characters(exclude_characters="}\r", exclude_categories=["Cs"]), max_size=20).map(str.strip)


def _any_line(data: st.DataObject, game: Game, most: int, depth: int) -> Line:
    """A line of play by chance, with notes."""
    line = Line(data.draw(st.lists(_COMMENTS, max_size=1)))
    for _ in range(data.draw(st.integers(1, most))):
        before = game.copy()
        item = Item(_any_event(data, game))
        line.items.append(item)
        for _ in range(data.draw(st.sampled_from([0, 0, 0, 1, 2]))):
            note: Note = data.draw(_COMMENTS)
            if depth and data.draw(st.booleans()):
                note = _any_line(data, before.copy(), 2, depth - 1)
            item.notes.append(note)
    return line


def _any_event(data: st.DataObject, game: Game) -> Act | Reveal:
    """Something that can happen, which then happens."""
    if game.seat is None:
        card = data.draw(st.sampled_from(sorted(_face_down(game))))
        game.reveal(card)
        return Reveal(card)
    seat, number = game.seat, data.draw(st.sampled_from(game.legal()))
    game.play(number)
    return Act(seat, (number,))


def _face_down(game: Game) -> list[int]:
    """The cards that can come next: destination cards before links."""
    state = game.view_for(0)[0]
    shown = sum(int(state.display) >> card & 1 for card in range(18))
    first = 0 if shown < 4 else 18
    deck = 0 if first == 0 else 1
    return [int(card) for card in state.deck[first : first + int(state.deck_left[deck])]]


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_any_score_round_trips(data: st.DataObject) -> None:
    game = fresh(Game.new(3, seed=data.draw(st.integers(0, 3))))
    line = _any_line(data, game, 12, 2)
    free = data.draw(st.dictionaries(st.sampled_from(["Date", "Seat1", "x_1"]), _COMMENTS.map(_one_line), max_size=2))
    score = Score(game, line, free)
    text = to_capitan(score)
    back = from_capitan(text)
    assert (back.line, back.headers, back.game.events) == (line, free, game.events)
    assert to_capitan(back) == text


def _one_line(text: str) -> str:
    return "".join(text.splitlines())


@settings(deadline=None)
@given(st.data())
def test_scores_with_slips_are_read_or_refused(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SCORE)))
    slip = data.draw(st.sampled_from(["", "(", ")", "{", "}", "[", "]", "+", ";", ":", "x", "1", "9", '"', "\\", "\n"]))
    text = SCORE[:at] + slip + SCORE[at + data.draw(st.integers(0, 3)) :]
    assert well_refused(BadRecord, lambda: from_capitan(text))


@given(st.text())
@example("[" * 9)
@example(HEADERS + "deal")
@example(HEADERS + DEAL + "²")
def test_any_text_is_refused(text: str) -> None:
    assert well_refused(BadRecord, lambda: from_capitan(text))


def test_the_game_of_the_manual_can_be_read() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    game = manual.split("```capitan\n")[1].split("```")[0]
    assert to_capitan(from_capitan(game)) == game


def test_the_actions_of_the_manual_can_be_read() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    table = manual.split("| text | typed form | meaning |")[1].split("\n\n")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines()[2:]]
    assert len(rows) == 17
    for text, typed in rows:
        numbers = from_text(text.strip(" `"), packaged())
        assert voyage_to_text(numbers, packaged()) == text.strip(" `")
        if "see below" not in typed:
            assert voyage_to_typed(numbers, packaged()) == json.loads(typed.strip(" `"))
