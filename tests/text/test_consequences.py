"""What happens in a game becomes sentences in three languages."""

import pytest
from tests.drawings import position
from tests.playing import game_with_voyage, random_game

from elcapitan.board.figures import packaged
from elcapitan.engine.actions import N_ACTIONS, SAIL, family
from elcapitan.game.game import Game
from elcapitan.text.actions import GROUPS, group, label
from elcapitan.text.catalogue import LANGUAGES, translator
from elcapitan.text.consequences import Teller
from elcapitan.text.narration import moment_told


def teller(language: str = "en", *names: str) -> Teller:
    return Teller(translator(language), packaged(), names)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [
        random_game(2, ["Lisboa"], seed=1),
        random_game(3, ["Porto"], seed=2),
        random_game(3, ["Islas Canarias"], seed=3, most=40),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_can_be_told(language: str, games: list[Game]) -> None:
    for game in games:
        for moment in game.history():
            story = moment_told(teller(language), moment)
            for sentence in story.deeds + story.afterwards:
                assert sentence.endswith(".") and "{" not in sentence
            assert teller(language).prompt(moment.after[0]).endswith((".", "!"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_done_has_a_label(language: str, games: list[Game]) -> None:
    for game in games:
        for moment in list(game.history())[::7]:
            for action in range(N_ACTIONS):
                if family(action) not in ("build", "fortress", "paid_pirate", "pirate_land"):  # these need a place
                    assert label(teller(language), moment.before[0], action)


def test_every_action_belongs_to_a_group() -> None:
    assert {group(action, packaged()) for action in range(N_ACTIONS)} == set(GROUPS)


def told(game: Game, text: str, language: str = "en") -> list[str]:
    game.play_text(text)
    story = moment_told(teller(language), list(game.history())[-1])
    return story.deeds


def first_turn() -> Game:
    return Game.new(3, ["Lisboa"], first=0, seed=3)


def test_sentences_of_a_turn() -> None:
    game = first_turn()
    assert told(game, "buy Marseille/3") == ["Red buys Marseille (3 seals) for 6."]
    assert told(game, "sail Marseille/3", "de") == [
        "Rot segelt mit Marseille (3 Siegel) nach Marseille.",
        "Das Schiff belegt Hafen 1, wo ein Lagerhaus 4 kostet.",
    ]
    assert told(game, "build 2", "fr") == ["Rouge construit un entrepôt à Marseille, emplacement 2, pour 4."]


def test_merchants_have_the_names_they_are_given() -> None:
    game = first_turn()
    assert teller("en", "Anna", "", "Cleo").action(game.position, 0) == "Anna buys Marseille (3 seals) for 6."
    assert [teller("de", "Anna", "", "Cleo").merchant(seat) for seat in range(3)] == ["Anna", "Gelb", "Cleo"]


def test_lisboa_pays_at_once() -> None:
    game = first_turn()
    game.play_text("buy Marseille/3")
    game.play_text("buy Venezia/2")
    game.play_text("sail Venezia/2")
    sea_route = next(number for number in game.legal() if "Lisboa" in label(teller(), game.position, number))
    assert sea_route >= SAIL
    game.play(sea_route)
    assert told(game, "build 2")[-1] == "Lisboa pays 4 to Red at once."


def test_a_voyage_of_the_pirate() -> None:
    game, voyage = game_with_voyage(cards=1)
    game.play_all(voyage)
    story = moment_told(teller(), list(game.history())[-1])
    assert "takes the pirate to" in story.deeds[0] and ", harbour " in story.deeds[0]


def test_the_money_check_ranks_everybody_and_names_the_poorest() -> None:
    """[AFTER-06, AFTER-07, G-30] A loan of 10 counts as the 12 that its card shows, an extended one as 16."""
    s = position("3 players, Y naming \n R 20 florins; owes 10 \n Y 9 florins; owes 10! \n G 8 florins").s
    assert teller("en", "Ana", "Bruno", "Cleo").money_check(s) == [
        "Money check, cash less loans: 1. Ana 8, 1. Cleo 8, 3. Bruno -7.",
        "Bruno is the poorest and names the starting player.",
    ]


def test_of_several_poorest_the_first_names_the_starting_player() -> None:
    """[G-31] Yellow is first from the starting player on."""
    s = position("3 players, Y naming, Y first \n R 5 florins \n Y 5 florins \n G 8 florins").s
    assert teller().money_check(s)[1].startswith("Yellow is the first in order of play among the poorest")
