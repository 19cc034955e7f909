"""Little programs that play badly, or not at all, and games to put them into."""

import os
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

from elcapitan.bots.bot import View
from elcapitan.engine.rng import generator
from elcapitan.game.game import Game
from elcapitan.players.external import ProgramBot

SECONDS = 30.0  # enough on any machine
READY = '{"type": "ready", "name": "mine"}'
# What every little program begins with: it leaves its number, and can read and answer.
HEAD = """
import json, os, subprocess, sys, time
open("pid", "w").write(str(os.getpid()))
def hear():
    return json.loads(sys.stdin.readline() or "{}")
def say(line):
    print(line if isinstance(line, str) else json.dumps(line), flush=True)
def answer(**choice):
    say({"type": "action", "move": question["move"], **choice})
"""
GREETING = f"""
hear()
say('{READY}')
question = hear()
"""


def command(folder: Path, body: str, *, greets: bool = True) -> str:
    """The command line of a new little program; one that greets has read the first question already."""
    script = folder / "mine.py"
    script.write_text(HEAD + (GREETING if greets else "") + textwrap.dedent(body), encoding="utf-8")
    return shlex.join([sys.executable, "-I", str(script)])


def seated(line: str, seconds: float = SECONDS) -> tuple[Game, ProgramBot]:
    """A game and a program in the seat that begins."""
    game = Game.new(2, first=0, seed=1)
    return game, ProgramBot(line, game.setup, 0, game.figures, seconds)


def decide(game: Game, bot: ProgramBot) -> int:
    """One decision, carried out."""
    assert game.seat is not None
    view = View(game.view_for(game.seat), game.figures.boards)
    action = bot.choose(view, game.legal(), generator(1))
    game.play(action)
    return action


def is_gone(folder: Path, name: str = "pid") -> bool:
    """Whether the program that left its number there has ended, and nobody but the system waits for it."""
    number = (folder / name).read_text(encoding="utf-8")
    states = subprocess.run(["ps", "-o", "stat=", "-p", number], capture_output=True, text=True, check=False).stdout
    return not states.strip() or (name != "pid" and states.strip().startswith("Z"))


def open_handles() -> int:
    """How many files and pipes this process has open."""
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - a name of a folder that is no real one
