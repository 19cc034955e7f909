"""Small changes to Python sources: one operator, one constant or one condition each.

`mutations(source)` lists every change there is to make. A change keeps the rest of the text as it is, and its syntax
tree differs from the original only in the place that was meant: parentheses are added where the text needs them.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.Invert: "~",
    ast.USub: "-",
}
SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Edit(NamedTuple):
    """Bytes of a source to replace."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Mutation:
    """One small change to a source."""

    function: str  # in which it is; empty at the top of the module
    line: int
    before: str  # the lines that change, without indentation
    after: str
    source: str  # with the change


class _Source:
    """A source with its syntax tree, and where the nodes of the tree stand in the text."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def between(self, left: ast.expr, right: ast.expr, operator: str, text: str) -> Edit:
        """Replace the operator that stands between two operands."""
        start = self.text.index(operator.encode(), self.end(left), self.start(right))
        return Edit(start, start + len(operator), text)

    def mutation(self, function: str, wanted: str, node: ast.expr | ast.stmt, edits: list[Edit]) -> Mutation:
        """Make the edits; add parentheses if the tree is not the one that is wanted without them."""
        operands: list[ast.expr | ast.stmt] = []
        if isinstance(node, ast.BinOp | ast.BoolOp):
            operands += [node.left, node.right] if isinstance(node, ast.BinOp) else node.values
        for some in ([], [node], *([each] for each in operands), [node, *operands]):
            opening = [Edit(self.start(each), self.start(each), "(") for each in some]
            closing = [Edit(self.end(each), self.end(each), ")") for each in some]
            changed = self._edited(sorted(opening + edits + closing))
            if _parses_to(changed, wanted):
                break
        else:
            raise AssertionError(f"line {node.lineno}: the change cannot be written down")
        first, last = self._line_of(edits[0].start), self._line_of(edits[-1].end)
        before = self.text.decode().splitlines()[first : last + 1]
        after = changed.splitlines()[first : last + 1]
        return Mutation(function, first + 1, _joined(before), _joined(after), changed)

    def _edited(self, edits: list[Edit]) -> str:
        text = self.text
        for edit in reversed(edits):
            text = text[: edit.start] + edit.text.encode() + text[edit.end :]
        return text.decode()

    def _line_of(self, offset: int) -> int:
        return self.text.count(b"\n", 0, offset)


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def _parses_to(text: str, wanted: str) -> bool:
    try:
        return ast.dump(ast.parse(text)) == wanted
    except SyntaxError:
        return False


def mutations(text: str) -> list[Mutation]:
    """List every small change to a source, in the order of its text."""
    lines = text.splitlines(keepends=True)
    found = []
    for statement in ast.parse(text).body:  # one at a time, because a short text is soon parsed again
        first, last = statement.lineno - 1, statement.end_lineno
        source = _Source("".join(lines[first:last]))
        for change in _inside(source, source.tree, ""):
            whole = "".join([*lines[:first], change.source, *lines[last:]])
            found.append(replace(change, line=change.line + first, source=whole))
    return found


def _inside(source: _Source, node: ast.AST, function: str) -> Iterator[Mutation]:
    """Yield the changes to a node and to everything below it, but not to decorators, annotations and imports."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.arguments):
        return
    if isinstance(node, ast.FunctionDef):
        for statement in node.body:
            yield from _inside(source, statement, node.name)
        return
    yield from _of(source, node, function)
    for name, value in ast.iter_fields(node):
        if name == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside(source, child, function)


def _of(source: _Source, node: ast.AST, function: str) -> Iterator[Mutation]:
    """Yield the changes to one node. The tree is changed for a moment, to know what the changed text must mean."""
    if isinstance(node, ast.BinOp | ast.AugAssign):
        old, swap = type(node.op), SWAPS[type(node.op)]
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        edit = source.between(*sides, OPERATORS[old], OPERATORS[swap])
        yield source.mutation(function, _dump_with(source, node, "op", swap()), node, [edit])
    elif isinstance(node, ast.BoolOp):
        swap = SWAPS[type(node.op)]
        pairs = zip(node.values, node.values[1:], strict=False)
        edits = [source.between(*pair, OPERATORS[type(node.op)], OPERATORS[swap]) for pair in pairs]
        yield source.mutation(function, _dump_with(source, node, "op", swap()), node, edits)
    elif isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for i, operator in enumerate(node.ops):
            swap = SWAPS[type(operator)]
            edit = source.between(operands[i], operands[i + 1], OPERATORS[type(operator)], OPERATORS[swap])
            swapped = [*node.ops[:i], swap(), *node.ops[i + 1 :]]
            yield source.mutation(function, _dump_with(source, node, "ops", swapped), node, [edit])
    elif isinstance(node, ast.UnaryOp):
        yield _without_operator(source, node, function)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        values = (
            [not node.value] if isinstance(node.value, bool) else [node.value + 1, node.value - 1][: node.value + 1]
        )
        for value in values:
            edit = Edit(source.start(node), source.end(node), str(value))
            yield source.mutation(function, _dump_with(source, node, "value", value), node, [edit])
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not _has_opposite(node.test):
        test = node.test
        edits = [Edit(source.start(test), source.start(test), "not ("), Edit(source.end(test), source.end(test), ")")]
        wanted = _dump_with(source, node, "test", ast.UnaryOp(ast.Not(), test))
        yield source.mutation(function, wanted, test, edits)


def _without_operator(source: _Source, node: ast.UnaryOp, function: str) -> Mutation:
    """Leave out `not`, `~` or `-`."""
    start = source.start(node)
    end = start + len(OPERATORS[type(node.op)])
    while source.text[end : end + 1] == b" ":
        end += 1
    for parent in ast.walk(source.tree):
        for name, value in ast.iter_fields(parent):
            if value is node:
                return source.mutation(
                    function, _dump_with(source, parent, name, node.operand), node, [Edit(start, end, "")]
                )
            if isinstance(value, list) and node in value:
                operands = [node.operand if each is node else each for each in value]
                return source.mutation(
                    function, _dump_with(source, parent, name, operands), node, [Edit(start, end, "")]
                )
    raise AssertionError("every expression has a parent")


def _has_opposite(test: ast.expr) -> bool:
    """Whether another change turns this condition into its opposite already."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not)
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.NotEq)


def _dump_with(source: _Source, node: ast.AST, field: str, value: object) -> str:
    """The whole tree, written out, with one field of a node replaced."""
    before = getattr(node, field)
    setattr(node, field, value)
    try:
        return ast.dump(source.tree)
    finally:
        setattr(node, field, before)
