"""Check the style sheets for mistakes that a browser passes over in silence.

`python tools/check_styles.py` prints each with its file and line, and fails if there is one: what cannot be parsed,
empty rules, a property declared twice in a rule, a custom property that is nowhere declared or nowhere used, and a
colour written outside the theme.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import tinycss2

STYLES: Final = Path(__file__).parents[1] / "src" / "elcapitan" / "web" / "static"
THEME: Final = "theme.css"
USE: Final = re.compile(r"var\((--[\w-]+)")
COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")


def declarations(nodes: list[Any], file: str, mistakes: list[str]) -> Iterator[Any]:
    """Yield all declarations in rules, however deep; note what is wrong with the rules themselves."""
    for node in nodes:
        if node.type == "error":
            mistakes.append(f"{file}:{node.source_line}: {node.message}")
        elif node.type in ("qualified-rule", "at-rule") and node.content is not None:
            inside = [each for each in tinycss2.parse_blocks_contents(node.content) if each.type != "whitespace"]
            found = [each for each in inside if each.type == "declaration"]
            if not [each for each in inside if each.type != "comment"]:
                mistakes.append(f"{file}:{node.source_line}: an empty rule")
            for name, count in Counter(each.name for each in found).items():
                if count > 1:
                    mistakes.append(f"{file}:{node.source_line}: {name} is declared {count} times in a rule")
            yield from found
            yield from declarations([each for each in inside if each.type != "declaration"], file, mistakes)


def check(styles: Path) -> list[str]:
    """Return the mistakes in all style sheets of a folder."""
    mistakes: list[str] = []
    declared: dict[str, str] = {}
    used: dict[str, str] = {}
    for path in sorted(styles.glob("*.css")):
        rules = tinycss2.parse_stylesheet(path.read_text(encoding="utf-8"), skip_comments=True, skip_whitespace=True)
        for each in declarations(rules, path.name, mistakes):
            place, value = f"{path.name}:{each.source_line}", tinycss2.serialize(each.value)
            if each.name.startswith("--"):
                declared.setdefault(each.name, place)
            used |= dict.fromkeys(USE.findall(value), place)
            if path.name != THEME and COLOUR.search(value):
                mistakes.append(f"{place}: {value.strip()} belongs into {THEME}, where every colour has a name")
    mistakes += [f"{used[name]}: {name} is nowhere declared" for name in used.keys() - declared.keys()]
    mistakes += [f"{declared[name]}: {name} is nowhere used" for name in declared.keys() - used.keys()]
    return sorted(mistakes)


def main() -> None:
    """Check the style sheets of the pages."""
    mistakes = check(STYLES)
    sys.exit("\n".join(mistakes) or None)


if __name__ == "__main__":
    main()
