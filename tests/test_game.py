"""The checked door: set-up, acting, chance, undo, and what a game tells about itself."""

import pickle
import subprocess
import sys
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from tests.playing import CANARIAS, game_with_voyage, random_game

import elcapitan
from elcapitan.actions.typed import numbers_of, voyage_to_typed
from elcapitan.engine import play, refusals
from elcapitan.engine.actions import BUY, END, FORTRESS, LOAN, N_ACTIONS, PASS, PIRATE_SAIL, SAIL, STARTER
from elcapitan.engine.rng import HIGHEST_SEED
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, FACE_UP, FLIPPED, LOANS, NOBODY, OVER, PHASES
from elcapitan.error_messages import REFUSALS
from elcapitan.errors import BadRecord, BadSetup, BadText, CannotUndo, IllegalAction
from elcapitan.game.game import Act, Deal, Game, Moment, Reveal

DESTINATION, LINK = (0, 8, 14, 10), (18, 20, 25, 30, 35, 40)  # the first of them Marseille/3, Napoli/1, Tunis/3
ENTRY = ["buy Marseille/3", "sail Marseille/3", "build 2"]


def bare(players: int = 3, tiles: tuple[str, ...] = ()) -> Game:
    game = Game.bare(players, tiles, first=0)
    game.deal(DESTINATION, LINK)
    return game


def entered() -> Game:
    """A bare game in which the first seat has built and could end its turn."""
    game = bare()
    for text in ENTRY:
        game.play_text(text)
    return game


def seen(game: Game) -> bytes:
    return game.view_for(0).tobytes()


# ------------------------------------------------------------------------------------------------------------ set-up


def test_a_game_begins_from_a_set_up() -> None:
    drawn = Game.new(4, ["Lisboa"], first=2, options={"reopen_shuts": True}, seed=7)
    again = Game.from_setup(drawn.setup, seed=7)
    assert again.setup == drawn.setup and again.events == drawn.events and seen(again) == seen(drawn)
    told = Game.from_setup(drawn.setup)
    assert not told.dealt and told.seed is None
    with pytest.raises(BadSetup):
        Game.from_setup(drawn.setup, seed=-1)


def test_the_events_of_a_game_can_be_played_again() -> None:
    game, voyage = game_with_voyage(cards=2)
    game.play_all(voyage)
    assert Act(game.events[-1].seat, tuple(voyage)) == game.events[-1]  # type: ignore[union-attr]
    again = Game.replay(game.setup, game.events, game.figures)
    assert again.events == game.events and seen(again) == seen(game)
    for at in range(game.event_count, -1, -1):
        assert again.events == game.events[:at] == [moment.event for moment in again.history()]
        assert again.event_count == at
        if at:
            again.take_back()


def test_a_voyage_that_has_not_landed_is_no_event() -> None:
    game, voyage = game_with_voyage(cards=2)
    before, seat = game.events, game.seat
    for number in voyage[:-1]:
        game.play(number)
        assert game.event_count == len(before) and game.events == before
    other = game.copy()
    game.play(voyage[-1])
    assert game.events == [*before, Act(seat or 0, tuple(voyage))] and other.events == before
    game.undo()
    assert game.events == before and game.seat == seat


def test_a_game_tells_why_an_action_is_not_legal() -> None:
    game = entered()
    position, events = seen(game), game.events
    for number in range(N_ACTIONS):
        refusal = game.why_not(number)
        assert (refusal is None) == (number in game.legal())
        if refusal:
            with pytest.raises(IllegalAction) as raised:
                game.play(number)
            assert str(raised.value) == str(refusal)
    assert game.why_not(N_ACTIONS) is not None and game.why_not(-1) is not None
    assert seen(game) == position and game.events == events
    game.play(END)
    waiting = game.why_not(END)
    assert waiting is not None and waiting.reason == "card-to-turn-up"


def test_a_new_game_is_dealt() -> None:
    game = Game.new(4, ["Lisboa"], first=2, seed=7)
    assert (game.players, game.seat, game.stage, game.phase, game.round) == (4, 2, "start", 1, 1)
    assert game.money == [20] * 4 and game.ranks == [1] * 4 and game.winners == [] and not game.over
    (deal,) = game.events
    assert isinstance(deal, Deal)
    assert len(set(deal.destination)) == 4 and max(deal.destination) < DESTINATIONS
    assert len(set(deal.link)) == 6 and min(deal.link) >= DESTINATIONS
    assert sum(1 << card for card in deal.destination + deal.link) == game.position.display


def test_the_seed_is_the_game() -> None:
    assert seen(Game.new(5, seed=3)) == seen(Game.new(5, seed=3))
    assert Game.new(5, seed=3).events != Game.new(5, seed=4).events
    assert {Game.new(5, seed=seed).seat for seed in range(40)} == {0, 1, 2, 3, 4}
    assert Game.new(2).seed != Game.new(2).seed


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"players": 1}, "bad-players"),
        ({"players": 6}, "bad-players"),
        ({"players": True}, "bad-players"),
        ({"players": "4"}, "bad-players"),
        ({"tiles": ["Lisbon"]}, "bad-tile"),
        ({"tiles": ["Napoli"]}, "bad-tile"),
        ({"tiles": [["Porto"]]}, "bad-tile"),
        ({"tiles": ["Porto", "Porto"]}, "tile-twice"),
        ({"first": 3}, "bad-first"),
        ({"first": -1}, "bad-first"),
        ({"options": {"reopen_shut": False}}, "bad-option"),
        ({"options": {"reopen_shuts": "no"}}, "bad-option-value"),
        ({"seed": -1}, "bad-seed"),
        ({"seed": HIGHEST_SEED + 1}, "bad-seed"),
        ({"seed": 1.5}, "bad-seed"),
    ],
)
def test_bad_setup(setting: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetup) as caught:
        Game.new(**({"players": 3} | setting))
    assert caught.value.reason == reason
    assert str(caught.value)


def test_tiles_and_options_reach_the_engine() -> None:
    game = Game.new(2, [CANARIAS, "Porto"], options={"pirate_before_loan": True, "reopen_shuts": False}, seed=1)
    assert game.setup.tiles == ("Porto", CANARIAS)
    assert (game.position.tiles, game.position.options) == (0b101, 0b100)
    assert game.setup.unusual == {"pirate_before_loan": True, "reopen_shuts": False}
    assert Game.new(2, options={"buy_before_loan": True}, seed=1).position.options == 0b11
    assert Game.new(2, seed=1).setup.unusual == {}


# ------------------------------------------------------------------------------------------------------------ acting


def test_three_ways_to_act() -> None:
    by_number, by_type, by_text = bare(), bare(), bare()
    by_number.play(BUY + 0)
    by_type.play_all(numbers_of({"do": "buy", "card": "Marseille/3"}, by_type.figures))
    by_text.play_text("buy marseille/3")
    assert seen(by_number) == seen(by_type) == seen(by_text)
    assert by_text.money == [14, 20, 20]
    assert by_text.events[1:] == [Act(0, (BUY,))]
    assert SAIL in by_text.legal()
    assert {"do": "sail", "card": "Marseille/3", "as": "destination", "to": "Marseille"} in by_text.offered()


@pytest.mark.parametrize("number", [LOAN, END, PASS, FORTRESS, STARTER, PIRATE_SAIL, BUY + 1])
def test_what_is_not_legal_is_refused_with_a_rule(number: int) -> None:
    game = bare()
    before = seen(game)
    with pytest.raises(IllegalAction) as caught:
        game.play(number)
    assert caught.value.rule
    assert f"[{caught.value.rule}]" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert seen(game) == before and len(game.events) == 1


def test_every_reason_of_the_rules_has_a_sentence() -> None:
    """[G-06] Whatever the engine answers can be told."""
    assert {refusal.reason for refusal in refusals.REFUSALS} == {"legal", *REFUSALS}
    for reason, rule, names in refusals.REFUSALS[1:]:
        error = IllegalAction(reason, rule, **dict.fromkeys(names, "*"))
        assert str(error).count("*") == len(names) and str(error).endswith(f" [{rule}]")
        assert BadRecord.because(error, event=3).sentence() == f"Event 3: {error}"


def test_no_action_is_refused_without_a_crash() -> None:
    """Every number that is not legal has a reason, at many points of a game."""
    game = random_game(3, ["Lisboa"], seed=5, most=40)
    for _ in range(4):
        game.take_back(7)
        game.draw()
        legal = set(game.legal())
        for number in {*range(-1, N_ACTIONS + 1)} - legal:
            with pytest.raises(IllegalAction) as caught:
                game.play(number)
            assert str(caught.value)
        assert set(game.legal()) == legal


def test_acting_out_of_time() -> None:
    game = Game.bare(3, first=0)
    with pytest.raises(IllegalAction, match="dealt"):
        game.play(BUY)
    with pytest.raises(IllegalAction, match="dealt"):
        game.reveal(0)
    game.deal(DESTINATION, LINK)
    with pytest.raises(IllegalAction, match="dealt already"):
        game.deal(DESTINATION, LINK)
    with pytest.raises(IllegalAction, match="No card"):
        game.reveal(1)
    over = random_game(2, seed=2)
    assert over.over
    with pytest.raises(IllegalAction, match="over"):
        over.play(END)


@pytest.mark.parametrize(
    ("destination", "link"),
    [((0, 8, 14), LINK), ((0, 8, 14, 0), LINK), ((0, 8, 14, 18), LINK), (DESTINATION, (18, 20, 25, 30, 35, 54))],
)
def test_bad_deal(destination: tuple[int, ...], link: tuple[int, ...]) -> None:
    with pytest.raises(IllegalAction) as caught:
        Game.bare(3, first=0).deal(destination, link)
    assert caught.value.reason == "bad-deal"


def test_a_bare_game_waits_for_its_cards() -> None:
    game = entered()
    game.play_text("end")
    assert game.seat is None and game.card_due and game.legal() == [] and game.offered() == []
    with pytest.raises(IllegalAction, match="turned up"):
        game.play(END)
    for card in (0, 8, 18, -1, CARDS):  # played, displayed, of the other deck, none at all
        with pytest.raises(IllegalAction) as caught:
            game.reveal(card)
        assert caught.value.reason == "impossible-card"
    game.reveal(3)
    assert game.seat == 1 and game.events[-1] == Reveal(3)


def test_a_seeded_game_draws_by_itself() -> None:
    game = random_game(3, seed=9, most=60)
    assert not game.card_due
    assert any(isinstance(event, Reveal) for event in game.events)


def test_several_numbers_happen_together_or_not_at_all() -> None:
    game, voyage = game_with_voyage(cards=2)
    before = seen(game)
    with pytest.raises(IllegalAction):
        game.play_all([*voyage[:-1], END])
    assert seen(game) == before
    events = len(game.events)
    game.play(voyage[0])
    assert len(game.events) == events and game.position.pirate_at != NOBODY
    game.undo()
    assert seen(game) == before
    game.play_all(numbers_of(voyage_to_typed(voyage, game.figures), game.figures))
    assert game.events[-1] == Act(game.seat or 0, tuple(voyage))
    assert len(game.events) == events + 1
    game.undo()
    assert seen(game) == before


def test_bad_text_is_told_apart_from_what_is_not_legal() -> None:
    with pytest.raises(BadText):
        bare().play_text("bye Marseille/3")
    with pytest.raises(IllegalAction):
        bare().play_text("buy Venezia/2")


# -------------------------------------------------------------------------------------------------------------- undo


def test_undo_within_a_turn() -> None:
    game = bare()
    seen_before = [seen(game)]
    for text in ENTRY:
        game.play_text(text)
        seen_before.append(seen(game))
    for position in reversed(seen_before[:-1]):
        game.undo()
        assert seen(game) == position
    with pytest.raises(CannotUndo) as caught:
        game.undo()
    assert caught.value.reason == "nothing-to-undo"
    for text in ENTRY:
        game.play_text(text)
    game.undo_turn()
    assert seen(game) == seen_before[0]


def test_no_undo_once_a_card_is_revealed() -> None:
    game = entered()
    game.play_text("end")
    game.undo()  # no card has come yet
    game.play_text("end")
    game.reveal(3)
    for undo in (game.undo, game.undo_turn):
        with pytest.raises(CannotUndo) as caught:
            undo()
        assert caught.value.reason == "card-was-revealed"


def test_no_undo_across_turns() -> None:
    game = entered()
    game.play_text("end")
    game.reveal(3)
    for number in (1, 2):
        while game.seat == number:
            game.play(next(n for n in (END, *game.legal()) if n in game.legal()))
        while game.card_due:
            game.reveal(next(card for card in range(CARDS) if _possible(game, card)))
    game.play_text("loan 10")  # nothing was bought, so no card comes
    assert game.seat == 1
    with pytest.raises(CannotUndo) as caught:
        game.undo()
    assert caught.value.reason == "nothing-to-undo"


def _possible(game: Game, card: int) -> bool:
    try:
        game.copy().reveal(card)
    except IllegalAction:
        return False
    return True


def test_taking_back_goes_through_a_whole_game() -> None:
    game = random_game(3, seed=4, most=150)
    copy, events, end = game.copy(), game.events, seen(game)
    for length in reversed(range(len(events))):
        copy.take_back()
        assert copy.events == events[:length]
    with pytest.raises(CannotUndo):
        copy.take_back()
    copy.draw()
    assert copy.events == events[:1]
    for event in events[1:]:
        if isinstance(event, Act):
            copy.play_all(event.numbers)
    assert copy.events == events and seen(copy) == end == seen(game)  # the copy is independent


# ------------------------------------------------------------------------------------------- what a game tells


def test_a_view_has_no_secrets() -> None:
    """Two games that differ only in what is face down look the same, and the cards face down are no secret."""
    game = random_game(3, seed=6, most=30)
    other = game.copy()
    other.shuffle(123)
    assert game.position.deck.tolist() != other.position.deck.tolist()
    assert seen(game) == seen(other)
    view, state = game.view_for(2)[0], game.position
    for deck, first in enumerate((0, DESTINATIONS)):
        beyond = first + int(state.deck_left[deck])
        assert view.deck[first:beyond].tolist() == sorted(state.deck[first:beyond].tolist())
    assert not view.rng.any()
    with pytest.raises(BadSetup):
        game.view_for(3)


def test_a_bare_game_can_be_played_on() -> None:
    game = entered()
    game.play_text("end")
    game.shuffle(5)
    assert game.seat == 1 and isinstance(game.events[-1], Reveal)


def test_the_position_is_a_copy() -> None:
    game = bare()
    game.position.cash[0] = 99
    assert game.money == [20, 20, 20]


def test_paydays_report_what_was_paid() -> None:
    """[PAY-01, G-28, G-29] The items add up, and the totals are the cash that came, loans apart."""
    for players, tiles, seed in ((2, [], 1), (3, ["Lisboa"], 2), (5, ["Porto"], 3)):
        game = random_game(players, tiles, seed)
        assert [payday.number for payday in game.paydays] == [1, 2, 3]
        assert game.over and game.winners and min(game.ranks) == 1
        for moment in game.history():
            if moment.payday:
                _check_payday(moment, game)


def _check_payday(moment: Moment, game: Game) -> None:
    assert moment.payday
    cash, later = play.scores(moment.before, 0), play.scores(moment.after, 0)
    before, after = moment.before[0], moment.after[0]
    for income in moment.payday.paid:
        parts = income.proliferation + sum(income.majority.values()) + sum(income.fortress.values()) + income.bonus
        assert income.total == parts
        assert 0 not in income.majority.values() and 0 not in income.fortress.values()
        seat = income.seat
        loan = moment.event.numbers[0] - LOAN if isinstance(moment.event, Act) else -1
        lent = int(game.figures.board.loan_amount[loan]) if loan in range(LOANS) and before.seat == seat else 0
        repaid = 0
        for kind in range(LOANS):
            for side in (FACE_UP, FLIPPED):
                held = int(before.loans[seat, kind, side]) + (lent > 0 and kind == loan and side == FACE_UP)
                gone = held - int(after.loans[seat, kind, side])
                repaid += gone * int(game.figures.board.loan_due[kind, side])
        assert later[seat] == cash[seat] + lent + income.total - repaid


def test_the_forecast_is_the_payday() -> None:
    game = random_game(4, ["Lisboa"], seed=8)
    last = [moment for moment in game.history() if moment.payday][-1]
    assert last.payday and last.payday.number == PHASES and last.after[0].stage == OVER
    game.take_back(1)
    assert game.forecast() == last.payday.paid
    assert any(income.majority for income in game.forecast())
    assert all(isinstance(value, int | dict) for income in game.forecast() for value in astuple(income))


def test_ranks_share_places(monkeypatch: pytest.MonkeyPatch) -> None:
    game = bare(4)
    monkeypatch.setattr(Game, "money", property(lambda self: [10, 30, 10, -5]))
    assert game.ranks == [2, 1, 2, 4]


def test_public_names_are_there_and_cheap() -> None:
    assert elcapitan.Game is Game
    assert all(getattr(elcapitan, name) for name in elcapitan.__all__)
    with pytest.raises(AttributeError):
        _ = elcapitan.Gmae
    code = "import sys, elcapitan; sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_numbers_from_arrays_will_do() -> None:
    game = bare()
    numbers: Any = np.array([BUY], np.int16)
    game.play(numbers[0])
    assert game.events[-1] == Act(0, (BUY,))
