"""Calibrate the win chances that the network gives: play games, fit on one set of them, report on another.

Games are played by mixed levels: every seat draws its own. One random position of each game is kept, with what every
seat had in the end. Batches of games are files of their own; a batch that exists is not played again, and each depends
on nothing but its seed and its numbers.

    nice -n 19 python tools/fit_chances.py play build/chances
    python tools/fit_chances.py fit build/chances
    python tools/fit_chances.py report build/chances
    python tools/fit_chances.py time build/chances

`fit` finds how to weigh what is seen in a position, for each number of players, without tiles and with any, and each
phase: chances by maximum likelihood, money by least squares. It writes the data file. `report` says for each kind of
game how far the chances are from what happened, in 20 bins: the mean distance weighed by size (ECE), and the bin whose
99 % interval is furthest from the diagonal; the Brier score summed over seats, of the chances, of the network's word
for its best plan, of the captain's estimate and of equal chances; and how far the money was off. `time` says how much
processor time one position takes.
"""

import argparse
import math
import re
import time
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np

from elcapitan.board.figures import packaged
from elcapitan.bots import chances
from elcapitan.bots.bot import NO_TREE, View, weights
from elcapitan.bots.champion import MONEY_COUNTS
from elcapitan.bots.chances import win_chances
from elcapitan.bots.network import Network, packaged_network
from elcapitan.engine import play, think
from elcapitan.engine.network.evaluate import choose_turns, evaluate
from elcapitan.engine.network.turns import MONEY_UNIT, NOTHING_CHOSEN, Offer, Offering, dealing, empty_rows
from elcapitan.engine.policies import LIGHT
from elcapitan.engine.record import zeros
from elcapitan.engine.rng import generator
from elcapitan.engine.search.tree import START_OF_SEARCH
from elcapitan.engine.search.worth import PLANS
from elcapitan.engine.vocabulary import DEFAULT_OPTIONS, OPTION_NAMES, OVER, PHASES, SEATS
from elcapitan.game.position_queries import without_secrets

Whole = np.ndarray[Any, np.dtype[Any]]

DATA: Final = Path(__file__).parents[1] / "src" / "elcapitan" / "data" / chances.FILE
SEED: Final = 17
GAMES: Final = 250  # of a batch
FITTED, REPORTED = "fit", "report"  # the sets of games
FITTED_BATCHES: Final = 27  # of each group
GROUPS: Final = tuple((players, tiled) for players in range(2, SEATS + 1) for tiled in (False, True))
TILE_SETS: Final = (7, 7, 7, 1, 2, 3, 4, 5, 6)  # of games with tiles, each as likely
USUAL_OPTIONS: Final = 0.8  # of the games; the others have any
WANDERER, TRADER, CAPTAIN, CHAMPION = range(4)  # levels at the table, each as likely
WEIGHED: Final = {TRADER: "forecast", CAPTAIN: "worth"}
ROOM: Final = 64 * 24 + PLANS  # rows that the network values at once
TILED: Final = {False: "plain", True: "tiles"}
CAPTAINS_SPREAD: Final = 0.6  # of the spread of the estimate: so searches reckon with it (engine.search.tree.chances)
NEWTON_STEPS: Final = 20
HALVINGS: Final = 20  # of a step that makes it worse
BINS: Final = 20
Z: Final = 2.576  # for an interval of 99 %
PAGE: Final = Path(__file__).parents[1] / "docs" / "levels.md"
SECTION: Final = re.compile(r"(<!-- generated: chances -->)\n.*?(<!-- end -->)", re.DOTALL)
HEAD: Final = """\
# How win chances and money are weighed from what networks and captains see in a position: see bots/chances.py. Found
# by tools/fit_chances.py. A network with another digest needs a fit of its own.

[networks]
champion_for_two = "{digest2}"
champion = "{digest3}"
"""


class Batch(NamedTuple):
    """One random position of each game of a batch, and how the game ended."""

    positions: Any
    money: Whole  # of each seat at the end
    levels: Whole  # who played each seat
    turn: Whole  # of the game, from 1


class Table:
    """Games of one batch, side by side, with the levels of their seats."""

    def __init__(self, players: int, tiled: bool, seeds: tuple[int, ...]) -> None:
        self._dice = np.random.default_rng([*seeds, players, tiled])
        self._boards, self._desks, self._g = packaged().boards, play.desks(), generator(self._number())
        self._lines, self._buffers = think.lines(), think.search_buffers()
        self._rows, self._layers = empty_rows(ROOM), packaged_network(players).layers
        self.games: Any = play.states(GAMES)
        self.kept: Any = play.states(GAMES)
        self.levels = self._dice.integers(0, 4, (GAMES, SEATS)).astype(np.int8)
        self.turns, self.turn = np.zeros(GAMES, np.int16), np.zeros(GAMES, np.int16)
        self._sampled = np.zeros(GAMES, bool)
        for i in range(GAMES):
            tiles = int(self._dice.choice(TILE_SETS)) if tiled else 0
            usual = self._dice.random() < USUAL_OPTIONS
            options = DEFAULT_OPTIONS if usual else int(self._dice.integers(1 << len(OPTION_NAMES)))
            first = int(self._dice.integers(players))
            play.new(
                self.games, i, self._boards, players, tiles, options, first, self._number() >> 2, self._number() >> 2
            )
            play.turn_up(self.games, i, self._boards)

    def _number(self) -> int:
        return int(self._dice.integers(1 << 32))

    def play(self) -> Batch:
        """Play all games to their end."""
        while len(going := np.flatnonzero(self.games["stage"] != OVER)):
            self.turns[going] += 1
            self._sampled = self._dice.random(GAMES) * self.turns < 1
            level = self.levels[going, self.games["seat"][going]]
            for i in going[level == WANDERER].tolist():
                self._wander(i)
            for planner in WEIGHED:
                self._plan(going[level == planner], weights(WEIGHED[planner]))
            self._judge(going[level == CHAMPION])
        return Batch(self.kept, self.games["cash"].copy(), self.levels, self.turn)

    def _keep(self, i: int) -> None:
        """Keep the position of a game instead of the one kept before."""
        self.kept[i] = self.games[i]
        self.turn[i] = self.turns[i]

    def _wander(self, i: int) -> None:
        """Play a turn by the dice of the lowest level."""
        s, done = self.games[i], 0
        seat, phase = int(s.seat), int(s.phase)
        while s.stage != OVER and s.seat == seat and s.phase == phase:
            done += 1
            if self._sampled[i] and self._dice.random() * done < 1:
                self._keep(i)
            play.apply(self.games, i, self._boards, self._chosen_by_dice(i))
            play.turn_up(self.games, i, self._boards)

    def _chosen_by_dice(self, i: int) -> int:
        return play.choose(self.games, i, self._boards, self._desks, 0, self._g, LIGHT)

    def _follow(self, i: int, steps: list[int]) -> None:
        """Carry out a plan; in a turn that is sampled, keep the position before one of its steps."""
        kept = int(self._dice.integers(len(steps))) if self._sampled[i] else -1
        for k, step in enumerate(steps):
            if k == kept:
                self._keep(i)
            play.apply(self.games, i, self._boards, step)
        play.turn_up(self.games, i, self._boards)

    def _arrays(self, valued: Any) -> think.SearchArrays:
        return think.SearchArrays(self._lines, self._boards, self._desks, self._buffers, valued, self._g, NO_TREE)

    def _plan(self, which: Whole, valued: Any) -> None:
        """Play a turn by the plan with the best worth, step by step where a position is to be kept."""
        arrays = self._arrays(valued)
        for i in which[self._sampled[which]].tolist():
            self._lines[START_OF_SEARCH] = self.games[i]
            best = think.think(arrays)
            self._follow(i, self._buffers[0].steps[best][: self._buffers[0].length[best]].tolist())
        others = which[~self._sampled[which]]
        games = self.games[others]
        told = dealing(len(others))
        told.played_by_captains[:] = 1 << games["seat"]
        nothing = np.full(len(others), NOTHING_CHOSEN, np.int16)
        think.offer_turns(games, arrays, Offering(zeros(Offer, len(others)), nothing, self._lines, empty_rows(0), told))
        self.games[others] = games

    def _judge(self, which: Whole) -> None:
        """Play a turn by the plan that the network likes best."""
        arrays = self._arrays(weights("worth"))
        while len(which):
            games, offers = self.games[which], zeros(Offer, len(which))
            chosen, best = np.full(len(which), NOTHING_CHOSEN, np.int16), np.zeros(len(which), np.int32)
            told = dealing(len(which))
            rows = self._rows
            count = think.offer_turns(games, arrays, Offering(offers, chosen, self._lines, rows, told))
            outcomes = evaluate(rows.features[:count], self._layers)
            over = rows.over[:count] == 1
            outcomes[over] = rows.outcome[:count][over]
            choose_turns(offers["first"], offers["plans"], games["players"], outcomes, MONEY_COUNTS, chosen, best)
            waiting = chosen == NOTHING_CHOSEN
            for k in np.flatnonzero(~waiting).tolist():
                plan = int(chosen[k])
                self._follow(int(which[k]), offers[k].steps[plan][: offers[k].length[plan]].tolist())
            which = which[waiting]


def play_batches(folder: Path, batches: int, seed: int) -> None:
    """Play what is missing, group by group, so that all grow together.

    The first batches are there twice, with other games: to fit on, and to report on like all later ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for batch in range(batches):
        for players, tiled in GROUPS:
            for stream in (0, 1) if batch < FITTED_BATCHES else (0,):
                name = FITTED if stream == 0 and batch < FITTED_BATCHES else REPORTED
                path = folder / f"{_stem(name, players, tiled)}-{batch:03}.npz"
                if not path.exists():
                    played = Table(players, tiled, (seed, stream, batch)).play()
                    raw = np.ascontiguousarray(played.positions).view(np.uint8).reshape(GAMES, -1)
                    part = path.with_suffix(".part")
                    with part.open("wb") as file:
                        np.savez_compressed(file, **played._replace(positions=raw)._asdict())
                    part.rename(path)


def _stem(name: str, players: int, tiled: bool) -> str:
    """Return how the files of a set of games begin."""
    return f"{name}-{players}-{TILED[tiled]}"


# ------------------------------------------------------------------------------------------------- what is seen in them


class Sample(NamedTuple):
    """Positions of one group: what is seen in them, who decided, and what came of it."""

    plan: Whole  # by seat, as in `chances.Estimates`
    others: Whole
    captain: Whole
    decider: Whole
    phase: Whole
    share: Whole  # of the win, by seat
    money: Whole


def sample_of(folder: Path, name: str, players: int, tiled: bool) -> Sample:
    """Look at all positions of a group; what was looked at before is read."""
    network = packaged_network(players)
    parts = []
    for path in sorted(folder.glob(f"{_stem(name, players, tiled)}-???.npz")):
        looked = path.with_name(f"{path.stem}-{network.digest[:8]}.npz")
        if not looked.exists():
            with looked.open("wb") as file:
                np.savez(file, **_look(path, players, network)._asdict())
        with np.load(looked) as found:
            parts.append(Sample(**found))
    return Sample(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _look(path: Path, players: int, network: Network) -> Sample:
    """Look at all positions of a batch."""
    with np.load(path) as found:
        raw, money = found["positions"], found["money"][:, :players].astype(float)
    views = views_of(raw)
    seen = [chances.estimate(view, network) for view in views]
    won = money == money.max(axis=1, keepdims=True)
    return Sample(
        plan=np.array([each.plan for each in seen]),
        others=np.array([each.others for each in seen]),
        captain=np.array([each.captain for each in seen]),
        decider=np.array([view.seat for view in views]),
        phase=np.array([chances.group_of(view)[2] for view in views]),
        share=won / won.sum(axis=1, keepdims=True),
        money=money,
    )


def views_of(raw: Whole) -> list[View]:
    """Return positions as seats see them."""
    states = play.states(len(raw))
    cast(Any, states).view(np.uint8).reshape(raw.shape)[:] = raw
    return [View(without_secrets(states[i : i + 1]), packaged().boards) for i in range(len(raw))]


# ----------------------------------------------------------------------------------------------------------------- fit


def fit(folder: Path) -> None:
    """Fit all groups and write the data file."""
    text = [HEAD.format(**{f"digest{players}": packaged_network(players).digest for players in (2, 3)})]
    for players, tiled in GROUPS:
        sample = sample_of(folder, FITTED, players, tiled)
        inputs, said = chance_inputs(sample, players), np.zeros_like(sample.share)
        weights_of, money_of = [], []
        for phase in range(1, PHASES + 1):
            here = sample.phase == phase
            weights_of.append(most_likely(inputs[here], sample.share[here], np.zeros(inputs.shape[2])))
            said[here] = chances.softmax(inputs[here] @ weights_of[-1])
            money_of.append(fit_money(money_inputs(sample, players)[here], sample.money[here]))
        bent = chances.curve_inputs(said)
        curve = most_likely(bent, sample.share, np.eye(1, bent.shape[2])[0])
        text += [f"# {len(said)} games", f"[players{players}.{TILED[tiled]}]"]
        text += [f"curve = [{', '.join(f'{value:.4g}' for value in curve)}]", ""]
        for phase, (by, money) in enumerate(zip(weights_of, money_of, strict=True), 1):
            text.append(f"[players{players}.{TILED[tiled]}.phase{phase}]")
            numbers = zip(chances.Calibration._fields[:-1], (*by, *money), strict=True)
            text += [*(f"{name} = {value:.4g}" for name, value in numbers), ""]
    DATA.write_text("\n".join(text), "utf-8")


def most_likely(inputs: Whole, share: Whole, near: Whole) -> Whole:
    """Find the weights of inputs by which the shares of the win are most likely, by Newton's method.

    Weights far from `near` count as a little unlikely themselves.
    """

    def unlikely(by: Whole) -> float:
        logarithms = np.log(np.maximum(chances.softmax(inputs @ by), chances.LEAST))
        return float(((by - near) ** 2).sum() / 2 - (share * logarithms).sum())

    by = near.copy()
    for _ in range(NEWTON_STEPS):
        expected = chances.softmax(inputs @ by)
        apart = inputs - (expected[..., None] * inputs).sum(axis=1, keepdims=True)
        slope = ((share - expected)[..., None] * inputs).sum(axis=(0, 1)) - (by - near)
        curve = np.einsum("np,npi,npj->ij", expected, apart, apart) + np.eye(len(by))
        step = np.linalg.solve(curve, slope)
        for _ in range(HALVINGS):
            if unlikely(by + step) <= unlikely(by):
                by = by + step
                break
            step /= 2
    return by


def fit_money(inputs: Whole, money: Whole) -> list[float]:
    """Find the weights of inputs by least squares, and the standard deviation of what is left."""
    rows, paid = inputs.reshape(-1, inputs.shape[2]), money.reshape(-1)
    line = np.linalg.lstsq(rows, paid, rcond=None)[0]
    return [*line.tolist(), float((paid - rows @ line).std())]


def chance_inputs(sample: Sample, players: int) -> Whole:
    """Return for each position and seat what its chances are weighed from."""
    deciding = np.arange(players) == sample.decider[:, None]
    return np.stack([*(each[:, :players] for each in (sample.plan, sample.others, sample.captain)), deciding], axis=-1)


def money_inputs(sample: Sample, players: int) -> Whole:
    """Return for each position and seat what its money is weighed from."""
    seen = [MONEY_UNIT * each[:, SEATS : SEATS + players] for each in (sample.plan, sample.others, sample.captain)]
    return np.stack([*seen, np.ones_like(seen[0])], axis=-1)


# -------------------------------------------------------------------------------------------------------------- report


def report(folder: Path) -> None:
    """Print a table with a line for each group, and put it into the page."""
    lines = [
        "| players | games | error | worst bin: said, happened (99 %) | Brier | network alone | captain | equal "
        "| money off by |",
        "|---|---:|---:|---|---:|---:|---:|---:|---:|",
    ]
    for players, tiled in GROUPS:
        sample = sample_of(folder, REPORTED, players, tiled)
        said, florins, spread = said_of(sample, players, tiled=tiled)
        off = sample.money - florins
        error, (told, happened, low, high) = reliability(said.ravel(), sample.share.ravel())
        captain = chances.softmax(sample.captain[:, :players] / CAPTAINS_SPREAD)
        rivals = (said, np.exp(sample.plan[:, :players]), captain, np.full_like(said, 1 / players))
        scores = [f"{((each - sample.share) ** 2).sum(axis=1).mean():.3f}" for each in rivals]
        lines.append(
            f"| {players}{', tiles' if tiled else ''} | {len(said):,} | {100 * error:.2f} % "
            f"| {100 * told:.1f}, {100 * happened:.1f} ({100 * low:.1f} to {100 * high:.1f}) | {' | '.join(scores)} "
            f"| {np.sqrt((off**2).mean()):.0f} ƒ |"
        )
        say(f"{lines[-1]} bias {off.mean():+.1f} ƒ, {100 * (abs(off) < spread).mean():.0f} % within the spread")
    before = PAGE.read_text("utf-8")
    PAGE.write_text(SECTION.sub(lambda found: "\n".join([found[1], *lines, found[2]]), before), "utf-8")


def said_of(sample: Sample, players: int, *, tiled: bool) -> tuple[Whole, Whole, Whole]:
    """Return the chances of all seats in each position, their money, and its spread, as `win_chances` says them."""
    fitted = [chances.calibrations()[players, tiled, phase] for phase in sample.phase.tolist()]
    by = np.array([each[:-1] for each in fitted])[:, None]
    weighed = chances.softmax((chance_inputs(sample, players) * by[..., :4]).sum(axis=-1))
    florins = (money_inputs(sample, players) * by[..., 4:8]).sum(axis=-1)
    return chances.softmax(chances.curve_inputs(weighed) @ np.array(fitted[0].curve)), florins, by[..., 8]


Bin = tuple[float, float, float, float]  # the mean of what was said, of what happened, and its interval


def reliability(said: Whole, happened: Whole) -> tuple[float, Bin]:
    """Return the calibration error, and the bin whose 99 % interval is furthest from what was said in it."""
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    error, worst, furthest = 0.0, (0.0, 0.0, 0.0, 1.0), -1.0
    for each in np.unique(bins).tolist():
        here = bins == each
        told, mean, count = float(said[here].mean()), float(happened[here].mean()), int(here.sum())
        low, high = wilson(mean, count)
        error += abs(mean - told) * count / len(said)
        if max(low - told, told - high) > furthest:
            furthest, worst = max(low - told, told - high), (told, mean, low, high)
    return error, worst


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 99 % interval of a share."""
    middle, over = share + Z * Z / (2 * count), 1 + Z * Z / count
    half = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return (middle - half) / over, (middle + half) / over


def time_each(folder: Path) -> None:
    """Print how much processor time the chances of one position take, in a batch of each group."""
    for players, tiled in GROUPS:
        with np.load(folder / f"{_stem(REPORTED, players, tiled)}-000.npz") as found:
            views = views_of(found["positions"])
        win_chances(views[0])
        spent = []
        for view in views:
            began = time.thread_time()
            win_chances(view)
            spent.append(1e6 * (time.thread_time() - began))
        middle, high, most = np.percentile(spent, (50, 99, 100))
        say(f"{players} {TILED[tiled]}: median {middle:.0f} µs, 99 % under {high:.0f} µs, at most {most:.0f} µs")


def say(line: str) -> None:
    """Print a line."""
    print(line)  # noqa: T201 - a tool that people run


def main() -> None:
    """Play, fit, report, or measure the time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "fit", "report", "time"))
    parser.add_argument("folder", type=Path, help="of the games")
    parser.add_argument("--batches", type=int, default=80, help=f"of {GAMES} games, for each group")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.what == "play":
        play_batches(given.folder, given.batches, given.seed)
    elif given.what == "fit":
        fit(given.folder)
    elif given.what == "report":
        report(given.folder)
    else:
        time_each(given.folder)


if __name__ == "__main__":
    main()
