"""What is sent to programs: everything a seat may know, every legal action once, and no secrets."""

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from tests.playing import CANARIAS, game_with_voyage, random_game

from elcapitan.board.figures import packaged
from elcapitan.engine import play
from elcapitan.engine.actions import N_ACTIONS, PIRATE_SAIL
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.policies import UNIFORM
from elcapitan.engine.record import from_bytes
from elcapitan.engine.state import State, States
from elcapitan.engine.vocabulary import CARDS, DESTINATIONS, TILE_NAMES
from elcapitan.game.game import Game
from elcapitan.notation.diagram import read
from elcapitan.players import external
from elcapitan.players.extras import EXTRAS, extras
from elcapitan.records.view_json import view_to_json

FIGURES = packaged()
TILE_SETS = [tiles for count in range(4) for tiles in combinations(TILE_NAMES, count)]
FAR = 60 if COMPILED else 25  # actions


def asked(game: Game) -> dict[str, Any]:
    """The question to the deciding seat, as a program reads it."""
    question = external.question(7, game.view_for(0), game.legal(), 5.0, game.figures)
    content: dict[str, Any] = json.loads(external.to_line(question))
    return content


def test_every_action_has_a_form_of_its_own() -> None:
    forms = [external.entry(number, FIGURES) for number in range(N_ACTIONS)]
    assert len({json.dumps(form, sort_keys=True) for form in forms}) == N_ACTIONS
    for number, form in enumerate(forms):
        assert external.number_of(json.loads(json.dumps(form)), FIGURES) == number


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_legal_action_stands_in_the_list_once(players: int) -> None:
    for seed, tiles in enumerate(TILE_SETS):
        game = random_game(players, tiles, seed, UNIFORM, most=FAR)
        question, legal = asked(game), game.legal()
        assert [external.number_of(form, FIGURES) for form in question["legal"]] == legal
        for place, number in enumerate(legal):
            by_place = {"type": "action", "move": 7, "choose": place}
            by_form = {"type": "action", "move": 7, **question["legal"][place]}
            for answer in (by_place, by_form):
                assert external.action_in(answer, 7, legal, FIGURES) == number


def test_a_voyage_of_the_pirate_piece_by_piece() -> None:
    game, voyage = game_with_voyage(seed=2)
    kinds = []
    for number in voyage:
        legal = game.legal()
        form = asked(game)["legal"][legal.index(number)]
        kinds.append(form["do"])
        assert external.action_in({"type": "action", "move": 7, **form}, 7, legal, FIGURES) == number
        assert number >= PIRATE_SAIL
        game.play(number)
        sailing = asked(game)["position"]["pirate"]["sailing"]
        assert (sailing is None) == (number == voyage[-1])
    assert kinds == ["pirate_sail", "pirate_land"]


@pytest.mark.parametrize("tiles", [(), TILE_NAMES])
def test_the_order_of_face_down_cards_is_never_sent(tiles: tuple[str, ...]) -> None:
    dice = np.random.default_rng(1)
    for players in (2, 4):
        game = random_game(players, tiles, seed=players, most=FAR)
        legal, view = game.legal(), game.view_for(0)

        def sent_of(states: States, legal: Sequence[int] = legal) -> bytes:
            question = external.question(1, states, legal, 5.0, FIGURES)
            return external.to_line(question | extras(tuple(EXTRAS), 1, states, legal, FIGURES))

        sent = sent_of(view)
        other = from_bytes(State, bytearray(game.position.tobytes()))  # the real order, and the source of chance
        for _ in range(5):
            assert sent_of(other) == sent
            for deck, first in enumerate((0, DESTINATIONS)):
                dice.shuffle(other[0].deck[first : first + int(other[0].deck_left[deck])])
            other[0].rng[:] = dice.integers(0, 1000, 3)
            shuffled = play.states()
            shuffled[:] = other
            assert view_to_json(shuffled, FIGURES) == view_to_json(view, FIGURES)


def test_all_cards_are_somewhere() -> None:
    game = random_game(3, seed=5, most=FAR)
    seen = asked(game)["position"]
    hands = [card for merchant in seen["merchants"] for card in merchant["hand"]]
    assert sorted([*hands, *seen["display"], *seen["discards"], *seen["face_down"]]) == sorted(FIGURES.cards)
    assert seen["face_down"] == [card for card in FIGURES.cards if card in seen["face_down"]]


def test_the_position_says_what_a_drawing_says() -> None:
    states = read(
        "2 players, phase 2, round 3, Y under way, R first\n"
        "R 9 florins; owes 10 2x16!\n"
        "Y 23 florins\n"
        "Marseille [R .] . R y y Y forts(R .) shut(r R)\n"
        "Napoli [. *]\n"
        "Canarias [Y .]\n"
        "Y hand Marseille/3, Napoli-Tunis\n"
        "Display: Tanger/2, Tunis-Alexandria\n"
        "Discards: Venezia/1\n"
    )
    seen = view_to_json(states, FIGURES)
    red, yellow = seen["merchants"]
    assert (seen["phase"], seen["round"], seen["stage"], seen["seat"], seen["starter"]) == (2, 3, "under way", 1, 0)
    assert (red["money"], red["ship"], red["hand"]) == (9, {"at": "Marseille", "harbour": 1}, [])
    assert red["loans"] == [
        {"amount": 10, "due": 12, "extended": False, "cards": 1},
        {"amount": 16, "due": 30, "extended": True, "cards": 2},
    ]
    assert yellow["hand"] == ["Marseille/3", "Napoli-Tunis"] and yellow["loans"] == []
    assert (
        red["forecast"]["total"]
        == sum(red["forecast"]["majority"].values())
        + sum(red["forecast"]["fortress"].values())
        + red["forecast"]["proliferation"]
        + red["forecast"]["bonus"]
    )
    assert seen["cities"][0] == {
        "name": "Marseille",
        "harbours": [0, None],
        "sites": [None, 0, 3, 3, 1, *[None] * 7],
        "closed": [0, 2],
        "fortresses": [0, None],
    }
    assert seen["pirate"] == {"at": "Napoli", "harbour": 2, "sailing": None, "used": False, "free_move": "not due"}
    assert seen["display"] == ["Tanger/2", "Tunis-Alexandria"] and seen["discards"] == ["Venezia/1"]
    assert len(seen["face_down"]) == CARDS - 5
    assert json.loads(json.dumps(seen)) == seen


def test_hello() -> None:
    game = Game.new(4, [CANARIAS], seed=1, options={"buy_before_loan": True})
    hello = json.loads(external.to_line(external.hello(game.setup, 2, FIGURES)))
    prices, figures = hello.pop("prices"), hello.pop("figures")
    assert hello == {
        "type": "hello",
        "protocol": "elcapitan-bot/1",
        "rules": "1",
        "players": 4,
        "tiles": ["Islas Canarias"],
        "board": "mediterranean",
        "seat": 2,
        "options": {"buy_before_loan": True, "reopen_shuts": True, "pirate_before_loan": False},
    }
    assert list(prices) == list(FIGURES.cards) and prices["Marseille/3"] == 6 and prices["Marseille-Napoli"] == 2
    assert figures["cities.Marseille.harbours"] == [4, 5] and figures["money.start"] == 20


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ({"name": "El Greco"}, "El Greco"),
        ({}, ""),
        ({"name": 7}, ""),
        ({"name": "\x1b[31mred\n" + "x" * 100}, "[31mred" + "x" * 23),
    ],
)
def test_names(answer: dict[str, object], name: str) -> None:
    assert external.name_in({"type": "ready", **answer}) == name
