"""A hint as it is shown: what a strong computer player would do, and its reasons in money."""

from collections.abc import Sequence
from dataclasses import dataclass

from elcapitan.engine.actions import END
from elcapitan.players.hints import Suggestion, adviser
from elcapitan.preview import preview
from elcapitan.service import Table
from elcapitan.text.actions import GROUPS, group, label
from elcapitan.text.levels import level_name
from elcapitan.web.scene.sight import Gain, Sight
from elcapitan.web.viewer import Viewer


@dataclass(frozen=True)
class AdviceScene:
    """One thing that could be done."""

    actions: str
    words: str
    later: str  # how the turn would go on
    cost: int  # of all of it, now
    gains: tuple[Gain, ...]  # on a payday now
    win: int | None  # percent
    money: tuple[tuple[int, str, int], ...]  # expected at the end: colour, name, florins


@dataclass(frozen=True)
class HintScene:
    """What a level thinks."""

    level: str
    suggestions: tuple[AdviceScene, ...]


def hint_scene(table: Table, viewer: Viewer, suggestions: Sequence[Suggestion]) -> HintScene:
    """A hint for the one who decides."""
    sight = Sight.of(table, viewer, table.game, acting=False)
    return HintScene(level_name(adviser(), viewer.t), tuple(_advice(sight, each) for each in suggestions))


def _advice(sight: Sight, suggestion: Suggestion) -> AdviceScene:
    """One thing that could be done, and how the turn would go on."""
    steps = [*suggestion.actions, *(step for step in suggestion.later if step != END)]
    told = _told(sight, steps)
    brings = preview(sight.game, steps)
    return AdviceScene(
        actions=" ".join(map(str, suggestion.actions)),
        words=", ".join(told[: len(suggestion.actions)]),
        later=", ".join(told[len(suggestion.actions) :]),
        cost=brings.cost,
        gains=sight.gains(brings.gains),
        win=None if suggestion.win is None else round(100 * suggestion.win),
        money=tuple(
            (sight.palette(seat), sight.teller.merchant(seat), round(money))
            for seat, money in enumerate(suggestion.money or ())
        ),
    )


def _told(sight: Sight, steps: Sequence[int]) -> list[str]:
    """Actions in the words of a menu, each in the position it would be done in."""
    game, told = sight.game.copy(), []
    for step in steps:
        title = GROUPS[group(step, game.figures)]
        told.append(f"{sight.t.template(title)}: {label(sight.teller, game.position, step)}")
        game.play(step)
    return told
