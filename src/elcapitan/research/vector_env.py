"""A Gymnasium vector environment of thousands of games: a `Fleet` behind the interface that libraries know.

    from elcapitan.research.vector_env import ElCapitanVectorEnv

    envs = ElCapitanVectorEnv(1024, players=4, others="light")
    seen, infos = envs.reset(seed=1)
    seen, rewards, terminated, truncated, infos = envs.step(actions)

Two ways to learn:

- **Self-play** (`others=None`): one policy decides for the seat that acts, told in `infos["seat"]`. The reward
  of a step is that of the seat that acted, so it is 0 until the end; what the end paid each seat is in
  `infos["rewards"]`.
- **One seat** (`others="light"` or another opponent of `Fleet`): all other seats are played inside. The reward is that
  of the own seat, `infos["own"]`.

With `shaping` every step is rewarded, see `research.shaping`; in self-play what it changed for each seat is in
`infos["rewards"]`, also for those that did not act.

An observation is a dictionary: `observation`, the cells that `research.layout` names, and `action_mask`, 1 for every
legal action. A finished game begins anew in the same step (`AutoresetMode.SAME_STEP`); where `infos["_final_obs"]`,
`infos["final_obs"]` holds its end. The arrays are those of the fleet, kept up to date by every step: pass `copy=True`
to get copies.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from elcapitan.board.figures import Figures
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.record import aligned_zeros
from elcapitan.notation.diagram import draw
from elcapitan.players.python_players import BatchPlayer
from elcapitan.research.arguments import render_mode_of
from elcapitan.research.fleet import Fleet
from elcapitan.research.layout import CELLS, VERSION
from elcapitan.research.needs import extra
from elcapitan.research.shaping import Shaping

with extra("research"):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Seen = dict[str, npt.NDArray[np.int8]]


def observation_space() -> spaces.Dict:
    """Return the space of what one game shows."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (CELLS,), np.int8),
            "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )


class ElCapitanVectorEnv(VectorEnv[Seen, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games as one vector environment."""

    def __init__(
        self,
        num_envs: int = 1024,
        players: int = 4,
        tiles: Sequence[str] = (),
        *,
        stakes: str = "win",
        others: str | BatchPlayer | None = None,
        shaping: float = 0.0,
        discount: float = 1.0,
        shaped_end: str = "money",
        options: Mapping[str, bool] | None = None,
        figures: Figures | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        copy: bool = False,
    ) -> None:
        agreed: Any = {"stakes": stakes, "others": others, "options": options, "figures": figures, "threads": threads}
        self.fleet = Fleet(num_envs, players, tiles, **agreed)
        self.metadata = {
            "autoreset_mode": AutoresetMode.SAME_STEP,
            "render_modes": ["ansi"],
            "observation_version": VERSION,
        }
        self.render_mode = render_mode_of(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._shaping = Shaping(self.fleet, shaping, discount=discount, end=shaped_end) if shaping else None
        self._rewards = self.fleet.rewards
        self._nothing_legal = aligned_zeros((num_envs, N_ACTIONS), np.int8)
        self._every = np.arange(num_envs)

    def __copy__(self) -> "ElCapitanVectorEnv":
        return deepcopy(self)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal all games anew: a seed gives the same games again, none gives others.

        With a list, each game has a seed of its own, or another each time where it is None.
        """
        del options
        super().reset(seed=None if isinstance(seed, list) else seed)
        seeds = seed if isinstance(seed, list) else [seed]
        drawn = [int(self.np_random.integers(2**63)) if one is None else one for one in seeds]
        self.fleet.reset(drawn if isinstance(seed, list) else drawn[0])
        self._rewards = self.fleet.rewards
        if self._shaping:
            self._shaping.reset()
        return self._seen(), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Seen, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play one action in every game."""
        fleet = self.fleet
        acting = fleet.seats.astype(np.intp)
        fleet.step(actions)
        self._rewards = fleet.rewards + self._shaping.step() if self._shaping else fleet.rewards
        rewards = self._rewards[self._every, acting]
        infos = self._infos()
        if fleet.finished.any():
            last = {"observation": fleet.last, "action_mask": self._nothing_legal}
            infos |= {"final_obs": self._given(last), "_final_obs": fleet.finished.copy()}
        return self._seen(), rewards, fleet.finished.copy(), np.zeros(self.num_envs, np.bool_), infos

    @property
    def _flags(self) -> npt.NDArray[np.int8]:
        """The legal actions as Gymnasium needs them: a view, so that copying this environment cannot detach it."""
        return self.fleet.legal.view(np.int8)

    def _seen(self) -> Seen:
        return self._given({"observation": self.fleet.observations, "action_mask": self._flags})

    def _given(self, seen: Seen) -> Seen:
        """Return the arrays shared or copied, as the environment was told."""
        return {name: cells.copy() for name, cells in seen.items()} if self._copy else seen

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"seat": self.fleet.seats.copy(), "rewards": self._rewards.copy()}
        if self.fleet.others is not None:
            infos["own"] = self.fleet.own.copy()
        return infos

    def render(self) -> tuple[Any, ...] | None:
        """Draw every game in text, if the render mode is `ansi`."""
        if self.render_mode != "ansi":
            return None
        return tuple(draw(state, self.fleet.figures) for state in self.fleet.states)

    def close_extras(self, **_: Any) -> None:
        """Stop the threads of the fleet."""
        self.fleet.close()
