"""The example can be read in one sitting. Learning itself needs PyTorch, which the tests do without."""

import ast
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "research" / "train.py"


def test_the_example_is_short_and_every_function_says_what_it_does() -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 300
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name != "__init__":
            assert ast.get_docstring(node), node.name
