"""The plans of a turn: all of them can be carried out, and there is always one."""

from collections import Counter

import pytest
from tests.bots.asked_bots import BOARDS, FIGURES, KINDS, TABLES, Thinker, legal_in, plans_of, texts, walk
from tests.drawings import Position, position

from elcapitan.engine import play
from elcapitan.engine.actions import END, LOAN
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.search.worth import NARROW_PLANS, STEPS
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CITY_NAMES, DONE, DUE

DESTINATIONS = ", ".join(f"{city}/{seals}" for city, seals in zip(CITY_NAMES[:9], "323112233", strict=True))


def carry_out(states: States, steps: tuple[int, ...]) -> States:
    """The position after a plan, each step of which must be legal."""
    here = states.copy()
    for n, step in enumerate(steps):
        assert step in legal_in(here), (texts(steps), n)
        play.apply(here, 0, BOARDS, step)
    return here


def check_plans(states: States) -> None:
    """Every plan is legal step by step, and is a single step or goes as far as the turn can be planned."""
    plans = plans_of(states)
    assert len({plan.steps for plan in plans}) == len(plans) < NARROW_PLANS
    for plan in plans:
        assert 1 <= len(plan.steps) <= STEPS
        after = carry_out(states, plan.steps)[0]
        ended = plan.steps[-1] == END or LOAN <= plan.steps[-1] < END
        assert len(plan.steps) == 1 or ended or (after.stage == DONE and after.free_move == DUE), texts(plan.steps)


@pytest.mark.parametrize(("players", "tiles"), TABLES if COMPILED else TABLES[::5])
def test_every_plan_can_be_carried_out(players: int, tiles: int) -> None:
    met = Counter[str]()
    for seed in range(4 if COMPILED else 1):
        most = 6 if COMPILED else 1
        for what, states in walk(players, tiles, 50 + players + 10 * tiles + 100 * seed, most, options=seed % 4):
            met[what] += 1
            check_plans(states)
    wanted = KINDS if tiles & 4 else KINDS - {"free move due", "pirate at sea"}
    assert wanted <= set(met) or not COMPILED, met
    assert met.total() >= (80 if COMPILED else 3)


def test_a_turn_is_planned_from_its_first_card_to_its_end() -> None:
    here = position("4 players, R to move \n R 12 florins \n Bank [R] \n Display: Tunis/1, Napoli-Tunis, Napoli-Athina")
    assert {tuple(texts(plan.steps)) for plan in plans_of(here.states)} == {
        ("buy Tunis/1", "sail Tunis/1", "build 1", "end"),
        ("buy Tunis/1", "sail Tunis/1", "build 2", "end"),
        ("buy Tunis/1", "sail Tunis/1", "fortress", "end"),
        ("buy Tunis/1", "buy Napoli-Tunis", "sail Tunis/1", "sail Napoli-Tunis > Napoli", "build 1", "end"),
        ("buy Tunis/1", "buy Napoli-Tunis", "sail Tunis/1", "sail Napoli-Tunis > Napoli", "build 2", "end"),
        ("buy Tunis/1", "buy Napoli-Tunis", "sail Tunis/1", "sail Napoli-Tunis > Napoli", "fortress", "end"),
        ("loan 10",),
        ("loan 16",),
    }


def test_a_plan_goes_on_from_where_the_turn_has_got_to() -> None:
    """What is bought need not be bought again; where the ship has arrived, it may build or sail on."""
    before = position("4 players, R to move \n R 9 florins \n Bank [R] \n Display: Tunis/1, Napoli-Tunis")
    bought = before.play("buy Tunis/1")
    assert ["sail Tunis/1", "build 2", "end"] in [texts(plan.steps) for plan in plans_of(bought.states)]
    assert all("loan" not in text for plan in plans_of(bought.states) for text in texts(plan.steps))
    there = [texts(plan.steps) for plan in plans_of(bought.play("sail Tunis/1").states)]
    assert ["build 2", "end"] in there
    assert ["buy Napoli-Tunis", "sail Napoli-Tunis > Napoli", "build 1", "end"] in there


def test_the_free_pirate_move_comes_before_building() -> None:
    here = position("4 players, R under way, free move due \n Canarias [R *] \n Tunis Y Y G B")
    for plan in plans_of(here.states):
        assert texts(plan.steps)[0].startswith("pirate free Tunis")
        assert texts(plan.steps)[-1] == "end"


def test_where_nothing_can_be_planned_every_legal_action_is_a_plan() -> None:
    """Only Lisboa is for nothing, and it is three cards away: the way there is looked for step by step."""
    cards = "Tunis/1, Valencia-Tunis, Venezia/1"
    here = position(f"4 players, round 1, R to move \n R 0 florins; hand {cards} \n Away [R] \n Lisboa")
    assert [texts(plan.steps) for plan in plans_of(here.states)] == [["sail Tunis/1"]]
    assert here.legal() == ["sail Tunis/1"]
    under_way = here.play("sail Tunis/1")
    assert texts(plans_of(under_way.states)[0].steps) == [
        "sail Valencia-Tunis > Valencia",
        "sail Venezia/1 ~ Lisboa",
        "build 2",
        "end",
    ]


def test_after_building_there_is_a_plan_for_everything_that_may_still_be_done() -> None:
    here = position("4 players, R done \n Tunis [R .] R \n Napoli [Y G] \n Canarias \n Display: Tunis/1")
    plans = plans_of(here.states)
    assert sorted(plan.steps[0] for plan in plans) == legal_in(here.states)
    assert texts(plans[0].steps) == ["end"]
    assert all(texts(plan.steps)[1:] == ["end"] for plan in plans[1:])


def test_as_many_plans_as_there_can_be_at_the_start_of_a_turn_have_room() -> None:
    """Two players, every city in reach: two sites, two colours and a fortress in each, and two loans."""
    drawing = f"2 players, R to move \n R 99 florins; hand {DESTINATIONS} \n Y 99 florins \n Tunis [R .]"
    here = position(f"{drawing} \n Porto \n Lisboa \n Canarias")
    plans = plans_of(here.states)
    assert len(plans) == 12 * 5 + 2 + 5
    for plan in plans if COMPILED else plans[::9]:
        carry_out(here.states, plan.steps)


def test_more_legal_actions_than_plans_leave_a_whole_set_of_plans() -> None:
    """Once something is built the pirate can be sent everywhere, by money and by every card of a full hand."""
    drawing = f"4 players, R done \n R 99 florins; hand {DESTINATIONS} \n Tunis [R .] R"
    here = position(f"{drawing} \n Porto \n Lisboa \n Canarias \n Napoli [* .]")
    legal = legal_in(here.states)
    assert len(legal) > NARROW_PLANS
    plans = plans_of(here.states)
    assert len(plans) == NARROW_PLANS - 1
    assert texts(plans[0].steps) == ["end"]
    for plan in plans[1:]:
        assert plan.steps[0] in legal and texts(plan.steps)[1:] in (["end"], [])


def test_a_turn_that_ends_the_phase_is_judged_after_the_payday_whatever_it_bought() -> None:
    """Blue moves last: with a gap in the display the payday waits for a card, after a loan it does not."""
    here = position("""
        4 players, phase 1, R first, B to move
        R 0 houses, 0 fortresses
        B 12 florins, 1 house, 0 fortresses
        Marseille B B B R
        Venezia B R
        Napoli B R
        Athina [B .]
        Display: Athina/2, Tanger/1, Napoli/1, Valencia/1, Athina-Alexandria, Tunis-Alexandria, Napoli-Tunis
    """)
    plans = plans_of(here.states, "forecast")
    assert {len(plan.steps) for plan in plans} >= {1, 2, 4}
    for plan in plans:
        states = carry_out(here.states, plan.steps)
        play.turn_up(states, 0, BOARDS)
        after = Position(states, FIGURES)
        assert after.stage != "start" and after.cash("R") > here.cash("R")
        assert plan.worth[0] == after.cash("R") + after.income("R"), texts(plan.steps)


def test_the_plans_do_not_depend_on_what_is_face_down() -> None:
    here = position("4 players, R to move \n Tunis [R .] Y \n Display: Tanger/1, Napoli-Tunis")
    one, other = Thinker(here.states, seed=1), Thinker(here.states, seed=2)
    left = int(here.s.deck_left[0])
    other.line[4].deck[:left] = other.line[4].deck[:left][::-1].copy()
    assert one.plans() == other.plans()
