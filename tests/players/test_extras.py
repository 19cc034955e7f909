"""What programs can ask for besides the position: they get exactly what they name, and nobody else gets more."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.players.bot_programs import command, decide, seated
from tests.playing import random_game

from elcapitan.board.figures import load, packaged
from elcapitan.engine.vocabulary import TILE_NAMES
from elcapitan.notation.diagram import read
from elcapitan.players import external
from elcapitan.players.extras import EXTRAS, digest, extras
from elcapitan.position.as_numbers import observe

FIGURES = packaged()
BEFORE = ["type", "move", "seat", "position", "legal", "seconds"]  # the keys of a question ever since
MEDITERRANEAN = Path(__file__).parents[2] / "src" / "elcapitan" / "data" / "mediterranean.toml"


def asked(folder: Path, monkeypatch: pytest.MonkeyPatch, ready: Any) -> list[dict[str, Any]]:
    """The first two questions to a program that says this when it is ready."""
    monkeypatch.chdir(folder)
    line = command(
        folder,
        f"""
        hear()
        say({json.dumps({"type": "ready", "name": "mine"} | ready)!r})
        for number in "12":
            line = sys.stdin.readline()
            open("asked" + number, "w").write(line)
            question = json.loads(line)
            answer(choose=0)
        hear()
        """,
        greets=False,
    )
    game, bot = seated(line)
    first = external.to_line(external.question(1, game.view_for(0), game.legal(), 30.0, game.figures)).decode()
    decide(game, bot)
    decide(game, bot)
    assert bot.fault is None
    bot.close()
    if not ready:
        assert (folder / "asked1").read_text(encoding="utf-8") == first, "to the letter"
    return [json.loads((folder / f"asked{number}").read_text(encoding="utf-8")) for number in "12"]


@pytest.mark.parametrize("ready", [{}, {"wants": []}, {"other": ["drawing"]}])
def test_who_wants_nothing_gets_what_programs_always_got(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ready: dict[str, Any]
) -> None:
    for question in asked(tmp_path, monkeypatch, ready):
        assert list(question) == BEFORE


def test_who_wants_something_gets_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = asked(tmp_path, monkeypatch, {"wants": ["texts", "digest", "numbers", "texts"]})
    assert list(first) == [*BEFORE, "texts", "digest", "numbers"]
    assert list(second) == [*BEFORE, "texts", "numbers"], "the digest comes once"
    assert len(first["texts"]) == len(first["numbers"]) == len(first["legal"])


@pytest.mark.parametrize(
    ("wants", "found"),
    [
        ("drawing", "'drawing'"),
        (["drawing", "seed"], "'seed'"),
        ([3], "3"),
        ({"drawing": True}, "{'drawing': True}"),
        (None, "None"),
    ],
)
def test_who_wants_what_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wants: Any, found: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ready = json.dumps({"type": "ready", "wants": wants})
    line = command(tmp_path, f"hear()\nsay({ready!r})\nhear()", greets=False)
    _game, bot = seated(line)
    known = "observation, mask, numbers, drawing, texts, digest"
    assert bot.fault == f"{line}: It wants {found}, but can only want some of these: {known}."
    bot.close()


@pytest.mark.parametrize("players", [2, 5])
def test_all_of_it_is_about_the_position(players: int) -> None:
    game = random_game(players, TILE_NAMES, seed=players, most=25)
    assert game.seat is not None
    view, legal = game.view_for(game.seat), game.legal()
    got = json.loads(external.to_line(extras(tuple(EXTRAS), 1, view, legal, FIGURES)))
    assert got["observation"] == observe(view, game.seat).tolist() and len(got["observation"]) == 951
    assert np.flatnonzero(got["mask"]).tolist() == got["numbers"] == legal and len(got["mask"]) == 953
    assert read(got["drawing"])[0].cash.tolist() == view[0].cash.tolist()
    assert len(set(got["texts"])) == len(legal)


def test_texts_say_what_actions_do() -> None:
    view = read("4 players, phase 2, Y under way\nY 23 florins\nMarseille [Y .] . R\nY hand Marseille/3\n")
    from elcapitan.engine import play  # noqa: PLC0415
    from elcapitan.game.position_queries import legal_in  # noqa: PLC0415

    legal = legal_in(view, FIGURES, play.desks())
    texts = extras(["texts"], 1, view, legal, FIGURES)["texts"]
    assert "Build: warehouse on site 1 for 4" in texts and "Build: fortress for 8" in texts


def test_the_digest_has_the_figures_of_the_board(tmp_path: Path) -> None:
    text = digest(FIGURES)
    assert "You begin with 20 florins" in text and "{" not in text
    assert "Marseille: 4, 5; 8, 10; 0, 4, 8," in text and "Lisboa: 0, 1; " in text
    assert 400 < len(text.split()) < 1000, "a short one"
    (tmp_path / "mine.toml").write_text(
        MEDITERRANEAN.read_text(encoding="utf-8").replace("start = { is = 20,", "start = { is = 23,"), encoding="utf-8"
    )
    assert "You begin with 23 florins" in digest(load(tmp_path / "mine.toml"))
