"""Debts and stocks of a game against its record, which is read here in another way."""

import json
from pathlib import Path
from typing import Any

import pytest

from elcapitan.board.figures import packaged
from elcapitan.engine.vocabulary import NAMING
from elcapitan.experiments.study.games import Accounts, Study, accounts, check_study, play
from elcapitan.game.game import Game
from elcapitan.records import json_record as record

FOLDER = Path(__file__).parents[2] / "games"
TABLES = ("2-base", "3-lisboa", "4-base")
GAMES = sorted(path for table in TABLES for path in FOLDER.glob(f"??-{table}--*.json"))


@pytest.fixture(scope="module", params=GAMES, ids=lambda path: path.stem)
def read(request: pytest.FixtureRequest) -> tuple[Game, list[dict[str, Any]], tuple[Accounts, ...]]:
    """A game, its events with all paydays among them, and its accounts."""
    game = record.from_json(json.loads(request.param.read_text(encoding="utf-8")))
    events = []
    for moment in game.history():
        events.append(record.event_to_json(moment.event, game.figures))
        if moment.payday:
            events.append(record.payday_to_json(moment.payday))
    return game, events, accounts(game)


Read = tuple[Game, list[dict[str, Any]], tuple[Accounts, ...]]


def test_loans_by_phase(read: Read) -> None:
    game, events, found = read
    taken = [[0, 0, 0] for _ in range(game.players)]
    extended = [[0, 0, 0] for _ in range(game.players)]
    phase = 0  # a payday belongs to its phase until somebody names the next starting player
    for event in events:
        phase += event.get("do") == "starter"
        if event.get("do") == "loan":
            taken[event["seat"]][phase] += 1
        if event.get("do") == "extend":
            extended[event["seat"]][phase] += 1
    assert [list(seat.taken) for seat in found] == taken
    assert [list(seat.extended) for seat in found] == extended
    assert all(more <= all_ for seat in found for more, all_ in zip(seat.extended, seat.taken, strict=True))


def test_worth_is_cash_less_what_is_owed(read: Read) -> None:
    game, _, found = read
    due = packaged().board.loan_due
    for seat, own in enumerate(found):
        assert len(own.worth) == len(own.left) == 3 and own.worth[-1] == game.money[seat]
    namings = [moment.before[0] for moment in game.history() if moment.before[0].stage == NAMING]
    assert len(namings) == 2
    for number, state in enumerate(namings):
        for seat, own in enumerate(found):
            small, large = (int(state.loans[seat, kind, 1]) for kind in range(2))
            assert not state.loans[seat, :, 0].any(), "every loan is paid back or extended"
            assert own.worth[number] == state.cash[seat] - small * due[0, 1] - large * due[1, 1]
            assert small + large == own.extended[number], "those extended before are paid back"


def test_a_phase_ends_when_somebody_has_built_everything(read: Read) -> None:
    game, _, found = read
    for phase in range(3):
        left = [own.left[phase] for own in found]
        assert min(left) >= 0
        assert min(left) == 0 or game.players == 2, "these games were not passed to their end"


def test_a_python_player_can_be_studied() -> None:
    study = Study("py:tests.players.python_players:Last", (2,), 2, seed=1)
    check_study(study)
    (table,) = play(study, jobs=1)
    assert len(table.results.games) == 2 and not table.results.forfeited
