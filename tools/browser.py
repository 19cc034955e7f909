"""The browser for the tests: find Chromium, or install it.

`python tools/browser.py` prints where it is. Nobody looks at it, so the headless shell is preferred: the same engine
without windows around it, for a third less of the machine's time. Where there is none, a package of Debian is installed
if that is possible (as root, or by sudo without a password), else Playwright's own.
"""

import os
import shutil
import subprocess
import sys
from typing import Final

VARIABLE: Final = "CHROMIUM"
NAMES: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PACKAGES: Final = ("chromium-headless-shell", "chromium")  # not everywhere are there both
FONTS: Final = "fonts-dejavu-core"


def find() -> str | None:
    """The path of a Chromium on this machine; Playwright's own is known to Playwright alone."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return chosen
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def own() -> str | None:
    """Playwright's own Chromium, if it was installed."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - slow, and not always needed

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None  # noqa: PTH110 - it is a text


def install() -> None:
    """Install Chromium from where this machine gets its programs."""
    apt = shutil.which("apt-get")
    if apt:
        before = [] if os.geteuid() == 0 else ["sudo", "-n"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        put = [*before, apt, "install", "-q", "-y", "--no-install-recommends", FONTS]
        ready = _works([*before, apt, "update", "-q"], environment)
        if ready and any(_works([*put, package], environment) for package in PACKAGES):
            return
    _works([sys.executable, "-m", "playwright", "install", "chromium"], dict(os.environ))


def _works(command: list[str], environment: dict[str, str]) -> bool:
    """Run a command without its chatter; whether it succeeded."""
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0


def main() -> None:
    """Make sure that there is a browser."""
    path = find() or own()
    if path is None:
        print("Installing Chromium for the tests", flush=True)  # noqa: T201
        install()
        path = find() or own()
    if path is None:
        sys.exit(f"No Chromium can be found or installed; install it, or name one with {VARIABLE}=/path/to/chromium.")
    print(f"Chromium: {path}")  # noqa: T201


if __name__ == "__main__":
    main()
