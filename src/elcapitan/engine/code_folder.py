"""The folder of compiled code, named by a digest of all sources that are compiled.

A changed rule finds an empty folder and is compiled anew, so what is there cannot be stale.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import llvmlite

COMPILED_SOURCES = Path(__file__).resolve().parent  # rules and kernels live in this package and nowhere else
FORGET_AFTER_DAYS = 30
# Settings of Numba that change what it makes of a source.
SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT", "ELCAPITAN_PLAIN_NUMBA")


def source_digest(package: Path = COMPILED_SOURCES) -> str:
    """A digest of everything that compiled code depends on: sources, where and when they were written, versions.

    Place and time belong to it because Numba compiles again for a source that was moved or touched.
    """
    digest = hashlib.sha256(str(package).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()} {path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    settings = [os.environ.get(name, "") for name in SETTINGS]
    digest.update(f"{version('numba')} {llvmlite.__version__} {settings} {sys.version}".encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder of all compiled engines: ELCAPITAN_CACHE, or the user's cache folder."""
    chosen = os.environ.get("ELCAPITAN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "elcapitan"


def cache_folder() -> Path:
    """This version's folder, writable; a temporary one, with a warning, where the usual place cannot be written."""
    folder = cache_root() / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        _forget_old(folder)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"elcapitan-{source_digest()}"
        folder.mkdir(exist_ok=True)
        warnings.warn(f"compiled code is kept in {folder}, because {cache_root()} is not writable", stacklevel=2)
    return folder


def _forget_old(current: Path) -> None:
    """Remove the compiled code of versions not used for a month."""
    for folder in current.parent.iterdir():
        old = time.time() - folder.stat().st_mtime > FORGET_AFTER_DAYS * 86400
        if folder != current and old and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "") in ("", "0")
FOLDER = cache_folder() if COMPILED else None  # of this version's compiled code
