"""El Capitán as Gymnasium environments: one game or many, registered by importing this module.

    import gymnasium
    import elcapitan.research.gymnasium

    env = gymnasium.make("elcapitan/ElCapitan-v0", players=4, others="captain")
    seen, info = env.reset(seed=7)
    envs = gymnasium.make_vec("elcapitan/ElCapitan-v0", num_envs=1024, players=4, others="captain")

`make("elcapitan.research.gymnasium:elcapitan/ElCapitan-v0")` imports it by itself. The environment of many games is
`vector_env.ElCapitanVectorEnv`; with a seed for each of its games, game i is that of `make` with this seed. There
`others=None` is self-play, and an illegal action raises a ValueError with the rule.

| argument | | default |
|---|---|---|
| `players`, `tiles`, `options`, `figures` | the game, as for `Fleet` | four players |
| `others` | who plays the other seats, as for `Fleet`: `light`, `captain`, `champion:sims=1`, a player ... | `light` |
| `stakes` | what the end pays: `win`, `rank` or `money` | `win` |
| `shaping`, `discount`, `shaped_end` | a reward for every step, see `research.shaping`; 0 for none | 0 |
| `illegal` | `stay` or `raise`; see below | `stay` |
| `render_mode` | `ansi`, a drawing in text, or `svg`, a picture | none |

**One seat.** You play one seat, drawn anew for every game (`info["own"]`). A step goes from one decision of yours to
the next, and the reward is that of your seat.

**Illegal actions.** With `stay` nothing happens: the reward is 0, and `info["illegal"]` has the reason with the id of
the rule. With `raise` an `IllegalAction` is raised, with the same sentence. `env.unwrapped.action_masks()` says what is
legal, as sb3-contrib asks for it; so does the observation's `action_mask`.

**Chance.** A seed gives the same games in the same order. `reset()` without one deals the next of them.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from operator import index
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures
from elcapitan.engine import play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.game.position_queries import refusal_in
from elcapitan.notation.diagram import draw
from elcapitan.players.python_players import BatchPlayer
from elcapitan.research.arguments import one_of, render_mode_of
from elcapitan.research.elcapitan_v0 import picture
from elcapitan.research.fleet import Fleet
from elcapitan.research.layout import VERSION
from elcapitan.research.needs import extra
from elcapitan.research.shaping import Shaping
from elcapitan.research.vector_env import Seen, observation_space

with extra("research"):
    import gymnasium
    from gymnasium import spaces

NAME: Final = "elcapitan/ElCapitan-v0"
ILLEGAL: Final = ("stay", "raise")
SEEDS: Final = 2**63


class ElCapitanEnv(gymnasium.Env[Seen, np.int64]):
    """One game in which you play one seat."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "svg"],
        "render_fps": 1,
        "observation_version": VERSION,
    }

    def __init__(
        self,
        players: int = 4,
        tiles: Sequence[str] = (),
        *,
        others: str | BatchPlayer = "light",
        stakes: str = "win",
        shaping: float = 0.0,
        discount: float = 1.0,
        shaped_end: str = "money",
        illegal: str = "stay",
        options: Mapping[str, bool] | None = None,
        figures: Figures | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._raises = one_of("illegal", illegal, ILLEGAL) == ILLEGAL.index("raise")
        self.fleet = Fleet(1, players, tiles, stakes=stakes, others=others, options=options, figures=figures, threads=1)
        self.observation_space = observation_space()  # type: ignore[assignment]
        self.action_space = spaces.Discrete(N_ACTIONS)
        self.render_mode = render_mode_of(render_mode, self.metadata["render_modes"])
        self._shaping = Shaping(self.fleet, shaping, discount=discount, end=shaped_end) if shaping else None
        self._dealt = self._over = False

    def __copy__(self) -> "ElCapitanEnv":
        return deepcopy(self)  # a shallow copy would share the game

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a game: the first of a seed, or the next one."""
        del options
        super().reset(seed=seed)
        if seed is not None or not self._dealt:
            self.fleet.reset([int(self.np_random.integers(SEEDS)) if seed is None else seed])
        elif not self._over:  # the game after one that is over was dealt with its last step
            self.fleet.renew([True])
        if self._shaping:
            self._shaping.reset()
        self._dealt, self._over = True, False
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, then the other seats until yours has to decide again."""
        if self._over or not self._dealt:
            raise gymnasium.error.ResetNeeded("the game is over, or none was dealt; call reset()")
        number, fleet = index(action), self.fleet
        if not (0 <= number < N_ACTIONS and fleet.legal[0, number]):
            return self._refuse(number)
        own = int(fleet.own[0])
        fleet.step([number])
        self._over = bool(fleet.finished[0])
        reward = float(fleet.rewards[0, own]) + (float(self._shaping.step()[0, own]) if self._shaping else 0.0)
        info = {**self._info(), "own": own}
        if self._over:
            info["money"] = fleet.money[0].tolist()
        return self._seen(), reward, self._over, False, info

    def _refuse(self, number: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Leave the game as it is and tell the reason, or raise it."""
        problem = refusal_in(self.fleet.states.copy(), self.fleet.figures, play.desks(), number)
        if self._raises:
            raise problem
        return self._seen(), 0.0, False, False, {**self._info(), "illegal": str(problem)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal; none once the game is over."""
        return np.zeros(N_ACTIONS, np.bool_) if self._over else self.fleet.legal[0].copy()

    def _seen(self) -> Seen:
        cells = self.fleet.last if self._over else self.fleet.observations
        return {"observation": cells[0].copy(), "action_mask": self.action_masks().view(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {"own": int(self.fleet.own[0])}

    def render(self) -> Any:
        """Draw the position; that of the next game once this one is over."""
        state, figures = self.fleet.states[0], self.fleet.figures
        if self.render_mode == "svg":
            return picture(state, figures)
        return draw(state, figures) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Stop the threads of the fleet."""
        self.fleet.close()


if NAME not in gymnasium.registry:
    gymnasium.register(
        NAME,
        entry_point="elcapitan.research.gymnasium:ElCapitanEnv",
        vector_entry_point="elcapitan.research.vector_env:ElCapitanVectorEnv",
        kwargs={"others": "light"},  # also for many games; `others=None` is self-play
    )
