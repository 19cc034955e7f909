"""A program that fails is named and replaced, and nothing of it is left behind."""

import time
from pathlib import Path

import pytest
from tests.players.bot_programs import command, decide, is_gone, open_handles, seated

from elcapitan.bots.registry import LOWEST
from elcapitan.errors import BadBot, BotFault
from elcapitan.players import external
from elcapitan.players.external import LONGEST_LINE, ExternalProgram
from elcapitan.players.seats import create_seat
from elcapitan.text.catalogue import translator


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs start where the tests are, and leave their numbers there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("sys.exit(3)", "It ended before the game did, with exit code 3."),
        ("raise RuntimeError('overboard')", "It ended before the game did, with exit code 1."),
        ("os.kill(os.getpid(), 9)", "It ended before the game did, with exit code -9."),
        ("say('hello')", "Its answer is not a JSON object: 'hello'."),
        ("say('')", "Its answer is not a JSON object: ''."),
        ("say('[1, 2]')", "Its answer is not a JSON object: '[1, 2]'."),
        ("say('[' * 100_000)", "Its answer is not a JSON object: '[[[[[[[[[[[[...[[[[[[[[[[[[['."),
        ("os.write(1, b'\\xff\\xfe\\n')", "Its answer is not a JSON object: '��'."),
        ("say({'type': 'ready'})", "Its answer is of the type 'ready', not action."),
        ("say({'move': 1})", "Its answer is of the type None, not action."),
        ("say({'type': 'action', 'move': 2, 'choose': 0})", "It answers move 2, but was asked about move 1."),
        ("say({'type': 'action', 'choose': 0})", "It answers move None, but was asked about move 1."),
        ("say({'type': 'action', 'move': True, 'choose': 0})", "It answers move True, but was asked about move 1."),
        ("answer()", "Its answer has neither “choose” nor “do”."),
        ("answer(choose=10)", "It chooses 10, but the list is numbered from 0 to 9."),
        ("answer(choose=-1)", "It chooses -1, but the list is numbered from 0 to 9."),
        ("answer(choose=True)", "It chooses True, but the list is numbered from 0 to 9."),
        ("answer(choose='0')", "It chooses '0', but the list is numbered from 0 to 9."),
        ("answer(do='fortress')", "It answers “fortress”, which is not legal now."),
        ("answer(do='pirate_land', harbour=1)", "It answers “pirate land 1”, which is not legal now."),
        ("answer(do='fly')", "do is 'fly', but must be one of these: buy, sail"),
        ("answer(do='build', site=13, colour='main')", "site is 13, but must be a whole number from 1 to 12."),
        ("answer(do='buy')", "card is missing."),
        (
            "answer(do='pirate', by='cards', to='Tunis', harbour=1, "
            "cards=[{'card': 'Tunis/1', 'as': 'destination', 'to': 'Tunis'}])",
            "by is 'cards', but must be one of these: free, money.",
        ),
        ("os.write(1, b'x' * (2 << 20))", f"It wrote more than {LONGEST_LINE} bytes without a line end."),
        ("say('x' * (2 << 20))", f"It wrote more than {LONGEST_LINE} bytes without a line end."),
    ],
)
def test_a_fault_is_named_and_the_seat_goes_on(here: Path, body: str, sentence: str) -> None:
    handles = open_handles()
    line = command(here, body)
    game, bot = seated(line)
    assert bot.name == "mine" and bot.fault is None
    decide(game, bot)
    assert bot.fault is not None and bot.fault.startswith(f"{line}: {sentence}")
    assert is_gone(here) and open_handles() == handles
    for _ in range(2):
        decide(game, bot)
    assert isinstance(bot.problem, BotFault)
    bot.close()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("sys.exit(0)", "It ended before the game did, with exit code 0."),
        ("say('Welcome!')", "Its answer is not a JSON object: 'Welcome!'."),
        ("say({'type': 'action', 'move': 1, 'choose': 0})", "Its answer is of the type 'action', not ready."),
    ],
)
def test_faults_before_the_first_question(here: Path, body: str, sentence: str) -> None:
    line = command(here, body, greets=False)
    game, bot = seated(line)
    assert bot.fault == f"{line}: {sentence}" and is_gone(here)
    decide(game, bot)
    bot.close()


@pytest.mark.parametrize("line", ["no-such-program", "./no-such-program --fast", "'no such'"])
def test_a_program_that_does_not_exist(line: str) -> None:
    handles = open_handles()
    game, bot = seated(line)
    assert bot.fault == f"{line}: It cannot be started: No such file or directory."
    assert open_handles() == handles
    decide(game, bot)
    bot.close()


def test_a_file_that_is_no_program(here: Path) -> None:
    (here / "mine").write_text("not a program", encoding="utf-8")
    _, bot = seated("./mine")
    assert bot.fault == "./mine: It cannot be started: Permission denied."
    (here / "mine").chmod(0o755)
    _, bot = seated("./mine")
    assert bot.fault == "./mine: It cannot be started: Exec format error."


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        "os.write(1, b'{'); time.sleep(60)",
        "while True: os.write(2, b'x' * 10_000)",
        "while True: time.sleep(0.01); os.write(1, b'x')",
    ],
)
def test_who_does_not_answer_in_time(here: Path, body: str) -> None:
    line = command(here, body)
    game, bot = seated(line, seconds=0.3)
    begun = time.monotonic()
    decide(game, bot)
    assert bot.fault == f"{line}: No answer came within 0.3 s."
    assert time.monotonic() - begun < 5 and is_gone(here)


def test_who_is_not_ready_in_time(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "START_SECONDS", 0.5)
    line = command(here, "time.sleep(60)", greets=False)
    _, bot = seated(line, seconds=0.1)
    assert bot.fault == f"{line}: No answer came within 0.5 s." and is_gone(here)


def test_who_closes_its_output_but_stays(here: Path) -> None:
    game, bot = seated(command(here, "os.close(1); time.sleep(60)"))
    decide(game, bot)
    assert bot.fault is not None and "It closed its output before the game was over." in bot.fault
    assert is_gone(here)


def test_who_complains_is_heard_and_never_blocked(here: Path) -> None:
    body = """
        for number in range(20_000):
            print("complaint", number, file=sys.stderr)
        answer(choose=0)
        question = hear()
        print("\\x1b[31mno\\tmore\\n\\n", file=sys.stderr)
        sys.exit(1)
    """
    game, bot = seated(command(here, body))
    decide(game, bot)
    assert bot.fault is None
    decide(game, bot)
    assert bot.problem is not None
    assert bot.problem.last_words == (*(f"complaint {number}" for number in range(19_996, 20_000)), "[31mnomore")


def test_who_does_not_listen_blocks_nobody(here: Path) -> None:
    body = """
        for move in range(1, 60):
            say({"type": "action", "move": move, "choose": 0})
        time.sleep(60)
    """
    game, bot = seated(command(here, body))
    for _ in range(8):  # questions that fill any pipe
        decide(game, bot)
    begun = time.monotonic()
    bot.close()
    assert time.monotonic() - begun < 5 and is_gone(here)


def test_all_that_a_program_has_started_goes_with_it(here: Path) -> None:
    body = """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        open("child", "w").write(str(child.pid))
        sys.exit(0)
    """
    game, bot = seated(command(here, body), seconds=1.0)
    decide(game, bot)
    assert bot.fault is not None and bot.fault.endswith("No answer came within 1 s.")  # the child could give one
    assert is_gone(here) and is_gone(here, "child")


@pytest.mark.parametrize(("body", "least", "most"), [("hear()", 0.0, 0.9), ("time.sleep(60)", 0.9, 5.0)])
def test_a_program_has_a_second_to_leave(here: Path, body: str, least: float, most: float) -> None:
    handles = open_handles()
    game, bot = seated(command(here, f"answer(choose=0); {body}"))
    decide(game, bot)
    begun = time.monotonic()
    bot.over({"money": [1, 2], "ranks": [2, 1], "winners": [1]})
    bot.close()
    assert least <= time.monotonic() - begun <= most
    assert bot.fault is None and is_gone(here) and open_handles() == handles


def test_the_last_message(here: Path) -> None:
    game, bot = seated(command(here, "answer(choose=0); open('last', 'w').write(sys.stdin.read())"))
    decide(game, bot)
    bot.over({"money": [1, 2], "ranks": [2, 1], "winners": [1]})
    last = '{"type":"over","money":[1,2],"ranks":[2,1],"winners":[1]}\n'
    assert (here / "last").read_text(encoding="utf-8") == last
    bot.close()


def test_ctrl_c_leaves_nothing_behind(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> bytes:
        until = time.monotonic() + 30
        while not (here / "pid").exists() and time.monotonic() < until:
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(ExternalProgram, "ask", interrupt)
    with pytest.raises(KeyboardInterrupt):
        seated(command(here, "time.sleep(60)"))
    assert is_gone(here)


def test_fault_in_any_language(here: Path) -> None:
    _, bot = seated("no-such-program")
    assert bot.problem is not None
    german = bot.problem.sentence(translator("de").text)
    assert german.startswith("no-such-program: Das Programm lässt sich nicht starten: ")


@pytest.mark.parametrize("line", ["", "  ", "'never closed"])
def test_no_command_line(line: str) -> None:
    game, _ = seated("no-such-program")
    with pytest.raises(BadBot, match="is not a command line to start a computer player with"):
        create_seat(f"cmd:{line}", game.setup, 0, game.figures)


def test_levels_are_seated_too() -> None:
    game, _ = seated("no-such-program")
    assert not hasattr(create_seat(LOWEST, game.setup, 0, game.figures), "fault")
    with pytest.raises(BadBot, match="There is no computer player kapitan"):
        create_seat("kapitan", game.setup, 0, game.figures)
