"""El Capitán as an OpenSpiel game, registered by importing this module.

    import pyspiel
    import elcapitan.research.openspiel

    game = pyspiel.load_game("elcapitan(players=3,tiles=Porto+Lisboa,stakes=rank)")
    state = game.new_initial_state()

| parameter | | default |
|---|---|---|
| `players` | 2 to 5 | 4 |
| `tiles` | cities of the expansion with + between them: Porto, Lisboa, Canarias; or all, or none | none |
| `stakes` | what the end pays: win, rank or money; see below | win |
| `first` | the seat that begins | 0 |
| `buy_before_loan`, `reopen_shuts`, `pirate_before_loan` | the table options | false, true, false |

Sequential, paid at the end; `win` and `rank` are constant-sum, `money` is zero-sum for two players and general-sum for
more. Every card that is turned up is a chance node of its own, the opening display
included, and all cards that can come are equally likely: the state holds no secret, so the game is one of perfect
information and any search is an honest one. Actions are the numbers of `elcapitan.engine.actions`; chance outcomes are
the numbers of cards. `win` shares 1 among the winners; `rank` pays 1 for the first place down to 0 for the last,
evenly; `money` pays the lead over the richest other, or what is missing to it, in hundreds of florins.

The observation tensor is what a seat sees, see `elcapitan.research.layout`; the observer's `dict` has the named parts
in their own shapes. A state is serialised as its history, like every state of OpenSpiel. Applying an action that is not
legal, or a card that cannot come, raises a ValueError and changes nothing.

**With OpenSpiel's algorithms.** Those written in Python play it, as `open_spiel.python.algorithms.mcts` does. Of those
in C++, bots that only ask for legal actions, `evaluate_bots` and `random_sim_test` do. `MCTSBot` of `pyspiel` ends the
process with every game written in Python, OpenSpiel's own included (open-spiel 2.0); `ISMCTSBot` wants hidden
information; AlphaZero in C++ knows only games in C++; CFR and its kin walk trees that are far smaller.
"""

import functools
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from elcapitan.actions.text import to_text
from elcapitan.board.figures import packaged
from elcapitan.engine import fleet, play
from elcapitan.engine.actions import N_ACTIONS
from elcapitan.engine.state import States
from elcapitan.engine.vocabulary import CARDS, OPTION_NAMES, OVER, REVEAL, SEATS, TILE_NAMES
from elcapitan.game.position_queries import cards_to_come, legal_in, position, refusal_in
from elcapitan.game.setup import DEFAULTS, FEWEST, Setup
from elcapitan.notation.diagram import draw
from elcapitan.research.arguments import one_of
from elcapitan.research.layout import CELLS, PARTS, part
from elcapitan.research.needs import extra

with extra("openspiel"):
    import pyspiel

LONGEST: Final = 10_000  # actions and cards: more than any game has
MOST_POINTS: Final = 500.0  # of a lead in money: twice all the money a board may hold, in hundreds
FIGURES: Final = packaged()
DESKS: Final = play.desks()  # OpenSpiel plays in one thread
PARAMETERS: Final[dict[str, Any]] = {"players": 4, "tiles": "none", "stakes": "win", "first": 0, **DEFAULTS}


def game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    """Return what OpenSpiel wants to know of every game of this kind."""
    return pyspiel.GameType(
        short_name="elcapitan",
        long_name="El Capitan",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=SEATS,
        min_num_players=FEWEST,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


GAME_TYPE: Final = game_type(pyspiel.GameType.Utility.GENERAL_SUM)


def utility_of(stakes: int, players: int) -> tuple[pyspiel.GameType.Utility, float | None]:
    """Return whether what the end pays adds up to the same sum in all games, and to which."""
    if stakes == fleet.MONEY:
        two = players == FEWEST
        return (pyspiel.GameType.Utility.ZERO_SUM, 0.0) if two else (pyspiel.GameType.Utility.GENERAL_SUM, None)
    return pyspiel.GameType.Utility.CONSTANT_SUM, 1.0 if stakes == fleet.WIN else players / 2


def tiles_in(written: str) -> list[str]:
    """Parse the cities of the expansion in a parameter."""
    if written in ("all", "none", ""):
        return list(TILE_NAMES) if written == "all" else []
    short = {name.removeprefix("Islas ").lower(): name for name in TILE_NAMES}
    return [short.get(word.strip().removeprefix("Islas ").lower(), word) for word in written.split("+")]


@functools.lru_cache(maxsize=64)
def _drawing(content: bytes) -> str:
    """Draw a position in text; cached, because OpenSpiel asks for the same one many times."""
    return draw(position(content)[0], FIGURES)


class ElCapitanGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters, as OpenSpiel loads it."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**PARAMETERS, **(params or {})}
        options = {name: bool(chosen[name]) for name in OPTION_NAMES}
        self.setup = Setup.of(chosen["players"], tiles_in(chosen["tiles"]), chosen["first"], options)
        self.stakes = one_of("stakes", chosen["stakes"], fleet.STAKE_NAMES)
        in_money = self.stakes == fleet.MONEY
        utility, total = utility_of(self.stakes, self.setup.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS,
            max_chance_outcomes=CARDS,
            num_players=self.setup.players,
            min_utility=-MOST_POINTS if in_money else 0.0,
            max_utility=MOST_POINTS if in_money else 1.0,
            utility_sum=total,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(utility), info, dict(params or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> "ElCapitanState":
        """Return the state before the first card is turned up."""
        return ElCapitanState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Create an observer; nothing in this game is private."""
        del iig_obs_type, params
        return Observer()


class ElCapitanState(pyspiel.State):  # type: ignore[misc]
    """A position. OpenSpiel copies its attributes, so it has none that must be shared."""

    def __init__(self, game: ElCapitanGame) -> None:
        super().__init__(game)
        setup = game.setup
        self._stakes = game.stakes
        self._players = setup.players
        self._states = play.states()
        agreed = (setup.players, setup.tile_bits, setup.option_bits, setup.first)
        play.new(self._states, 0, FIGURES.boards, *agreed, 0, 0)

    @property
    def position(self) -> States:
        """The position as an array of one record, as the engine takes it."""
        return self._states

    def current_player(self) -> int:
        """Return the player that decides: a seat, chance, or the terminal player."""
        stage = self._states["stage"][0]
        if stage == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        if stage == REVEAL:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self._states["seat"][0])

    def _legal_actions(self, _player: int) -> list[int]:
        return legal_in(self._states, FIGURES, DESKS)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that can be turned up now, all equally likely."""
        cards = cards_to_come(self._states)
        return [(card, 1 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        if self._states["stage"][0] == REVEAL:
            if not (0 <= action < CARDS and play.possible(self._states, 0, action)):
                raise ValueError(f"card {action} cannot be turned up now; see chance_outcomes")
            play.chance(self._states, 0, FIGURES.boards, action)
        elif action in legal_in(self._states, FIGURES, DESKS):
            play.apply(self._states, 0, FIGURES.boards, action)
        else:
            raise ValueError(str(refusal_in(self._states.copy(), FIGURES, DESKS, action)))

    def _action_to_string(self, player: int, action: int) -> str:
        chance = player == pyspiel.PlayerId.CHANCE
        if not 0 <= action < (CARDS if chance else N_ACTIONS):
            return f"{'card' if chance else 'action'} {action}, which does not exist"
        return "card " + FIGURES.cards[action] if chance else to_text(action, FIGURES)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self._states["stage"][0] == OVER)

    def returns(self) -> list[float]:
        """Return what the end of the game pays every seat; 0 before it."""
        if not self.is_terminal():
            return [0.0] * self._players
        return fleet.payoffs(self._states, 0, self._stakes)

    def __str__(self) -> str:
        return _drawing(self._states.tobytes())


class Observer:
    """Observes a position from a seat, as a tensor and in named parts."""

    def __init__(self) -> None:
        self.tensor = np.zeros(CELLS, np.float32)
        self.dict = {name: part(self.tensor, name) for name in PARTS}  # views
        self._row = np.zeros((1, CELLS), np.int8)

    def __getstate__(self) -> npt.NDArray[np.float32]:
        return self.tensor

    def __setstate__(self, tensor: npt.NDArray[np.float32]) -> None:
        Observer.__init__(self)
        self.tensor[:] = tensor

    def set_from(self, state: ElCapitanState, player: int) -> None:
        """Fill the tensor with what a seat sees."""
        if not 0 <= player < state.get_game().num_players():
            raise ValueError(f"a seat is a number from 0 to {state.get_game().num_players() - 1}, not {player}")
        fleet.look(state.position, 0, player, self._row, 0)
        self.tensor[:] = self._row[0]

    def string_from(self, state: ElCapitanState, player: int) -> str:
        """Return a drawing, which is the same for every seat, under the number of the seat."""
        return f"seen from seat {player + 1}\n{state}"


pyspiel.register_game(GAME_TYPE, ElCapitanGame)
