"""Games at the terminal against computer players, played by scripts."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from importlib import resources
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.cli.running import flat, mistake, output, surroundings
from tests.playing import random_game

from elcapitan.bots.registry import LEVELS
from elcapitan.cli import record_files
from elcapitan.cli.command_line import Terminal
from elcapitan.cli.play import answered, read_players, resumed
from elcapitan.players import python_players
from elcapitan.players import seats as crew
from elcapitan.records import json_record as record

START = ("play", "--seats", "human,wanderer,wanderer", "--seed", "3", "--first", "1")
FIRST_TURN = "buy Marseille/3\nsail Marseille/3\nbuild 2\nend\n"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # what moves and colours in a terminal
ROOT = Path(__file__).resolve().parents[2]
CHEAPEST = f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'bots' / 'cheapest.py')])}"


def test_the_others_move_by_themselves() -> None:
    page = output(*START, keys=FIRST_TURN)
    assert "R Red  Y Yellow (wanderer)  G Green (wanderer)" in page
    story = page.partition("- Red ends the turn.")[2]
    for who in ("Yellow", "Green"):
        assert f"- {who} buys" in story and f"- {who} sails to" in story and f"- {who} builds" in story
    assert "ends the turn" not in story and "takes harbour" not in story and story.count("New for sale") == 1
    assert story.count("El Capitán   phase 1 of 3   round 2") == 1
    assert "Red: build in Marseille" in story


def test_a_seed_decides_what_they_do() -> None:
    assert output(*START, keys=FIRST_TURN) == output(*START, keys=FIRST_TURN)


def test_undo_stays_within_the_own_turn() -> None:
    page = output(*START, keys=FIRST_TURN + "undo\nundo turn\n1\nundo\n")
    assert page.count("this cannot be undone.") + page.count("There is nothing to undo in this turn") == 2
    assert page.count("Undone.") == 1
    assert "round 2" in page and "Red: build in Marseille" in page.rpartition("Undone.")[2]


def late(tmp_path: Path) -> Path:
    """A record of a game that is nearly over."""
    content = record.to_json(random_game(2, seed=4))
    del content["result"]
    content["events"] = content["events"][:-12]
    while "reveal" in content["events"][-1]:
        content["events"].pop()
    file = tmp_path / "late.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_a_game_without_people_plays_through(tmp_path: Path, own_data: Path) -> None:
    page = output("play", late(tmp_path), "--seats", f"wanderer,{CHEAPEST}", COLUMNS="200")
    assert "R Red (wanderer)  Y Yellow (cheapest)" in page and "Choose by typing" not in page
    deeds = [line for line in page.splitlines() if line.startswith("- 3.")]
    assert deeds and not any(" buys " in line or " ends the turn" in line for line in deeds)
    assert "Payday 3" in page and "Rank  Merchant  Money" in page
    assert not (own_data / "unfinished.json").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seats", "human,wanderer", "--players", "3"], "Seats in --seats: 2; in --players: 3."),
        (["--seats", "human"], "1 is not a number of players: two to five can play."),
        (["--seats", ",".join(["human"] * 6)], "6 is not a number of players: two to five can play."),
        (["--seats", ""], "0 is not a number of players: two to five can play."),
        (["--seats", "human,kapitan"], "There is no computer player kapitan; there are wanderer"),
        (["--seats", "human,cmd:"], "'' is not a command line to start a computer player with."),
        (["--seats", "human,cmd:'x"], '"\'x" is not a command line to start a computer player with.'),
        (["--seats", "human,wanderer", "--names", "Ana"], "Names given: 1; players: 2."),
        (["--seats", "human,wanderer", "--first", "3"], "--first wants a whole number from 1 to 2, not 3."),
        (["--bot-seconds", "0"], "--bot-seconds wants a whole number from 1 to 3600, not 0."),
    ],
)
def test_mistakes_in_seats(words: list[str], sentence: str) -> None:
    assert mistake("play", *words).startswith(sentence)


def test_hint() -> None:
    page = output(*START, keys="hint\nhelp\nquit\n")
    assert "What the champion would do:" in page and "asks a computer player what it would do" in page
    number, group, card = page.partition("would do:")[2].split()[:3]
    assert group == "Buy"
    assert f"- Red buys {card} " in output(*START, keys=f"{number.rstrip(')')}\n")


@pytest.mark.parametrize(("language", "word", "title"), [("de", "tipp", "tun:"), ("fr", "conseil", "Ce que ferait un")])
def test_hint_in_other_languages(language: str, word: str, title: str) -> None:
    assert title in output(*START, "--language", language, keys=f"{word}\n")


def test_seats_are_kept_and_resumed(tmp_path: Path, own_data: Path) -> None:
    files = [tmp_path / "evening.json", tmp_path / "evening.capitan"]
    saving = "".join(f"save {file}\n" for file in files)
    output(*START, "--names", "Ana,Bot,Bob", keys=FIRST_TURN + saving + "quit\n")
    assert json.loads(files[0].read_text(encoding="utf-8"))["seats"] == ["human", "wanderer", "wanderer"]
    assert '[Seats "human, wanderer, wanderer"]' in files[1].read_text(encoding="utf-8")
    again = output("play", "--resume", keys="loan 10\n")
    assert "R Ana  Y Bot (wanderer)  G Bob (wanderer)" in again and "- Bob" in again
    for file in files:
        page = output("play", file, keys="")
        assert "R Red  Y Yellow (wanderer)  G Green (wanderer)" in page
        assert "not finished" in output("replay", file)
    changed = output("play", files[0], "--seats", "wanderer,human,wanderer", keys="")
    assert "Y Yellow: " not in changed and "R Red (wanderer)  Y Yellow  G Green (wanderer)" in changed
    assert mistake("play", files[0], "--seats", "human,wanderer") == ("Seats in --seats: 2; merchants in this game: 3.")


def test_games_kept_earlier_are_all_human(own_data: Path) -> None:
    output("play", "--players", "3", "--seed", "3", keys="quit\n")
    table = own_data / "unfinished-table.json"
    table.write_text('{"names": ["A", "B", "C"], "board": null}', encoding="utf-8")
    assert "R A  Y B  G C" in output("play", "--resume", keys="")
    table.write_text('{"names": [], "board": null, "seats": ["wanderer"]}', encoding="utf-8")
    game, seated = resumed(None, None, None)
    assert seated == record_files.TableSetup() and game.players == 3


def test_a_strangers_file_starts_no_program(tmp_path: Path) -> None:
    started = tmp_path / "started"
    seats = f"human,cmd:touch {started},wanderer"
    file = tmp_path / "evening.json"
    output("play", "--seats", seats, "--seed", "3", "--first", "1", keys=f"save {file}\nquit\n")
    started.unlink()
    sentence = mistake("play", file)
    assert sentence.startswith(f"In {file} a seat is played by the program cmd:touch") and not started.exists()
    assert "Yellow (wanderer)" in output("play", file, "--seats", "human,wanderer,wanderer", keys="")


MINE = """
from pathlib import Path
Path("loaded").touch()
class Mine:
    def choose(self, decision):
        return decision.actions[0]
"""


def test_a_strangers_file_loads_no_python_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "strange_mine.py").write_text(MINE, encoding="utf-8")
    file = tmp_path / "evening.json"
    output("play", "--players", "2", "--seed", "3", "--save", file, keys="")
    seats = '"seats": ["human", "py:strange_mine:Mine"], "events"'
    file.write_text(file.read_text(encoding="utf-8").replace('"events"', seats), "utf-8")
    sentence = mistake("play", file)
    assert sentence.startswith(f"In {file} a seat is played by the program py:strange_mine:Mine: give --seats")
    assert not (tmp_path / "loaded").exists()
    page = output("play", file, "--seats", "human,py:strange_mine:Mine", keys="")
    assert "py:strange_mine:Mine" in page and (tmp_path / "loaded").exists()


@pytest.mark.parametrize("content", ['"human"', "[1, 2, 3]"])
def test_a_record_with_strange_seats_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "strange.json"
    output("play", "--players", "3", "--seed", "3", "--save", file, keys="")
    file.write_text(file.read_text(encoding="utf-8").replace('"events"', f'"seats": {content}, "events"'), "utf-8")
    assert mistake("replay", file).startswith(f"In {file}: seats must be a list, not ")


def test_players_of_installed_packages_are_listed_and_play(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("[last]", "tests.players.python_players:Last", python_players.GROUP)
    monkeypatch.setattr(python_players, "registered", lambda: {"[last]": point, "captain": point})
    page = output("bots")
    assert page.splitlines()[-1].startswith("[last] ") and page.count("captain ") == 1
    assert "From an installed package: tests.players.python_players:Last." in page
    assert "Red ([last])" in output("play", "--seats", "[last],human", "--seed", "3", "--first", "1", keys="")


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    page = flat(output("play", "--seats", "human,cmd:no-such-bot", "--seed", "3", "--first", "2", keys=""))
    assert "- no-such-bot: It cannot be started: No such file or directory." in page
    assert "From now on the wanderer plays for Yellow." in page
    assert "- Yellow builds" in page and "Red: buy a destination card" in page


def test_last_words_are_shown(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("import sys\nsys.exit('I feel [bold]sick')\n", encoding="utf-8")
    page = output("play", "--seats", f"human,cmd:{sys.executable} {script}", "--seed", "3", "--first", "1", keys="")
    assert "It ended before the game did, with exit code 1." in flat(page) and "| I feel [bold]sick" in page


def test_a_file_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    thief = tmp_path / "thief.py"
    ready = 'input()\nprint(\'{"type": "ready"}\', flush=True)\ninput()\n'
    thief.write_text(f"{ready}import shutil\nshutil.rmtree({str(folder)!r})\n", encoding="utf-8")
    words = ("--seats", f"human,cmd:{sys.executable} {thief}", "--seed", "3", "--first", "2")
    page = flat(output("play", *words, "--save", folder / "game.json", keys=""))
    assert page.count("cannot be written") > 2 and "Red: buy a destination card" in page


def test_control_c_while_a_program_thinks(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        'import os, sys, time\nsys.stdin.readline()\nprint(\'{"type": "ready"}\', flush=True)\n'
        f"sys.stdin.readline()\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n",
        encoding="utf-8",
    )
    attentive = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{attentive}; from elcapitan.cli.main import main; main()"
    seats = f"cmd:{sys.executable} {slow},human"
    game = subprocess.Popen(
        [sys.executable, "-c", start, "play", "--seats", seats, "--first", "1", "--bot-seconds", "60"],
        env=surroundings({"ELCAPITAN_DATA": str(tmp_path)}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not (tmp_path / "pid").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.2)
    game.send_signal(signal.SIGINT)
    _, errors = game.communicate(timeout=30)
    assert (game.returncode, errors.strip()) == (130, "")
    assert json.loads((tmp_path / "unfinished-table.json").read_text(encoding="utf-8"))["seats"] == seats.split(",")
    assert (tmp_path / "unfinished.json").exists() and not list(tmp_path.glob(".unfinished*"))
    number = (tmp_path / "pid").read_text(encoding="utf-8")
    assert not subprocess.run(["ps", "-o", "stat=", "-p", number], capture_output=True, check=False).stdout.strip()


def in_terminal(script: list[tuple[str, str]], *words: str, data: Path) -> str:
    """Play in a window of 80 columns and 24 lines: whenever a text has appeared, type an answer; all that was shown."""
    ours, theirs = pty.openpty()
    environment = surroundings({"ELCAPITAN_DATA": str(data), "COLUMNS": "80", "LINES": "24", "TERM": "xterm"})
    game = subprocess.Popen(
        [sys.executable, "-m", "elcapitan", *words],
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    content, seen, read, until = b"", "", 0, time.monotonic() + 60
    try:
        for text, answer in script:
            while text not in seen[read:]:
                assert time.monotonic() < until and select.select([ours], [], [], 30)[0], f"no {text!r} in {seen}"
                content += os.read(ours, 65536)
                seen = CODES.sub("", content.decode(errors="replace").replace("\r\n", "\n"))
            read = seen.index(text, read) + len(text)
            os.write(ours, answer.encode())
        game.wait(30)
    finally:
        game.kill()
        game.wait()
        os.close(ours)
    return seen


def test_a_newcomer_in_a_window(own_data: Path) -> None:
    seen = in_terminal(
        [
            ("How many merchants", "3\n"),
            ("are played by people", "x\n"),
            ("Enter a whole number from 0 to 3.", ""),
            ("are played by people", "\n"),
            *([("Who plays the others", "wanderer\n")] if len(LEVELS) > 1 else []),
            ("Add Porto", "\n"),
            ("Press Enter to go on.", "\n"),
            ("is thinking", ""),
            ("Press Enter to go on.", "\n"),
            ("El Capitán   phase 1 of 3", "hint\n"),
            ("would do:", "quit\n"),
            ("Save to which file?", "\n"),
            ("The game is saved.", ""),
        ],
        "play",
        "--seed",
        "3",
        "--first",
        "2",
        data=own_data,
    )
    assert "Y Yellow (wanderer)" in seen and "builds a" in seen
    assert json.loads((own_data / "unfinished-table.json").read_text(encoding="utf-8"))["seats"][0] == "human"


def test_questions_before_a_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["six", "", "captain?", "wanderer"])
    monkeypatch.setattr("builtins.input", lambda *_: next(answers))
    screen = Terminal()
    assert answered(screen, "How many?", "4", read_players) == 4
    assert answered(screen, "Who?", "wanderer", lambda word: crew.level_called(word, screen.translator)) == "wanderer"
    told = capsys.readouterr().out
    assert "Enter a whole number from 2 to 5." in told and "There is no computer player captain?" in flat(told)


def test_the_greeting_says_who_was_not_trained_for_the_board(tmp_path: Path) -> None:
    packaged = (resources.files("elcapitan") / "data" / "mediterranean.toml").read_text(encoding="utf-8")
    rich = tmp_path / "rich.toml"
    rich.write_text(packaged.replace("start = { is = 20", "start = { is = 90"), encoding="utf-8")
    note = "The champion was not trained for this board and plays like the admiral."
    words = ("play", "--seats", "human,champion,champion", "--seed", "3", "--first", "1")
    assert flat(output(*words, "--board", rich, keys="")).count(note) == 1
    assert "What the admiral would do:" in output(*words, "--board", rich, keys="hint\n")
    assert note not in flat(output(*words, keys=""))
    assert "not trained" not in flat(output(*START, "--board", rich, keys=""))
