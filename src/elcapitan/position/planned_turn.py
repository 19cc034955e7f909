"""A turn as a list of steps: what each costs, what all of them leave and bring, and the first that does not work."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.errors import IllegalAction
from elcapitan.game.game import Game
from elcapitan.game.history import action_groups, turn_of
from elcapitan.position.preview import preview


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step of a turn: an action, or a voyage of the pirate with all its cards."""

    actions: tuple[int, ...]
    before: Game  # not to be changed
    cost: int  # florins; negative: it brings money


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """The steps of a turn that work one after another, from where it begins."""

    steps: tuple[PlannedStep, ...]
    game: Game  # after these steps, but before one that ends the turn
    ends_with: int | None  # the action that would end the turn, if the last step does
    gain: int  # how much more, or less, a payday would then pay the seat
    problem: IllegalAction | None  # why the next step does not work; None if all do
    left: tuple[int, ...]  # the actions from there on

    @property
    def cost(self) -> int:
        """What all steps cost together."""
        return sum(step.cost for step in self.steps)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the steps that work."""
        return tuple(action for step in self.steps for action in step.actions)


def turn_to_plan(game: Game, seat: int, *, begun: bool) -> Game | None:
    """Return a game in which the turn begins that a seat can plan: the running one, until something is done in it.

    For any other seat it is the next turn. None if there is none, as when a payday comes before it.
    """
    if seat == game.seat:
        return game if game.stage == "start" and not begun else None
    return game.in_turn_of(seat)


def planned_turn(game: Game, actions: Sequence[int]) -> PlannedTurn:
    """Play actions on a copy of a game in which the turn begins, as far as the rules allow them."""
    now, turn = game.copy(), turn_of(game.position)
    steps: list[PlannedStep] = []
    problem: IllegalAction | None = None
    ends_with: int | None = None
    groups = action_groups(actions)
    for group in groups:
        if ends_with is not None:
            problem = IllegalAction("after-the-turn", "TURN-03")
            break
        try:
            cost = preview(now, group).cost
        except IllegalAction as error:
            problem = error
            break
        steps.append(PlannedStep(group, now, cost))
        after = now.copy()
        after.play_all(group)
        if after.card_due or turn_of(after.position) != turn:
            ends_with = group[-1]
        else:
            now = after
    gain = preview(game, tuple(action for step in steps for action in step.actions)).gains[turn[2]] if steps else 0
    left = tuple(action for group in groups[len(steps) :] for action in group)
    return PlannedTurn(tuple(steps), now, ends_with, gain, problem, left)
