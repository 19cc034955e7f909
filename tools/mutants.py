"""Measure whether the tests notice small changes to the rules.

`python tools/mutants.py TESTS...` changes one operator, constant or condition at a time and runs the tests on it with
interpreted rules. Changes after which they all still pass are tested once more with compiled rules, and listed if those
pass as well. Which changes are tried follows from the seed. The command fails if fewer than 95 % are noticed. The
sources themselves stay as they are: interpreted rules are changed in memory, compiled ones in a copy.

Changes that make no difference to any game are listed in `equivalent_mutants.toml` with the reason, and never tried.
An entry that fits no place in the sources is an error.
"""

import argparse
import importlib
import os
import pickle
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from mutations import Mutation, mutations

ROOT: Final = Path(__file__).parents[1]
EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.toml")
ENGINE: Final = Path("elcapitan", "engine")
FILES: Final = ("rules/*.py", "act.py", "legal_actions.py")  # what is changed, below the engine
LEAST_SHARE: Final = 0.95
TEST_LIMITS: Final = 1, 10  # seconds of CPU time for a test, and times what it takes without a change
SECONDS_COMPILED: Final = 3600  # for compiling and all tests together
BYTES: Final = 8 << 30  # of memory
AT_FIRST: Final = 60  # seconds that a test may take, before that is known
STDOUT: Final = os.dup(1)
RULE_ID: Final = re.compile(r"[A-Z]+-[0-9]+")


class Mutant(NamedTuple):
    """A changed source file."""

    path: Path  # below the folder of sources
    change: Mutation

    def __str__(self) -> str:
        where = f"{self.path.relative_to(ENGINE)}:{self.change.line} {self.change.function}"
        return f"{where}\n    - {self.change.before}\n    + {self.change.after}"


class Entry(NamedTuple):
    """A line of a function whose changes to any of `after` are known to be equivalent."""

    path: Path
    function: str
    before: str
    after: tuple[str, ...]

    def covers(self, mutant: Mutant) -> bool:
        """Whether a mutant is one of these."""
        place = (mutant.path, mutant.change.function, mutant.change.before)
        return place == self[:3] and mutant.change.after in self.after


def population(sources: Path) -> list[Mutant]:
    """List every small change to the rules."""
    paths = [path for pattern in FILES for path in sorted((sources / ENGINE).glob(pattern))]
    return [
        Mutant(path.relative_to(sources), change) for path in paths for change in mutations(path.read_text("utf-8"))
    ]


def entries(file: Path = EQUIVALENT) -> list[Entry]:
    """Read the equivalent changes; each must have a reason."""
    found = []
    for entry in tomllib.loads(file.read_text("utf-8")).get("equivalent", []):
        if not entry["reason"].strip():
            sys.exit(f"{file.name}: {entry['before']!r} has no reason")
        found.append(Entry(ENGINE / entry["file"], entry["function"], entry["before"], tuple(entry["after"])))
    return found


def misfits(mutants: list[Mutant], known: list[Entry]) -> list[str]:
    """List the entries that fit no place in the sources."""
    changes = {(each.path, each.change.function, each.change.before, each.change.after) for each in mutants}
    return [
        f"{entry.path.relative_to(ENGINE)} {entry.function}: {entry.before!r} has no change to {after!r}"
        for entry in known
        for after in entry.after
        if (*entry[:3], after) not in changes
    ]


class Trials:
    """A plugin of pytest that runs the tests it has collected once for each mutant, with interpreted rules.

    Every run is a fork of the process that collected the tests: there the function is given its changed code, and those
    tests that call it run until one fails, first those that are about the same rules.
    """

    def __init__(self, chosen: list[Mutant]) -> None:
        self.chosen = chosen
        self.survivors: list[Mutant] = []
        self.calls: dict[str, set[tuple[str, str]]] = {}  # the functions that each test calls
        self.seconds: dict[str, float] = {}
        self.failed = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a change, then with one change after another."""
        found = in_a_fork(partial(self._look, session.items))
        if isinstance(found, str):
            raise RuntimeError(f"without any change a test fails: {found}")
        self.calls, self.seconds = found
        for number, mutant in enumerate(self.chosen, 1):
            items = self._items_for(mutant, session.items)
            started = time.monotonic()
            failed = in_a_fork(partial(self._try, mutant, items))
            verdict = f"noticed by {failed}" if failed else "SURVIVED"
            if not failed:
                self.survivors.append(mutant)
            say(f"{number:4} {time.monotonic() - started:4.0f} s  {mutant}\n    {verdict}")
        return True

    def _items_for(self, mutant: Mutant, items: list[pytest.Item]) -> list[pytest.Item]:
        """Choose and order the tests that can notice a change."""
        module = _module(mutant)
        function = vars(module).get(mutant.change.function)
        place = (str(module.__file__), mutant.change.function)
        calling = [item for item in items if not function or place in self.calls[item.nodeid]]
        rules = set(RULE_ID.findall(getattr(function, "__doc__", None) or ""))

        def rank(item: pytest.Item) -> tuple[bool, float]:
            about = RULE_ID.findall(getattr(getattr(item, "obj", None), "__doc__", None) or "")
            return rules.isdisjoint(about), self.seconds[item.nodeid]

        return sorted(calling, key=rank)

    def _look(self, items: list[pytest.Item]) -> object:
        """Return which functions each test calls and how long it takes; or which test failed."""
        changed = {str(_module(mutant).__file__) for mutant in self.chosen}
        for item in items:
            called = self.calls[item.nodeid] = set()

            def note(frame: FrameType, _event: str, _argument: object, called: set[tuple[str, str]] = called) -> None:
                if frame.f_code.co_filename in changed:
                    called.add((frame.f_code.co_filename, frame.f_code.co_name))

            started = time.process_time()
            threading.settrace(note)
            sys.settrace(note)
            self._run(item, None)
            sys.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - started
        return self.failed or (self.calls, self.seconds)

    def _try(self, mutant: Mutant, items: list[pytest.Item]) -> str:
        """Make the change and run tests until one fails; return which, or nothing."""
        try:
            put_into_force(mutant)
        except Exception as error:  # too many numbers for the names of constants, say
            return f"every test: the module cannot be imported: {error!r}"
        for item, following in zip(items, [*items[1:], None], strict=False):
            try:
                self._run(item, following)
            except BaseException as error:  # out of memory, say, where pytest does not expect it
                return f"{item.nodeid}: {error!r}"
            if self.failed:
                break
        return self.failed

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """Run a test; the process is ended if it takes too long."""
        seconds, times = TEST_LIMITS
        signal.setitimer(signal.ITIMER_PROF, seconds + times * self.seconds.get(item.nodeid, AT_FIRST))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test failed."""
        if report.failed:
            self.failed = report.nodeid


def in_a_fork(work: Callable[[], Any]) -> Any:
    """Do something in a copy of this process and return the answer; if the copy was ended from outside, say by what."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(work(), pipe)
        except BaseException:
            with os.fdopen(STDOUT, "w") as out:
                traceback.print_exc(file=out)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return "a test that takes too long" if name == "SIGPROF" else name
    if not answer:
        raise RuntimeError("a process that ran tests broke off")
    return pickle.loads(answer)


def put_into_force(mutant: Mutant) -> None:
    """Give the function its changed code; or the module, and all that import from it, their changed constants."""
    module = _module(mutant)
    code = compile(mutant.change.source, str(module.__file__), "exec")
    function = vars(module).get(mutant.change.function)
    if isinstance(function, FunctionType):
        (function.__code__,) = (
            each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == mutant.change.function
        )
        return
    changed = dict(vars(module))
    exec(code, changed)
    for name, old in list(vars(module).items()):
        if isinstance(old, int) and changed[name] != old:
            for path, other in list(sys.modules.items()):
                here = vars(other).get(name) if path.startswith(ENGINE.parts[0]) else None
                if isinstance(here, int) and here == old:
                    setattr(other, name, changed[name])


def _module(mutant: Mutant) -> ModuleType:
    return importlib.import_module(".".join(mutant.path.with_suffix("").parts))


def compiled(mutant: Mutant, tests: list[str]) -> str:
    """Run the tests with compiled rules on a changed copy of the sources; return what failed first, if anything."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        sources = Path(folder, "src")
        shutil.copytree(ROOT / "src", sources)
        (sources / mutant.path).write_text(mutant.change.source, "utf-8")
        options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        environment |= {
            "PYTHONPATH": str(sources),
            "ELCAPITAN_CACHE": str(Path(folder, "cache")),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder, "hypothesis")),
            "NUMBA_BOUNDSCHECK": "1",
        }
        command = [sys.executable, "-m", "pytest", *options, *tests]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS_COMPILED,
            )
        except subprocess.TimeoutExpired:
            return "a test that takes too long"
    if done.returncode > pytest.ExitCode.INTERRUPTED:
        sys.exit(f"pytest ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "" if done.returncode == 0 else " ".join(failed[:1]) or f"a test that ends Python: {done.returncode}"


def say(line: str) -> None:
    """Print a line at once, whatever pytest captures."""
    with os.fdopen(os.dup(STDOUT), "w") as out:
        out.write(f"{line}\n")


def noticed_compiled(mutant: Mutant, tests: list[str]) -> bool:
    """Tell whether the tests notice a mutant with compiled rules."""
    failed = compiled(mutant, tests)
    say(f"compiled: {mutant}\n    {f'noticed by {failed}' if failed else 'SURVIVED'}")
    return bool(failed)


def sample(mutants: list[Mutant], known: list[Entry], seed: int, count: int) -> list[Mutant]:
    """Choose some mutants that are not known to be equivalent. One more entry changes only what it covers."""
    order = random.Random(seed).sample(mutants, len(mutants))
    return [mutant for mutant in order if not any(entry.covers(mutant) for entry in known)][:count]


def interpreted(chosen: list[Mutant], tests: list[str]) -> list[Mutant]:
    """Try mutants one after another with interpreted rules; return those that no test noticed."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        os.environ |= {
            "NUMBA_DISABLE_JIT": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # none is needed, and some take seconds to load
            "HYPOTHESIS_STORAGE_DIRECTORY": folder,
        }
        trials = Trials(chosen)
        options = ["-q", "-p", "no:cacheprovider", "-m", "not compiled"]
        options += ["-o", "faulthandler_timeout=0"]  # CPU time is limited instead: others may be using the machine
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what pytest says; `say` writes to the real one
        code = pytest.main([*options, *tests], plugins=[trials])
        os.dup2(STDOUT, 1)
    if code != pytest.ExitCode.OK:
        sys.exit(f"pytest ended with {code!r}")
    return trials.survivors


def main() -> None:
    """Measure the share of changes that the tests notice."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tests", nargs="+", help="files and folders of tests")
    parser.add_argument("--seed", type=int, default=1, help="another seed tries other changes")
    parser.add_argument("--count", type=int, default=200, help="how many changes to try")
    parser.add_argument("--only", default="", help="change only files whose path contains this")
    parser.add_argument("--interpreted", action="store_true", help="do not test survivors with compiled rules")
    given = parser.parse_args()

    everything, known = population(ROOT / "src"), entries()
    wrong = misfits(everything, known)
    if wrong:
        sys.exit("\n".join([f"{EQUIVALENT.name}:", *wrong]))
    chosen = sample([each for each in everything if given.only in str(each.path)], known, given.seed, given.count)
    equivalent = sum(any(entry.covers(mutant) for entry in known) for mutant in everything)
    say(f"{len(everything)} changes, {equivalent} of them equivalent; {len(chosen)} tried, seed {given.seed}")
    survivors = interpreted(chosen, given.tests)
    if not given.interpreted:
        survivors = [mutant for mutant in survivors if not noticed_compiled(mutant, given.tests)]
    share = 1 - len(survivors) / max(1, len(chosen))
    say(f"\n{len(chosen) - len(survivors)} of {len(chosen)} changes noticed ({share:.1%})")
    for mutant in survivors:
        say(f"survived: {mutant}")
    if share < LEAST_SHARE:
        sys.exit(f"At least {LEAST_SHARE:.0%} must be noticed.")


if __name__ == "__main__":
    main()
