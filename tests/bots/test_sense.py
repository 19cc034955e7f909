"""Clear cases: positions in which everybody who thinks does the same."""

import pytest
from tests.bots.asked_bots import answer, plans_of, play_game, texts, turn
from tests.drawings import position

from elcapitan.engine.actions import BUILD, REOPEN
from elcapitan.engine.jit import COMPILED
from elcapitan.engine.vocabulary import SITES
from elcapitan.game.game import Act

PLANNERS = ["trader", "captain"]
SEARCHERS = ["navigator:sims=40", "admiral:sims=40"] if COMPILED else ["navigator:sims=2"]
THINKERS = PLANNERS + SEARCHERS
LAST_TURN = """
    4 players, phase 3, R first, B to move
    R {} florins, 0 houses, 0 fortresses
    B 30 florins
    Marseille [B .] Y B Y B G
    Tunis Y
    Display: Tunis/1, Tanger/1, Napoli/1, Valencia/1, Napoli-Tunis, Marseille-Venezia
"""


@pytest.mark.parametrize("spec", THINKERS if COMPILED else [*PLANNERS, "navigator:sims=30", "admiral:sims=30"])
def test_the_one_build_that_wins_the_game_is_found(spec: str) -> None:
    """Red has 52: the fortress in Marseille, the fullest city, brings Blue to 53, everything else to less."""
    here = position(LAST_TURN.format(52))
    blue = {tuple(texts(plan.steps)): plan.worth[3] for plan in plans_of(here.states)}
    assert sorted(blue.values())[-2:] == [51, 53] and blue["fortress", "end"] == 53
    assert turn(spec, here) == ["fortress", "end"]


@pytest.mark.parametrize("spec", THINKERS)
def test_who_cannot_pay_for_a_turn_borrows_and_buys_nothing_first(spec: str) -> None:
    """[TURN-09] With the table option a card could be bought before the loan, but what for?"""
    here = position("""
        4 players, phase 3, R to move, with buy_before_loan
        R 4 florins, 2 houses, 1 fortress
        Bank [R]
        Display: Tunis/1, Tanger/1, Napoli-Tunis
    """)
    assert here.legal() == ["buy Tanger/1", "buy Tunis/1", "buy Napoli-Tunis", "loan 10", "loan 16"]
    assert answer(spec, here) in ("loan 10", "loan 16")


@pytest.mark.parametrize("spec", PLANNERS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_loan_is_repaid_when_there_is_enough_money(spec: str, players: int) -> None:
    """[AFTER-02, AFTER-03] To extend costs 4 florins more, and the last phase can be paid for without it."""
    here = f"{players} players, phase 2, R settling \n R 120 florins, 0 houses, 0 fortresses; owes 10"
    assert answer(spec, here) == "repay 10"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_loan_is_extended_when_the_money_is_needed_for_building(players: int) -> None:
    """[AFTER-03] Whoever repays with the last florins begins the next phase at the bank."""
    here = f"{players} players, phase 1, R settling \n R 12 florins, 0 houses, 0 fortresses; owes 10"
    assert answer("captain", here) == "extend 10"
    assert answer("captain", here.replace(" 12 florins", " 70 florins")) == "repay 10"


@pytest.mark.parametrize("spec", PLANNERS)
def test_the_last_piece_of_a_phase_is_built_and_nothing_borrowed(spec: str) -> None:
    """[PHASE-04] The payday follows whatever Blue does: another house is paid for, a loan only costs."""
    here = """
        4 players, phase 1, R first, B to move
        R 0 houses, 0 fortresses
        B 14 florins, 1 house, 0 fortresses
        Marseille R B R
        Venezia B R
        Athina [B .] Y G Y G B B B
        Display: Valencia/1, Tanger/1, Napoli/1, Venezia/1, Napoli-Tunis, Tunis-Alexandria
    """
    done = turn(spec, here)
    assert done[0].startswith("buy") and done[-2].startswith("build") and done[-1] == "end"


@pytest.mark.parametrize(
    ("spec", "stage"), [*((spec, "under way") for spec in THINKERS), *((spec, "done") for spec in PLANNERS)]
)
def test_the_free_pirate_move_takes_the_highest_charge(spec: str, stage: str) -> None:
    """[CANA-03, PIRATE-05] Six buildings of others in Napoli, four in Tunis; Red's own in Athina bring nothing."""
    here = position(f"""
        4 players, phase 2, R {stage}, free move due
        Canarias [R *] {"R" if stage == "done" else ""}
        Tunis Y Y G B
        Napoli Y G B G B Y
        Athina R R R G R R R
    """)
    first = answer(spec, here)
    assert first in ("pirate free Napoli 1", "pirate free Napoli 2")
    assert here.play(first).cash("R") == 20 + 6 * 2


@pytest.mark.parametrize("spec", PLANNERS)
@pytest.mark.parametrize(("players", "letter"), [(2, "Y"), (3, "R"), (4, "G"), (5, "B")])
def test_who_may_name_the_starting_player_names_herself(spec: str, players: int, letter: str) -> None:
    """[AFTER-07] The first ship finds all harbours free."""
    here = position(f"{players} players, {letter} naming")
    assert here.play(answer(spec, here)).seat == letter


@pytest.mark.parametrize("spec", ["trader", "captain"] if COMPILED else ["captain"])
def test_two_players_build_their_neutral_houses(spec: str) -> None:
    """[TWO-02] Of both seats, in the first phase already."""
    game = play_game([spec, spec], seed=3, most=10_000 if COMPILED else 45)
    neutral = range(BUILD + SITES, REOPEN)
    builders = {event.seat for event in game.events if isinstance(event, Act) and event.numbers[0] in neutral}
    assert builders == {0, 1} if COMPILED else builders
