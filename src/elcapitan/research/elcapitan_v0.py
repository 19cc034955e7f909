"""El Capitán as a PettingZoo environment, `elcapitan_v0`.

    from elcapitan.research import elcapitan_v0

    env = elcapitan_v0.env(players=4, tiles=("Porto", "Lisboa"))
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else policy(observation["observation"], observation["action_mask"])
        env.step(action)

| | |
|---|---|
| agents | `merchant_0` to `merchant_4`, by seat; two to five |
| actions | `Discrete(953)`: every action is one number with a fixed meaning, see `elcapitan.engine.actions` |
| observation | `observation`: 951 cells of int8; `action_mask`: 953 of int8 |
| rewards | 0 until the end, then by `stakes` |

**Observation.** Everything that is public, seen from the agent's seat, in named parts; `elcapitan.research.layout`
names them and the page docs/research.md has the table. Nothing face down is in it. The mask of an agent that does not
act now is all 0.

**Actions.** A turn is several actions: cards bought, voyages, a build, an end. Whatever the mask allows leaves a way to
finish the turn. An illegal action raises a ValueError with the rule and changes nothing; to end the game instead, wrap
the environment in PettingZoo's `TerminateIllegalWrapper`.

**Rewards.** `stakes="win"` shares 1 among the winners; `"rank"` pays 1 for the first place down to 0 for the last,
evenly, equals the mean; `"money"` pays the lead over the richest other, or what is missing to it, in hundreds of
florins.

**Chance.** `reset(seed=s)` deals the cards of `Game.new(..., seed=s)`, and so of `elcapitan play --seed s`. Without a
seed the next game of the sequence is dealt.

**Arguments.** `players` 2 to 5; `tiles`, any of Porto, Lisboa and Islas Canarias; `options`, the table options;
`stakes`; `max_cycles`, after how many actions all agents are truncated, or none; `figures`, another board;
`render_mode`: `human` prints a drawing in text, `ansi` returns it, `svg` returns a picture.

**Version history.** v0: the first.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.actions.text import to_text
from elcapitan.board.figures import Figures, packaged
from elcapitan.engine import fleet, play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.state import State
from elcapitan.engine.vocabulary import AWAY, BANK, CITY_NAMES, NOBODY, OVER, PIRATE
from elcapitan.experiments.drawing import NAMESPACE, add, write
from elcapitan.game.game import Game
from elcapitan.game.position_queries import refusal_in
from elcapitan.game.setup import Setup
from elcapitan.notation.diagram import draw, headline
from elcapitan.notation.sketch import colour_letters
from elcapitan.position.as_numbers import observe
from elcapitan.position.facts import CityFacts, DecodedPosition, MerchantFacts
from elcapitan.research.arguments import one_of, render_mode_of
from elcapitan.research.layout import CELLS, VERSION
from elcapitan.research.needs import extra
from elcapitan.research.vector_env import Seen, observation_space

with extra("research"):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

STAKES: Final = fleet.STAKE_NAMES
SEEDS: Final = 2**63
VIEWS: Final = ("_stage", "_seat", "_listed")  # of other attributes; a copy takes them anew
COLOURS: Final = (
    "#c8321e",
    "#d9a514",
    "#2e8540",
    "#1f4fa6",
    "#6b2d7a",
)  # each has a letter too
PIRATE_COLOUR: Final = "#1e2429"
SITE: Final = 15
WIDE, HIGH, GAP = 12 * SITE + 16, 96, 10  # of a city
COLUMNS, ROWS = 4, 3
LINE: Final = 20  # of a merchant, below the cities


def env(**arguments: Any) -> Any:
    """Create the environment with PettingZoo's checking wrappers."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**arguments)))


class raw_env(AECEnv[str, Seen, int]):  # type: ignore[misc]  # noqa: N801 - the name that PettingZoo's environments have
    """The environment without PettingZoo's checking wrappers."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "elcapitan_v0",
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
        "observation_version": VERSION,
    }

    def __init__(
        self,
        players: int = 4,
        tiles: Sequence[str] = (),
        *,
        stakes: str = "win",
        options: Mapping[str, bool] | None = None,
        max_cycles: int | None = None,
        figures: Figures | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.setup = Setup.of(players, tiles, 0, options)
        self.figures = figures or packaged()
        self.max_cycles = max_cycles
        self.render_mode = render_mode_of(render_mode, self.metadata["render_modes"])
        self._stakes = one_of("stakes", stakes, STAKES)
        self.possible_agents = [f"merchant_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in self.possible_agents}
        self.state_space = spaces.Box(-128, 127, (CELLS,), np.int8)
        self._states, self._desks = play.states(), play.desks()
        self._take_views()
        self._mask = np.zeros(N_ACTIONS, np.int8)
        self._dice, _ = seeding.np_random(None)
        self._cycles = 0

    def _take_views(self) -> None:
        """Keep views of the fields that are read after every action: looking them up costs more than the action."""
        self._stage, self._seat = self._states["stage"], self._states["seat"]
        self._listed = self._desks["actions"][0]

    def __copy__(self) -> "raw_env":
        return deepcopy(self)  # a shallow copy would share the position

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._take_views()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; without a seed, the next of the sequence."""
        del options
        if seed is None:
            seed = int(self._dice.integers(SEEDS))
        else:
            self._dice, _ = seeding.np_random(seed)
        setup = self.setup
        game = Game.new(setup.players, setup.tiles, options=setup.options, seed=seed, figures=self.figures)
        self._states[0] = game.position
        self._cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look_round(play.legal(self._states, 0, self.figures.boards, self._desks, 0))

    def _look_round(self, count: int) -> None:
        """Set the agent that acts next, and its mask of `count` legal actions."""
        self._mask = np.zeros(N_ACTIONS, np.int8)  # a new one: the caller may have kept the last
        self._mask[self._listed[:count]] = 1
        self.agent_selection = self.possible_agents[int(self._seat[0])]

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now, and its legal actions."""
        seen = observe(self._states, self._seat_of[agent])
        acts = agent == self.agent_selection and self._stage[0] != OVER
        return {"observation": seen, "action_mask": self._mask if acts else np.zeros(N_ACTIONS, np.int8)}

    def state(self) -> npt.NDArray[np.int8]:
        """Return the game as the first seat sees it, which is everything that is public."""
        return self.observe(self.possible_agents[0])["observation"]

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent that acts now; cards that follow are turned up."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else int(action)
        if not (0 <= number < N_ACTIONS and self._mask[number]):
            name = to_text(number, self.figures) if 0 <= number < N_ACTIONS else "no action"
            reason = refusal_in(self._states, self.figures, self._desks, number)
            raise ValueError(f"action {action} ({name}) is not legal now; see action_mask. {reason}")
        count = play.step(self._states, 0, self.figures.boards, self._desks, 0, number)
        self._cycles += 1
        self._cumulative_rewards[agent] = 0.0
        if self._stage[0] == OVER:
            self._end()
        else:
            self._look_round(count)
            if self._cycles == self.max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """Pay the rewards of all agents at the end of the game."""
        self.rewards = dict(zip(self.possible_agents, fleet.payoffs(self._states, 0, self._stakes), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._mask = np.zeros(N_ACTIONS, np.int8)
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """Return or print the position in text or as a picture, by the render mode."""
        if self.render_mode == "svg":
            return picture(self._states[0], self.figures)
        if self.render_mode == "ansi":
            return draw(self._states[0], self.figures)
        if self.render_mode == "human":
            print(draw(self._states[0], self.figures))  # noqa: T201 - what this mode is for
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def picture(s: State, figures: Figures) -> str:
    """Draw a position as SVG, the same for every seat, for notebooks, logs and papers; nothing face down is in it."""
    seen = DecodedPosition.of(s, figures)
    merchants = seen.merchants
    width, height = COLUMNS * (WIDE + GAP) + GAP, 40 + ROWS * (HIGH + GAP) + LINE * (len(merchants) + 2)
    drawing = ET.Element("svg", {"xmlns": NAMESPACE, "viewBox": f"0 0 {width} {height}", "role": "img"})
    add(drawing, "title").text = "El Capitán: " + headline(s)
    add(drawing, "style").text = "text { font: 11px sans-serif; fill: #1f2f3a; } .soft { fill: #52606a; }"
    add(drawing, "rect", width=width, height=height, fill="#d8e8e6")
    write(drawing, GAP, 22, headline(s), font_weight=600)
    letters = colour_letters(int(s.players))
    for city in seen.cities:
        _city(drawing, city, letters)
    bottom = 40 + ROWS * (HIGH + GAP) + LINE
    for merchant in merchants:
        _merchant(drawing, merchant, bottom + LINE * merchant.seat, figures)
    shown = [figures.cards[card.card] for kind in seen.display for card in kind]
    write(drawing, GAP, bottom + LINE * len(merchants), "For sale: " + ", ".join(shown), class_="soft")
    return ET.tostring(drawing, encoding="unicode")


def _piece(parent: ET.Element, x: float, y: float, owner: int, letters: str, *, round_: bool = False) -> None:
    """Draw a warehouse, a fortress or a ship, or the empty place for one."""
    colour = "#fffdf7" if owner == NOBODY else PIRATE_COLOUR if owner == PIRATE else COLOURS[owner]
    size = SITE - 2
    add(parent, "rect", x=x, y=y, width=size, height=size, rx=size / 2 if round_ else 2, fill=colour, stroke="#52606a")
    if owner != NOBODY:
        letter = "*" if owner == PIRATE else letters[owner]
        write(parent, x + size / 2, y + size - 3, letter, text_anchor="middle", style="fill: #fff; font-weight: 600")


def _city(parent: ET.Element, city: CityFacts, letters: str) -> None:
    """Draw a city: its name and what first rank earns, harbours and fortresses, sites, closed warehouses."""
    x, y = GAP + city.column * (WIDE + GAP), 34 + (city.row - 1) * (HIGH + GAP)
    add(parent, "rect", x=x, y=y, width=WIDE, height=HIGH, rx=6, fill="#fffbf1", stroke="#d8cbb0")
    write(parent, x + 8, y + 16, city.name, font_weight=600)
    write(parent, x + WIDE - 8, y + 16, f"pays {city.pays}", text_anchor="end", class_="soft")
    for number, slot in enumerate(city.harbours):
        _piece(parent, x + 8 + number * 34, y + 24, slot.occupant, letters, round_=True)
        write(parent, x + 24 + number * 34, y + 35, str(slot.price), class_="soft")
    for number, slot in enumerate(reversed(city.fortresses)):
        _piece(parent, x + WIDE - 8 - SITE - number * 34, y + 24, slot.occupant, letters)
        write(parent, x + WIDE - 12 - SITE - number * 34, y + 35, str(slot.price), text_anchor="end", class_="soft")
    for number, site in enumerate(city.sites):
        _piece(parent, x + 9 + number * SITE, y + 48, max(site, NOBODY), letters)
    if city.closed:
        write(parent, x + 8, y + 84, "closed", class_="soft")
    for number, colour in enumerate(city.closed):
        _piece(parent, x + 50 + number * SITE, y + 74, colour, letters)


def _merchant(parent: ET.Element, merchant: MerchantFacts, y: float, figures: Figures) -> None:
    """Write what a merchant has, in one line."""
    add(parent, "rect", x=GAP, y=y - 10, width=12, height=12, rx=2, fill=COLOURS[merchant.seat])
    ship = {BANK: "the bank", AWAY: "away"}.get(merchant.place) or CITY_NAMES[merchant.place]
    told = [
        f"{merchant.cash} florins, owes {merchant.debt}",
        f"warehouses {'+'.join(map(str, merchant.stock))}",
        f"fortresses {merchant.fortresses}",
        f"ship: {ship}",
        "hand: " + (", ".join(figures.cards[card] for card in merchant.hand) or "none"),
    ]
    write(parent, GAP + 18, y, " · ".join(told))
