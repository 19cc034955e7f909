"""The small changes by which the tests of the rules are tested, and the list of those that change nothing."""

import ast
from pathlib import Path

import pytest

from mutants import EQUIVALENT, ROOT, Entry, Mutant, entries, misfits, population, sample
from mutations import mutations


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a == b", ["x = a != b"]),
        ("x = a + b * c", ["x = a - b * c", "x = a + (b + c)"]),
        ("x = a | b & c", ["x = a & (b & c)", "x = a | (b | c)"]),
        ("x = (a | b) & c", ["x = (a | b) | c", "x = (a & b) & c"]),
        ("x = a or b and c", ["x = a and (b and c)", "x = a or (b or c)"]),
        ("x = not a", ["x = a"]),
        ("x = ~a & b", ["x = ~a | b", "x = a & b"]),
        ("x = 0", ["x = 1"]),
        ("x = 3", ["x = 4", "x = 2"]),
        ("x = True", ["x = False"]),
        ("x += 1", ["x -= 1", "x += 2", "x += 0"]),
        ("x = a if b < c else d", ["x = a if not (b < c) else d", "x = a if b <= c else d"]),
    ],
)
def test_every_operator_constant_and_condition_is_changed(line: str, changed: list[str]) -> None:
    found = mutations(f"{line}\n")
    assert sorted(each.source for each in found) == sorted(f"{each}\n" for each in changed)
    assert {each.before for each in found} == {line}
    assert [each.after for each in found] == [each.source.strip() for each in found]


def test_a_condition_becomes_its_opposite_once() -> None:
    def opposites(condition: str) -> int:
        wanted = ast.dump(ast.parse(f"if not ({condition}):\n    x\n"))
        equal = ast.dump(ast.parse(f"if {condition.replace('==', '!=')}:\n    x\n"))
        found = [ast.dump(ast.parse(each.source)) for each in mutations(f"if {condition}:\n    x\n")]
        return found.count(wanted) + found.count(equal)

    assert opposites("a") == opposites("a and b") == opposites("a == b") == 1


def test_a_change_tells_its_function_and_line() -> None:
    source = '"""A text."""\n\nLIMIT = 3\n\n\n@rule\ndef f(a: int = 1) -> int:\n    """Two."""\n    return a + 2\n'
    found = [(each.function, each.line, each.after) for each in mutations(source)]
    assert found == [
        ("", 3, "LIMIT = 4"),
        ("", 3, "LIMIT = 2"),
        ("f", 9, "return a - 2"),
        ("f", 9, "return a + 3"),
        ("f", 9, "return a + 1"),
    ]


@pytest.fixture(scope="module")
def mutants() -> list[Mutant]:
    """Every small change to the rules."""
    return population(ROOT / "src")


def test_each_equivalent_change_still_fits_its_place(mutants: list[Mutant]) -> None:
    """Otherwise a rule was changed, and whether the change is equivalent must be thought over again."""
    assert misfits(mutants, entries()) == []


def test_an_entry_that_fits_nothing_is_told(tmp_path: Path, mutants: list[Mutant]) -> None:
    file = tmp_path / "equivalent.toml"
    file.write_text(
        '[[equivalent]]\nfile = "act.py"\nfunction = "apply"\nbefore = "nothing"\nafter = ["less"]\nreason = "a"\n',
        "utf-8",
    )
    assert misfits(mutants, entries(file)) == ["act.py apply: 'nothing' has no change to 'less'"]


def test_an_equivalent_change_needs_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "equivalent.toml"
    file.write_text(
        '[[equivalent]]\nfile = "act.py"\nfunction = ""\nbefore = "a"\nafter = ["b"]\nreason = " "\n', "utf-8"
    )
    with pytest.raises(SystemExit, match="no reason"):
        entries(file)


def test_the_same_seed_chooses_the_same_changes_and_none_that_is_equivalent(mutants: list[Mutant]) -> None:
    known = entries(EQUIVALENT)
    chosen = sample(mutants, known, seed=5, count=50)
    assert chosen == sample(mutants, known, seed=5, count=50) != sample(mutants, known, seed=6, count=50)
    everything = sample(mutants, known, seed=5, count=len(mutants))
    assert not any(entry.covers(mutant) for entry in known for mutant in everything)
    assert len(everything) == sum(not any(entry.covers(mutant) for entry in known) for mutant in mutants)


def test_an_entry_takes_out_only_what_it_covers(mutants: list[Mutant]) -> None:
    chosen = sample(mutants, [], seed=5, count=50)
    path, change = chosen[7]
    entry = Entry(path, change.function, change.before, (change.after,))
    kept = [mutant for mutant in chosen if not entry.covers(mutant)]
    assert len(kept) < 50 and sample(mutants, [entry], seed=5, count=50)[: len(kept)] == kept
