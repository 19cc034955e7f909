"""Bad input gets one sentence in the reader's language and exit code 2."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.running import mistake, program, run, surroundings


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["paly"], "There is no command paly; the nearest is play."),
        (["play", "--playrs", "3"], "There is no option --playrs; the nearest is --players."),
        (["rules", "--zzz"], "There is no option --zzz; see elcapitan rules --help."),
        (["replay"], "FILE is missing; see elcapitan replay --help."),
        (["board", "mine.toml"], "mine.toml is more than this command can use; see elcapitan board --help."),
        (["--language", "xx"], "There is no language xx; the languages are en, de, fr."),
        (["rules", "--language"], "--language needs a value; see elcapitan --help."),
        (["play", "--players", "1"], "--players wants a whole number from 2 to 5, not 1."),
        (["play", "--players", "6"], "--players wants a whole number from 2 to 5, not 6."),
        (["play", "--players", "three"], "--players wants a whole number from 2 to 5, not three."),
        (["play", "--players", "3", "--first", "4"], "--first wants a whole number from 1 to 3, not 4."),
        (["play", "--tiles", "Lisbao"], "Lisbao is not a city of the expansion; the nearest is Lisboa."),
        (["play", "--players", "3", "--names", "Anna,Bert"], "Names given: 2; players: 3."),
        (["play", "--resume"], "There is no game that was left unfinished."),
        (["play", "--save", "game.txt"], "game.txt is not a game record: its name must end in .json or .capitan."),
        (["simulate", "--games", "0"], "--games wants a whole number from 1 to 100000000, not 0."),
        (["simulate", "--policy", "clever"], "--policy wants one of uniform, light, not clever."),
        (["simulate", "--format", "xml"], "--format wants one of json, capitan, not xml."),
        (["perft", "--depth", "99"], "--depth wants a whole number from 1 to 12, not 99."),
        (["board", "--file", "missing.toml"], "There is no file missing.toml."),
        (["simulate", "--board", "missing.toml"], "There is no file missing.toml."),
        (["replay", "missing.json"], "There is no file missing.json."),
        (["replay", "game.pgn"], "game.pgn is not a game record: its name must end in .json or .capitan."),
        (["rules", "zzzzz"], "Nothing found in the rules for zzzzz."),
        (["rules", "WARE-99"], "Nothing in the rules is called WARE-99 or contains it; near are WARE-09, "),
    ],
)
def test_one_sentence(words: list[str], sentence: str) -> None:
    assert mistake(*words).startswith(sentence)


@pytest.mark.parametrize("seed", ["-1", "18446744073709551616", "1e3", "", "seven", "٣"])
def test_bad_seeds(seed: str) -> None:
    expected = f"--seed wants a whole number from 0 to 18446744073709551615, not {seed}."
    assert mistake("simulate", "--seed", seed) == expected


def test_a_file_that_is_no_record(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    assert mistake("replay", bad).startswith(f"In {bad}: This is not JSON: ")
    bad.write_bytes(b"\xff\xfe\xfa")
    assert mistake("replay", bad).startswith(f"{bad} cannot be read: ")
    assert mistake("replay", tmp_path / "bad.json").startswith(f"{bad} cannot be read: ")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "--players erwartet eine ganze Zahl von 2 bis 5, nicht 9."),
        ("fr", "--players demande un nombre entier de 2 à 5, pas 9."),
    ],
)
def test_in_the_language_of_the_reader(language: str, sentence: str) -> None:
    assert mistake("play", "--players", "9", "--language", language) == sentence
    assert mistake("--language", language, "play", "--players", "9") == sentence
    assert mistake("play", "--players", "9", ELCAPITAN_LANGUAGE=language) == sentence
    assert mistake("play", "--players", "9", LC_ALL=f"{language}_XX.UTF-8") == sentence


def test_a_mistake_of_the_program_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("elcapitan.cli.look_up.show_chapters", fail)
    result = run("rules")
    assert result.exit_code == 1
    assert result.stderr.startswith("This is a bug in the program, not a mistake of yours (RuntimeError: out of luck)")


def test_the_program_itself_prints_no_traceback() -> None:
    answer = program("replay", "missing.json")
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", "There is no file missing.json.\n")


def test_control_c_leaves_quietly(tmp_path: Path) -> None:
    # Whoever is started in the background ignores Ctrl-C; this game shall not.
    attentive = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{attentive}; from elcapitan.cli.main import main; main()"
    game = subprocess.Popen(
        [sys.executable, "-c", start, "play", "--players", "3", "--seed", "1"],
        env=surroundings({"ELCAPITAN_DATA": str(tmp_path)}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 30
    while not (tmp_path / "unfinished.json").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1)
    game.send_signal(signal.SIGINT)
    _, errors = game.communicate(timeout=30)
    assert (game.returncode, errors.strip()) == (130, "")
