"""A compiler of the rules that waits for permission before it names each kernel, and compiles nothing.

The rules are compiled before tests begin. What a server does meanwhile is tested with this in the compiler's place.
"""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

NAMES = ("first", "second")
FAIL = "fail"
PAUSE = 0.01  # seconds


class SlowCompiler:
    """Decides how far the compiler gets, by files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def command(self) -> tuple[str, ...]:
        """What to start in the place of the real compiler."""
        return (sys.executable, __file__, str(self._folder))

    def allow(self, *names: str) -> None:
        """Let it compile some kernels."""
        for name in names:
            (self._folder / name).touch()

    def finish(self) -> None:
        """Let it compile everything."""
        self.allow(*NAMES)

    def fail(self) -> None:
        """Let it fail."""
        self.allow(FAIL)


def replace_compiler(folder: Path, monkeypatch: "pytest.MonkeyPatch") -> SlowCompiler:
    """Let servers believe that the rules are not compiled, and start a slow compiler."""
    slow = SlowCompiler(folder)
    monkeypatch.setattr("elcapitan.engine.warm_up.is_ready", lambda: False)
    monkeypatch.setattr("elcapitan.service.compiled_rules.COMPILER", slow.command)
    return slow


def main(folder: Path) -> int:
    for name in NAMES:
        while not (folder / name).exists():
            if (folder / FAIL).exists():
                sys.stderr.write("No memory left for kernels.\n")
                return 1
            time.sleep(PAUSE)
        print(name, flush=True)  # noqa: T201 - read by the server
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
