"""Files for those who host games: what they say to the program, it understands."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from elcapitan.cli.main import app
from elcapitan.cli.serve_options import ADMIN_VARIABLE, limits_of
from elcapitan.store.location import DATABASE_VARIABLE, FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parents[1]
FILES = ("Dockerfile", "compose.yaml", "deploy/elcapitan.service", "deploy/elcapitan-worker.service")
PAGES = ("docs/hosting.md", "deploy/nginx.conf", "deploy/Caddyfile")


def options(command: str) -> set[str]:
    """The options that a command of ours has."""
    group: Any = typer.main.get_command(app)
    for word in command.split():
        group = group.get_command(None, word)
    return {name for parameter in group.params for name in (*parameter.opts, *parameter.secondary_opts)}


def text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def used(command: str, content: str) -> set[str]:
    """The options given to a command in lines of a shell, of a unit, or in a list."""
    content = content.replace("\\\n", " ")
    lines = re.findall(rf"elcapitan {command}\b([^\n`|#]*)", content)
    return {option for line in lines for option in re.findall(r"(?<!\S)(--[a-z-]+)", line)}


@pytest.mark.parametrize("command", ["serve", "worker", "verify", "games backup", "games export"])
def test_only_options_that_there_are(command: str) -> None:
    known = options(command)
    for file in (*FILES, *PAGES, "README.md"):
        assert used(command, text(file)) <= known, file


def test_the_lists_of_containers_too() -> None:
    listed = re.search(r"command:\n((?:      - \S.*\n)+)", text("compose.yaml"))
    assert listed
    words = re.findall(r"- (\S+)", listed[1])
    assert words[0] == "serve" and len(words) > 4
    assert {word.partition("=")[0] for word in words[1:]} <= options("serve")
    worker = re.search(r"command: \[worker, (.*)\]", text("compose.yaml"))
    assert worker and {word.strip('"').partition("=")[0] for word in worker[1].split(", ")} <= options("worker")
    image = re.search(r"CMD \[\"serve\", (.*)\]", text("Dockerfile"))
    assert image and set(re.findall(r"--[a-z-]+", image[1])) <= options("serve")


def test_variables_are_called_as_the_program_calls_them() -> None:
    known = {ADMIN_VARIABLE, DATABASE_VARIABLE, FOLDER_VARIABLE, "ELCAPITAN_CACHE"}
    own = {"ELCAPITAN_SITE", "ELCAPITAN_UPSTREAM"}  # of the proxy
    for file in (*FILES, *PAGES, "deploy/example.env"):
        assert set(re.findall(r"ELCAPITAN_[A-Z_]+", text(file))) <= known | own, file


def test_a_container_is_made_of_what_is_there() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \./?\S*$", text("Dockerfile"), re.MULTILINE)
    allowed = set(re.findall(r"^!(\S+)$", text(".dockerignore"), re.MULTILINE))
    for name in " ".join(copied).split():
        assert (ROOT / name).exists() or name == "requirements-server.lock"
        assert name in allowed
    assert "USER elcapitan" in text("Dockerfile") and "HEALTHCHECK" in text("Dockerfile")
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert "postgres" in tomllib.load(file)["project"]["optional-dependencies"]


def test_limits_are_as_the_page_says() -> None:
    usual = limits_of("")
    assert usual
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", text("docs/threat-model.md"), re.MULTILINE))
    assert {name: int(value) for name, value in rows.items()} == {
        name: int(getattr(usual, name)) for name in usual.__slots__
    }


def test_units_forbid_no_compiled_rules() -> None:
    for unit in FILES[2:]:
        assert not re.search(r"^MemoryDenyWriteExecute", text(unit), re.MULTILINE)
        assert "NoNewPrivileges=yes" in text(unit) and "ProtectSystem=strict" in text(unit)
