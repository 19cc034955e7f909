"""The code map lists every module of every package, and the layers are those of the contract."""

import pytest

import code_map
from citations import PACKAGE


def test_every_module_is_listed() -> None:
    page = code_map.code_map()
    for path in PACKAGE.rglob("*.py"):
        if "migrations" not in path.parts and path.name not in ("__init__.py", "__main__.py"):
            assert path.relative_to(PACKAGE).as_posix() in page or f"\n## {path.stem}\n" in page, path


def test_every_package_is_in_the_contract_and_has_a_purpose() -> None:
    named = {name for names in code_map.contract() for name in names}
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages <= named
    assert all(name in code_map.layers() for name in named)
    with pytest.raises(FileNotFoundError):
        code_map.purpose(PACKAGE / "nowhere.py")


def test_the_purpose_is_the_first_sentence() -> None:
    assert code_map.purpose(PACKAGE / "notation" / "__init__.py") == "Positions as drawings, written and read."
