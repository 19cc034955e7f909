"""Every rule is followed by code and shown by a test, and both cite it by its id."""

from citations import in_code, in_tests, mentions
from elcapitan.text.rulebook import items
from rules_page import EXAMPLES, without_effect

RULEBOOK = items("en")
EFFECTIVE = [name for name in RULEBOOK if name not in without_effect()]


def listed(names: list[str]) -> str:
    return f"{len(names)}: {', '.join(names)}"


def test_every_rule_lives_in_code() -> None:
    code = in_code()
    missing = [name for name in EFFECTIVE if name not in code and not name.startswith(EXAMPLES)]
    assert not missing, f"no function cites these {listed(missing)}"


def test_every_rule_is_shown_by_a_test() -> None:
    tests = in_tests()
    missing = [name for name in EFFECTIVE if name not in tests]
    assert not missing, f"no test cites these {listed(missing)}"


def test_nothing_unknown_is_cited() -> None:
    unknown = [f"{name} in {place.file}, {place.name}" for place, name in mentions() if name not in RULEBOOK]
    assert not unknown, f"no rule has these names {listed(unknown)}"


def test_rules_without_effect_are_rules_and_say_why() -> None:
    for name, reason in without_effect().items():
        assert name in RULEBOOK and reason
