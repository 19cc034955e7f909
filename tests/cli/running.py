"""Running commands in the tests' own process and as programs of their own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from typer.testing import CliRunner, Result

from elcapitan.cli.main import app

ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "ELCAPITAN_LANGUAGE": "",
    "ELCAPITAN_DEBUG": "",
    "COLUMNS": "100",
    "LINES": "30",
    "NO_COLOR": "1",
}


def run(*words: str | Path, keys: str | None = None, **environment: str) -> Result:
    """Run a command line here."""
    return CliRunner().invoke(app, [str(word) for word in words], input=keys, env={**ENVIRONMENT, **environment})


def output(*words: str | Path, keys: str | None = None, **environment: str) -> str:
    """What a command prints that goes well."""
    result = run(*words, keys=keys, **environment)
    assert result.exit_code == 0, result.output
    return result.stdout


def flat(page: str) -> str:
    """A page as one line, however it was broken."""
    return " ".join(page.split())


def mistake(*words: str | Path, keys: str | None = None, **environment: str) -> str:
    """The one sentence that a bad command line gets."""
    result = run(*words, keys=keys, **environment)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    sentence = result.stderr.removesuffix("\n")
    assert sentence.count("\n") == 0
    assert sentence.endswith((".", "]")) and "Traceback" not in sentence
    return sentence


def program(*words: str | Path, keys: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command line as a program of its own."""
    return subprocess.run(
        command(*words), input=keys, env=surroundings(environment), capture_output=True, text=True, check=False
    )


def command(*words: str | Path) -> list[str]:
    """The program's words."""
    return [sys.executable, "-m", "elcapitan", *(str(word) for word in words)]


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program."""
    source = str(Path(__file__).resolve().parents[2] / "src")
    return {**os.environ, **ENVIRONMENT, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8", **environment}
