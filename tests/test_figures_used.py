"""Printed figures are shown as they are: only the engine and the board reckon with them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "elcapitan"
RECKON = {"engine", "board"}  # packages that may
FIGURES = {
    "harbour_price",
    "fortress_price",
    "card_price",
    "track",
    "chart",
    "bonus",
    "charge",
    "pirate_step",
    "distance",
    "loan_due",
    "loan_amount",
    "start_cash",
}
OF_A_PILE = {"amount", "due", "later"}  # the same of a pile of loan cards, as `DecodedPosition.bank` has them
ALLOWED = {
    "position/routes.py": {"card_price"},  # one number orders ways: by florins, then legs, then cards of the hand
}


ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def figures_in(tree: ast.AST, names: dict[str, set[str]]) -> set[str]:
    """The printed figures that an expression mentions: fields of a board, or names that stand for one."""
    found: set[str] = set()
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr == "index":
        return set()  # which of them it is, not how much
    if isinstance(tree, ast.Attribute) and tree.attr in FIGURES and _is_board(tree.value):
        found.add(tree.attr)
    if isinstance(tree, ast.Attribute) and tree.attr in OF_A_PILE and _is_pile(tree.value):
        found.add(tree.attr)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        found |= names.get(f"{tree.func.id}()", set())
    if isinstance(tree, ast.Name):
        found |= names.get(tree.id, set())
    for node in ast.iter_child_nodes(tree):
        found |= figures_in(node, names)
    return found


def _is_board(node: ast.expr) -> bool:
    """Whether something is called `board` or `b`, also as a call such as `_board(figures)`."""
    if isinstance(node, ast.Call):
        return _is_board(node.func)
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.strip("_") in ("b", "board")


def _is_pile(node: ast.expr) -> bool:
    """Whether something is one of what is called `bank`."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "bank"


def returned(tree: ast.AST) -> dict[str, set[str]]:
    """The printed figures that the functions of a module return, by the function's name."""
    found: dict[str, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
            found[function.name] = set().union(*(figures_in(value, {}) for value in values))
    return found


def assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Every name that is assigned to, with its value."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
            else:
                pairs = zip([target], [node.value], strict=True)
            yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name))


def reckoned(text: str) -> set[str]:
    """The printed figures that are added, multiplied, summed up or compared."""
    found = set()
    tree = ast.parse(text)
    calls = {f"{name}()": figures for name, figures in returned(tree).items()}
    for scope in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        names = dict(calls)
        if isinstance(scope, ast.FunctionDef):
            for name, value in assigned(scope):
                names[name] = names.get(name, set()) | figures_in(value, {})
        for node in ast.walk(scope):
            if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp):
                found |= figures_in(node, names)
            if isinstance(node, ast.Compare) and any(isinstance(each, ORDERING) for each in node.ops):
                found |= figures_in(node, names)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sum", "min", "max"):
                found |= figures_in(node, names)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cost = board.pirate_step * board.distance[a, c]", {"pirate_step", "distance"}),
        ("cash -= int(figures.board.loan_due[kind, 0])", {"loan_due"}),
        ("debt = sum(n * self.board.loan_due[k, 0] for n in s)", {"loan_due"}),
        ("if s.cash[seat] < b.harbour_price[city, space]: pass", {"harbour_price"}),
        ("def cost(): prices = board.card_price; return [prices[card] * 2 for card in cards]", {"card_price"}),
        (
            "def _one(kind): return int(board.loan_amount[kind])\nmoney = sum(_one(kind) for kind in kinds)",
            {"loan_amount"},
        ),
        ("due += position.bank[kind].due", {"due"}),
        ("debt += merchant.loans[0].due", set()),  # what one merchant owes
        ("number = LOAN + board.loan_amount.tolist().index(amount)", set()),
        ("price = int(board.card_price[card])", set()),
        ("t.text('{amount}', amount=board.loan_amount[kind])", set()),
        ("total = s.bonus[seat] + 1", set()),  # a field of a position
    ],
)
def test_reckoning_is_found(text: str, found: set[str]) -> None:
    assert reckoned(text) == found


def test_only_the_engine_reckons_with_printed_figures() -> None:
    found = {}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE)
        if name.parts[0] not in RECKON and (figures := reckoned(path.read_text(encoding="utf-8"))):
            found[name.as_posix()] = figures
    assert found == ALLOWED


def test_no_rule_is_called_outside_the_engine() -> None:
    """Rules are compiled into kernels; other packages may take constants from them, and nothing else."""
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] == "engine":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("elcapitan.engine.rules."):
                assert all(alias.name.isupper() for alias in node.names), f"{path}:{node.lineno}"
            assert not (isinstance(node, ast.Attribute) and node.attr == "py_func"), f"{path}:{node.lineno}"
