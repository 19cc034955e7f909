"""Count the words of the hand-written documents, so that they stay short.

`python tools/count_words.py` prints the count of every page; with `--check` it prints nothing and exits with 1 if the
documents are over their limits. A word is anything between blanks that has a letter or a digit, in prose, tables and
code blocks alike. Generated pages, the generated parts of other pages and copies of files in `examples` do not count.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from citations import ROOT

# Written by `make docs`, benchmarks/peers.py and `elcapitan ladder`.
GENERATED: Final = frozenset({"commands.md", "rules.md", "rulings.md", "benchmarks.md", "code-map.md", "ladder.md"})
PARTS: Final = re.compile(r"<!-- (generated: \w+|bench:start) -->.*?<!-- (end|bench:end) -->", re.DOTALL)
PROGRAM: Final = re.compile(r"^```\w+\n(#!.*?)^```$", re.DOTALL | re.MULTILINE)
# The page about the architecture has a limit of its own; both limits make 16,000 in all.
LIMITS: Final = {"architecture.md": 1_800}
LIMIT: Final = 14_200  # of all other pages together


def main(arguments: Sequence[str]) -> int:
    """Print the count of every page, or check the limits."""
    counts = pages()
    if "--check" not in arguments:
        for name, count in counts.items():
            sys.stdout.write(f"{count:7,} {name}\n")
        sys.stdout.write(f"{sum(counts.values()):7,} in all\n")
        return 0
    excess = too_long(counts)
    sys.stderr.writelines(f"{line}\n" for line in excess)
    return int(bool(excess))


def pages() -> dict[str, int]:
    """Count the hand-written words of README and every page under docs."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {path.name: words(path.read_text(encoding="utf-8")) for path in paths if path.name not in GENERATED}


def words(text: str) -> int:
    """Count the words of a page that were written by hand."""
    text = PARTS.sub("", text)
    text = PROGRAM.sub(lambda found: "" if found[1] in _examples() else found[0], text)
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def too_long(counts: Mapping[str, int]) -> list[str]:
    """Say which limits the counts exceed."""
    excess = [
        f"docs/{name} has {counts[name]:,} words, but may have {most:,}"
        for name, most in LIMITS.items()
        if counts[name] > most
    ]
    rest = sum(count for name, count in counts.items() if name not in LIMITS)
    if rest > LIMIT:
        excess.append(f"README and docs have {rest:,} hand-written words, but may have {LIMIT:,}")
    return excess


def _examples() -> set[str]:
    """The contents of all files in `examples`."""
    return {
        path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*") if path.suffix in {".py", ".sh"}
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
