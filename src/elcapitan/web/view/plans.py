"""The steps of a turn: of the one that runs, of one that was prepared, and of one that is being prepared.

A player can plan the next turn, or the running one before anything is done in it.

A prepared turn is shown to its own seat alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from elcapitan.actions import union as act
from elcapitan.engine.vocabulary import CITY_NAMES
from elcapitan.game.game import Game
from elcapitan.position.planned_turn import PlannedTurn, planned_turn, turn_to_plan
from elcapitan.service import Table
from elcapitan.web.view.context import (
    ViewContext,
    change,
    florins,
    own_seats,
    price,
    sentence_and_rule,
    warehouse_words,
)
from elcapitan.web.view.turn_steps import TurnView
from elcapitan.web.viewer import Viewer

FIRST: Final = "first"  # the viewer's turn begins, and can be planned before anything is done
RUNNING: Final = "running"  # the viewer's own turn, as far as it was played
READY: Final = "ready"  # the viewer's turn begins, and was prepared
LATER: Final = "later"  # another seat plays; the viewer's next turn can be prepared
PLANNING: Final = "planning"  # the viewer prepares it, or the running one


@dataclass(frozen=True)
class StepView:
    """One step of a turn."""

    icon: str
    words: str
    price: str
    undo: int = 0  # how many actions are taken back if this one is; 0 where that is not offered


@dataclass(frozen=True)
class TurnPlan:
    """A turn as a list of steps, what they cost, and why the next one does not work."""

    kind: str
    steps: tuple[StepView, ...] = ()
    total: str = ""
    left: str = ""  # what is left in the purse
    gain: int | None = None  # on a payday; None if the viewer may not see it
    gain_words: str = ""
    actions: str = ""  # all of them, as the form sends them; nothing if one does not work
    broken: str = ""  # the step that does not work
    reason: str = ""
    rule: str = ""
    possible: bool = True  # whether it can be changed now
    own: bool = False  # whether it is for the turn that runs, which is the viewer's

    @property
    def comes_first(self) -> bool:
        """Whether it stands before what can be done next: it can be played at once, or the next turn be prepared."""
        return self.kind == LATER or (self.kind == READY and bool(self.actions))

    @property
    def comes_last(self) -> bool:
        """Whether what can be done next is more useful to see."""
        return self.kind != FIRST and not self.comes_first


def turn_plan(context: ViewContext) -> TurnPlan | None:
    """Return the steps of the viewer's running turn, or of the next one; None if there are none to show."""
    table = context.table
    if not context.live or table.over or table.frozen:
        return None
    if context.acting:
        if table.turn_begun:
            return _running(context)
        assert table.deciding is not None
        possible = planning_seat(table, context.mine) is not None
        prepared = table.prepared.get(table.deciding, ())
        if not prepared:
            return TurnPlan(FIRST, own=True) if possible else None
        ready = plan_view(context, READY, context.game, planned_turn(context.game, prepared))
        return replace(ready, own=True, possible=possible)
    return _later(context)


def with_plan(context: ViewContext, turn: TurnView, plan: TurnPlan | None) -> TurnView:
    """Return the guided turn; if a plan for it does not work any more, that is said first."""
    if plan is None or plan.kind != READY or not plan.broken:
        return turn
    return replace(turn, sentence=context.t.text("Your plan does not work any more."))


def _running(context: ViewContext) -> TurnPlan:
    """Return the turn that runs: every step can be taken back with all that follow."""
    table, begun = context.table, context.game.copy()
    if table.turn:
        begun.undo_turn()
    held_action = () if table.held_action is None else (table.held_action,)
    return removable(plan_view(context, RUNNING, begun, planned_turn(begun, (*table.turn, *held_action))))


def removable(plan: TurnPlan) -> TurnPlan:
    """Return a turn each of whose steps can be taken back, with all that follow."""
    count = len(plan.steps)
    return replace(plan, steps=tuple(replace(each, undo=count - at) for at, each in enumerate(plan.steps)))


def _later(context: ViewContext) -> TurnPlan | None:
    """Return the next turn of the viewer's seat, as far as it was prepared."""
    seat = planning_seat(context.table, context.mine)
    if seat is None:
        return None
    ahead, prepared = context.game.in_turn_of(seat), context.table.prepared.get(seat, ())
    if ahead is None:
        return TurnPlan(LATER, possible=False) if prepared else None
    return plan_view(context, LATER, ahead, planned_turn(ahead, prepared))


def planning_seat(table: Table, seats: frozenset[int]) -> int | None:
    """Return which of these seats can plan its turn: the one to move, else the next; None if it has begun its turn."""
    deciding = table.deciding
    if deciding is None:
        return None
    if deciding in seats & table.settings.persons:
        begins = turn_to_plan(table.game, deciding, begun=table.turn_begun)
        return deciding if begins and table.human(deciding) else None
    waiting = [seat for seat in seats if table.human(seat)]
    return min(waiting, key=lambda seat: (seat - deciding) % table.game.players, default=None)


def plan_view(context: ViewContext, kind: str, begun: Game, plan: PlannedTurn) -> TurnPlan:
    """Return the view of a turn that begins in a position."""
    seat, problem = begun.seat, plan.problem
    assert seat is not None
    reason, rule = sentence_and_rule(problem, context.t) if problem else ("", "")
    return TurnPlan(
        kind,
        steps=tuple(
            StepView(*_icon_and_words(context, each.before, each.actions), price(each.cost) if each.cost else "")
            for each in plan.steps
        ),
        total=price(plan.cost),
        left=florins(begun.money[seat] - plan.cost),
        gain=plan.gain if context.forecast_of(seat) else None,
        gain_words=change(plan.gain) if plan.gain else "±0",
        actions="" if problem else " ".join(map(str, plan.actions)),
        broken=_icon_and_words(context, plan.game, plan.left[:1])[1] if problem else "",
        reason=reason,
        rule=rule,
    )


def _icon_and_words(context: ViewContext, before: Game, actions: Sequence[int]) -> tuple[str, str]:  # noqa: PLR0912 - one branch for each family
    """Return the icon of a step, and its few words; `before` is the position in which it is taken."""
    t, board, state = context.t, before.figures.board, before.position
    match action := act.decode(actions[-1], before.figures):
        case act.Buy(card):
            return "card", t.text("Buy {card}", card=context.teller.card(card))
        case act.Sail(leg):
            return "sail", t.text("Sail to {city}", city=CITY_NAMES[leg.city])
        case act.Build() | act.Reopen():
            return "house", warehouse_words(t, action)
        case act.BuildFortress():
            return "tower", t.text("Fortress")
        case act.TakeLoan(kind):
            return "coin", t.text("Loan of {amount}", amount=int(board.loan_amount[kind]))
        case act.Repay(kind):
            return "coin", t.text("Repay the loan of {amount}", amount=int(board.loan_amount[kind]))
        case act.Extend(kind):
            return "coin", t.text("Extend the loan of {amount}", amount=int(board.loan_amount[kind]))
        case act.MovePirateFree(city) | act.MovePirateForMoney(city):
            return "pirate", t.text("Pirate to {city}", city=CITY_NAMES[city])
        case act.SailPirate(leg):
            return "pirate", t.text("Pirate to {city}", city=CITY_NAMES[leg.city])
        case act.LandPirate():
            legs = [act.decode(each, before.figures) for each in actions[:-1]]
            cities = [leg.leg.city for leg in legs if isinstance(leg, act.SailPirate)]
            return "pirate", t.text("Pirate to {city}", city=CITY_NAMES[cities[-1] if cities else state.pirate_at])
        case act.NameStarter(seat):
            return "helm", context.teller.merchant(seat)
        case act.Pass():
            return "flag", t.text("Pass: no other move is possible")
        case act.End():
            return "flag", t.text("End the turn")
        case _:
            assert_never(action)


# ------------------------------------------------------------------------------------------------- preparing a turn


def planned_table(table: Table, viewer: Viewer) -> tuple[Table, Game, PlannedTurn] | None:
    """Return the table as if the viewer's turn had gone as prepared, where it begins, and its steps.

    None if it cannot be prepared now.

    A step that does not work any more is left out, with all that follow it.
    """
    seat = planning_seat(table, own_seats(table, viewer))
    possible = seat is not None and not table.over and not table.frozen
    ahead = turn_to_plan(table.game, seat, begun=table.turn_begun) if seat is not None and possible else None
    if seat is None or ahead is None:
        return None
    plan = planned_turn(ahead, table.prepared.get(seat, ()))
    played = plan.actions if plan.ends_with is None else plan.actions[:-1]
    shown = replace(
        table,
        settings=replace(table.settings, hints=False, chat=False),
        game=plan.game,
        turn_begins=ahead.event_count,
        turn=played,
        held_action=plan.ends_with,
        undoable=len(plan.steps) - (plan.ends_with is not None),
        redoable=0,
        prepared={},
        thinking=False,
        undo_vote=None,
        clocks=table.clocks if seat == table.deciding else None,
        chat=(),
        kept={},
    )
    return shown, ahead, plan
