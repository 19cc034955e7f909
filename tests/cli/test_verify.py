"""`elcapitan verify`: what it prints, and its exit code."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output, run
from tests.playing import random_game

from elcapitan.cli.record_files import write_text
from elcapitan.game.game import Game
from elcapitan.records import shuffles
from elcapitan.records.capitan import to_capitan
from elcapitan.records.json_record import to_json
from elcapitan.records.shuffles import Promise, promise

SALT = "0f" * 16
PROMISE = promise(0, 5, SALT)


def written(folder: Path, form: str, game: Game, *promises: Promise) -> Path:
    file = folder / f"evening.{form}"
    content = json.dumps(to_json(game, shuffles=promises)) if form == "json" else to_capitan(game, None, promises)
    write_text(file, content)
    return file


def unproved(*words: str | Path, **environment: str) -> str:
    result = run("verify", *words, **environment)
    assert (result.exit_code, result.stderr) == (1, ""), result.output
    return flat(result.stdout)


@pytest.mark.parametrize("form", ["json", "capitan"])
def test_a_fair_game(tmp_path: Path, form: str) -> None:
    game = random_game(3, seed=5)
    file = written(tmp_path, form, game, PROMISE)
    page = flat(output("verify", file, "--commitment", PROMISE.commitment[:12]))
    assert page.startswith("Every card came as it was shuffled.")
    assert f"secret and salt make the hash {PROMISE.commitment}." in page
    found = json.loads(output("verify", file, "--json"))
    assert (found["verdict"], found["fair"], found["cards"]) == ("fair", True, found["checked"])
    assert f"{found['checked']} of {found['cards']} cards were compared with what the shuffle brings." in page
    assert found["shuffles"] == [{"at": 0, "scheme": "seed", "commitment": PROMISE.commitment, "holds": True}]
    assert found["first_by_lot"] is True and f"Seat {game.setup.first + 1} begins, as drawn by lot." in page


@pytest.mark.parametrize("form", ["json", "capitan"])
def test_a_game_with_a_key(tmp_path: Path, form: str) -> None:
    game, key = Game.bare(3, first=0), "0123456789abcdef" * 4
    deal = shuffles.opening(key)
    game.deal(deal.destination, deal.link)
    file = written(tmp_path, form, game, promise(0, key, SALT))
    page = flat(output("verify", file))
    assert page.startswith("Every card came as it was shuffled.") and "secret and salt make the hash" in page
    found = json.loads(output("verify", file, "--json"))
    assert (found["verdict"], found["cards"], found["shuffles"][0]["scheme"]) == ("fair", 10, "hmac-sha256")
    file = written(tmp_path, form, game, promise(0, key[::-1], SALT))
    assert json.loads(unproved(file, "--json"))["verdict"] == "other-cards"


@pytest.mark.parametrize("form", ["json", "capitan"])
def test_another_seed(tmp_path: Path, form: str) -> None:
    file = written(tmp_path, form, random_game(3, seed=6), PROMISE)
    assert unproved(file).startswith("Event 0 brings ")
    found = json.loads(unproved(file, "--json"))
    assert (found["verdict"], found["fair"], found["event"]) == ("other-cards", False, 0)
    assert found["found"] != found["wanted"]


def test_another_salt(tmp_path: Path) -> None:
    file = written(tmp_path, "json", random_game(3, seed=5), replace(PROMISE, salt="00" * 16))
    page = unproved(file)
    assert page.startswith("Secret and salt of the shuffle after event 0 do not make its hash.")
    assert json.loads(unproved(file, "--json"))["shuffles"][0]["holds"] is False


def test_a_game_that_is_not_over(tmp_path: Path) -> None:
    file = written(tmp_path, "capitan", random_game(3, seed=5, most=9), PROMISE.untold())
    page = unproved(file)
    assert page.startswith("The hash is there, but not what is behind it") and PROMISE.commitment in page
    assert json.loads(unproved(file, "--json"))["verdict"] == "sealed"


def test_a_game_that_tells_nothing(tmp_path: Path) -> None:
    file = written(tmp_path, "json", random_game(3, seed=5, most=9))
    assert unproved(file).startswith("Nothing tells how these cards were shuffled")
    assert json.loads(unproved(file, "--json"))["verdict"] == "unknown"


def test_a_game_with_cards_from_before(tmp_path: Path) -> None:
    game = random_game(3, seed=5, most=30)
    while game.stage != "start":
        game.play(game.legal()[0])
    at = len(game.events)
    game.shuffle(77)
    while not game.over:
        game.play(game.legal()[0])
    file = written(tmp_path, "json", game, promise(at, 77, SALT))
    assert unproved(file).startswith("Since the first shuffle every card came as it was shuffled")
    assert json.loads(unproved(file, "--json"))["verdict"] == "partly"


def test_the_hash_that_was_seen_is_another(tmp_path: Path) -> None:
    file = written(tmp_path, "json", random_game(3, seed=5), PROMISE)
    page = unproved(file, "--commitment", "0123456789")
    assert page.endswith("The hash you saw at the table is not that of this record.")
    assert json.loads(unproved(file, "--commitment", "0123456789", "--json"))["fair"] is False


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert "no file" in mistake("verify", tmp_path / "nothing.json").lower()
    assert mistake("verify", tmp_path / "game.txt").endswith("its name must end in .json or .capitan.")
    file = written(tmp_path, "json", random_game(3, seed=5, most=9), PROMISE)
    write_text(file, file.read_text().replace(SALT, "salty"))
    assert "does not tell how cards were shuffled" in mistake("verify", file)
    assert mistake("verify", file, "--commitment", "abc").startswith("--commitment wants 8 to 64 digits of a hash")
    assert mistake("verify", file, "--commitment", "x" * 64).startswith("--commitment wants 8 to 64 digits of a hash")
