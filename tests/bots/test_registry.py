"""Computer players by their names and budgets."""

import pytest
from tests.bots.asked_bots import answer

from elcapitan.bots import registry
from elcapitan.bots.bot import Planner, Searcher
from elcapitan.bots.champion import Champion, Helmsman
from elcapitan.bots.registry import Wanderer
from elcapitan.errors import BadBot

HERE = "4 players, R to move \n Tunis [R .]"


def test_the_levels_from_the_weakest_to_the_strongest() -> None:
    assert list(registry.LEVELS) == [
        "wanderer",
        "trader",
        "captain",
        "helmsman",
        "navigator",
        "admiral",
        "champion",
    ]
    assert (registry.LOWEST, registry.STRONGEST) == ("wanderer", "champion")


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("wanderer", Wanderer),
        ("trader", Planner),
        ("captain", Planner),
        ("helmsman", Helmsman),
        ("helmsman:strength=0", Helmsman),
        ("helmsman:strength=73", Helmsman),
        (registry.STRENGTH_EXAMPLE, Helmsman),
        ("navigator", Searcher),
        ("admiral", Searcher),
        ("champion", Champion),
        ("champion:sims=48", Champion),
        ("navigator:sims=1", Searcher),
        ("admiral:sims=10000000", Searcher),
        ("admiral:ms=1", Searcher),
        ("navigator:ms=600000", Searcher),
        (registry.BUDGET_EXAMPLE, Searcher),
    ],
)
def test_a_name_makes_a_player(spec: str, kind: type) -> None:
    bot = registry.create(spec)
    assert type(bot) is kind
    bot.close()


def test_every_call_makes_a_player_of_its_own() -> None:
    """The plan of one seat is nothing to another."""
    first, second = registry.create("captain"), registry.create("captain")
    assert first is not second
    assert answer(first, HERE) == answer(second, HERE)


@pytest.mark.parametrize("spec", ["Captain", " captain", "pirate", "pirate:sims=3", "captain sims=3"])
def test_an_unknown_name_is_refused_with_the_names_there_are(spec: str) -> None:
    with pytest.raises(BadBot) as refused:
        registry.create(spec)
    assert refused.value.reason == "unknown-bot"
    known = "there are wanderer, trader, captain, helmsman, navigator, admiral, champion."
    assert str(refused.value) == f"There is no computer player {spec}; {known}"


@pytest.mark.parametrize("name", ["wanderer", "trader", "captain"])
@pytest.mark.parametrize("budget", ["sims=400", "ms=800", "", "nonsense"])
def test_who_does_not_search_has_no_budget(name: str, budget: str) -> None:
    with pytest.raises(BadBot) as refused:
        registry.create(f"{name}:{budget}")
    assert str(refused.value) == f"{name} does not search, so it has no budget."


@pytest.mark.parametrize("name", ["navigator", "admiral"])
@pytest.mark.parametrize(
    "budget",
    [
        "sims",
        "sims=",
        "sims=0",
        "sims=-5",
        "sims=4e2",
        "sims=1.5",
        "sims=007",
        "sims=10000001",
        "sims=99999999999999999999",
        "sims= 400",
        "sims=400,ms=3",
        "sims=1\u0661",
        "ms=0",
        "ms=600001",
        "SIMS=400",
        "s=1",
        "400",
    ],
)
def test_a_bad_budget_is_refused_with_an_example(name: str, budget: str) -> None:
    with pytest.raises(BadBot) as refused:
        registry.create(f"{name}:{budget}")
    wanted = f"{budget} is not a budget of a computer player: write, for example, admiral:sims=400."
    assert str(refused.value) == wanted


def test_a_colon_without_a_budget_is_refused() -> None:
    with pytest.raises(BadBot) as refused:
        registry.create("admiral:")
    assert str(refused.value) == ": is not a budget of a computer player: write, for example, admiral:sims=400."


@pytest.mark.parametrize(
    "strength",
    ["strength", "strength=", "strength=-1", "strength=101", "strength=007", "strength=1.5", "strength=1\u0661",
     "strength=99999999999999999999", "STRENGTH=7", "sims=4", "ms=800", "70"],
)  # fmt: skip
def test_a_bad_strength_is_refused_with_an_example(strength: str) -> None:
    with pytest.raises(BadBot) as refused:
        registry.create(f"helmsman:{strength}")
    wanted = f"{strength} is not a strength from 0 to 100: write, for example, helmsman:strength=70."
    assert str(refused.value) == wanted


def test_what_can_be_chosen_at_tables() -> None:
    """Every level, and some strengths, which take no longer than others; no budgets."""
    strengths = [f"helmsman:strength={strength}" for strength in range(0, 101, 10)]
    assert sorted(registry.AT_TABLES) == sorted([*registry.LEVELS, *strengths])
    for spec in registry.AT_TABLES:
        registry.create(spec).close()
        assert registry.at_table(spec) == spec
    assert registry.at_table("admiral:ms=800") == "admiral"
    assert registry.at_table("helmsman:strength=71") == "helmsman"
