"""Every command has a help that reads well, in three languages, and the program answers at once."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.running import output, program, surroundings

from elcapitan.text.catalogue import LANGUAGES

KEY_PHRASES = {
    "play": (
        "with friends at one keyboard or against the computer",
        "--seats",
        "--resume",
        "--buy-before-loan",
        "--pirate-before-loan",
        "two to five",
    ),
    "rules": ("by name (WARE-07, G-06, EX-12)", "words that must all occur"),
    "replay": ("every action must be legal", "--at N", "--moves"),
    "arena": ("one A against three B", "--bots BOTS", "rounded up to whole deals", "--cluster ADDRESS"),
    "ladder": ("two kinds at a time", "--submissions FILE", "--results FILE", "--minutes N"),
    "study": ("against their like", "economy"),
    "simulate": ("random players", "--policy uniform|light", "[default: 100]", "--trace"),
    "board": ("provenance", "--file FILE"),
    "perft": ("depth by depth", "--split"),
    "bench": ("on this machine", "--seconds N"),
    "warm-up": ("once after an installation",),
}


def test_help_of_the_program_lists_every_command() -> None:
    page = output("--help")
    assert "Usage: elcapitan [OPTIONS] COMMAND [ARGS]..." in page
    assert "elcapitan serve" in page
    for command in KEY_PHRASES:
        line = next(line for line in page.splitlines() if line.startswith(f"  {command} "))
        assert line.endswith("."), "a short help is one whole sentence"


def test_no_command_shows_the_help() -> None:
    assert output() == output("--help")


@pytest.mark.parametrize("command", KEY_PHRASES)
def test_help_of_a_command(command: str) -> None:
    page = " ".join(output(command, "--help").split())
    for phrase in KEY_PHRASES[command]:
        assert phrase in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", KEY_PHRASES)
def test_help_in_every_language(command: str, language: str) -> None:
    page = output(command, "--help", "--language", language)
    assert {"en": "Usage:", "de": "Aufruf:", "fr": "Usage\N{NO-BREAK SPACE}:"}[language] in page
    assert ("Options:" in page) == (language == "en")


def test_version() -> None:
    assert output("--version").startswith("elcapitan")


def test_help_answers_at_once() -> None:
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        answer = program("--help")
        times.append(time.perf_counter() - begun)
        assert answer.returncode == 0 and "numba" not in answer.stdout
    assert min(times) < 1.0, "0.3 s on a quiet machine; something heavy is imported"


def test_the_page_of_commands_is_up_to_date() -> None:
    words = [sys.executable, "-m", "typer", "elcapitan.cli.main", "utils", "docs", "--name", "elcapitan"]
    answer = subprocess.run(words, env=surroundings({}), capture_output=True, text=True, check=True)
    page = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
    assert page.read_text(encoding="utf-8").strip() == answer.stdout.strip(), "run: make docs"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom elcapitan.cli.main import app\n"
        "try:\n app(['--help'])\nexcept SystemExit:\n pass\n"
        "print(sorted({'numba', 'numpy', 'babel', 'rich'} & set(sys.modules)))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], env=surroundings({}), capture_output=True, text=True, check=True
    )
    assert answer.stdout.splitlines()[-1] == "[]"
