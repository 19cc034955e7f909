"""The judge of finished games: which turn cost most, by the strongest level's estimate."""

import pytest
from tests.playing import other_board, random_game

from elcapitan.board.figures import Figures, packaged
from elcapitan.bots.bot import Budget
from elcapitan.engine.vocabulary import SETTLING
from elcapitan.game.game import Act
from elcapitan.players import judge
from elcapitan.players.judge import LEAST, dearest_mistake
from elcapitan.service.result_picture import describe_mistake
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.text.consequences import Teller

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look less carefully than usual."""
    monkeypatch.setitem(judge.FIRST_LOOK, "admiral", Budget(simulations=40))
    monkeypatch.setitem(judge.SECOND_LOOK, "admiral", Budget(simulations=300))
    monkeypatch.setitem(judge.SECOND_LOOK, "champion", Budget(simulations=24))


@pytest.mark.parametrize("figures", [packaged(), other_board()], ids=["judged by the champion", "by the admiral"])
def test_a_mistake_is_a_turn_of_its_player_with_a_better_one(figures: Figures) -> None:
    game = random_game(3, seed=4, figures=figures)  # played by chance, so there are mistakes
    found = dearest_mistake(game)
    assert found is not None
    assert found.before - found.after == found.cost >= LEAST
    assert 0 <= found.after < found.before <= 1
    turn = game.events[found.at : found.at + found.events]
    assert all(isinstance(event, Act) and event.seat == found.seat for event in turn)
    then = game.copy()
    then.take_back(game.event_count - found.at)
    assert then.seat == found.seat and int(then.position.stage) < SETTLING
    played = [number for event in turn if isinstance(event, Act) for number in event.numbers]
    assert played != list(found.better)
    then.play_all(found.better)
    assert dearest_mistake(game) == found, "the same game gets the same answer"


def test_who_has_no_time_finds_nothing() -> None:
    game = random_game(3, seed=4)
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 1

    assert dearest_mistake(game, enough) is None
    assert asked < 5 + game.event_count


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mistake_in_words(language: str) -> None:
    game = random_game(3, seed=4)
    found = dearest_mistake(game)
    assert found is not None
    teller = Teller(translator(language), game.figures, ["Inês", "Marco", "Leyla"])
    told = describe_mistake(game, teller, found)
    assert told.seat == found.seat and told.at == found.at
    assert f"{round(100 * found.before)} %" in told.figure and f"{round(100 * found.after)} %" in told.figure
    assert told.sentence.count(teller.merchant(found.seat)) >= 2, "what was played, and what would have been better"
