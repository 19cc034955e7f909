"""A merchant that learns by playing itself: masked PPO on a fleet of games, in a few minutes on a CPU.

    pip install "elcapitan[research,train]"
    python examples/research/train.py --minutes 10 --out training

One small network plays every seat of some hundred games at once. `merchant.py` beside this file shows what it is told,
and makes a player of it, which sits down in the arena in the end. Its value is the lead it expects at the end, in
hundreds of florins, beyond the lead it would have if the game ended with a payday now: learning begins from there
instead of from nothing. From time to time one network merchant sits down with traders, the second level of the computer
players, and the share of games it wins is noted: above one in `players` it beats them. The curve is drawn as SVG, the
network is kept.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from merchant import ACTIONS, HUNDRED, Eyes
from torch import nn

from elcapitan.bots.bot import View
from elcapitan.bots.registry import create
from elcapitan.engine.rng import generator
from elcapitan.experiments.arena import Config, play_arena, summarise
from elcapitan.experiments.arena.report import command
from elcapitan.experiments.arena.summary import between, percent
from elcapitan.experiments.drawing import WIDTH, Chart, Scale, add, canvas, line, ticks, write
from elcapitan.game.position_queries import without_secrets
from elcapitan.research.fleet import Fleet

CLIP, LAMBDA, ENTROPY = 0.2, 0.95, 0.005
KEPT = "merchant.npz"
EPOCHS, AT_ONCE = 3, 1024  # passes over a lesson, decisions for one correction


@dataclass
class Terms:
    """How to learn."""

    players: int = 2
    games: int = 256
    steps: int = 64  # in every game between two lessons
    minutes: float = 10.0
    rate: float = 7e-4
    width: int = 256
    every: float = 120.0  # seconds between two trials
    trial: int = 200  # games of a trial
    opponent: str = "trader"
    seed: int = 1
    out: Path = Path("training")


@dataclass
class Notes:
    """What became of it."""

    trials: list[tuple[float, int, float, float]] = field(default_factory=list)  # minutes, steps, wins, lead


class Games:
    """A fleet of games, as tensors."""

    def __init__(self, fleet: Fleet, used: Any = slice(None)) -> None:
        self.fleet = fleet
        self.eyes = Eyes(fleet.games, fleet.setup.players, fleet.figures)
        self.used = used  # which cells the network gets

    def leave_out_what_never_changes(self, steps: int = 400) -> None:
        """Watch games of light players for a while, and keep the cells in which something happened."""
        seen = np.zeros(self.eyes.inputs.shape[1], np.bool_)
        for _ in range(steps // 10):
            self.fleet.play(10)
            seen |= self.look()[0].numpy().any(0)
        self.used = np.flatnonzero(seen)
        self.fleet.reset()

    def look(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """What the seats to act see, what they may do, and the lead each would have after a payday now."""
        fleet = self.fleet
        row, lead = self.eyes.look(fleet.observations, fleet.states, fleet.seats)
        legal = torch.from_numpy(fleet.legal[:, :ACTIONS])
        return torch.from_numpy(row[:, self.used]), legal, torch.from_numpy(lead)


class Network(nn.Module):
    """What to do, and how it will end."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, ACTIONS)
        self.value = nn.Linear(width, 1)
        for layer in (self.policy, self.value):
            nn.init.zeros_(layer.bias)
            nn.init.normal_(layer.weight, std=0.01)

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logarithms of the chances of all actions, and the value."""
        deep = self.body(seen)
        chances = self.policy(deep).masked_fill(~legal, -1e9).log_softmax(1)
        return chances, self.value(deep)[:, 0]

    @torch.no_grad()
    def choose(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """An action for every game, by its chances; their logarithms; the values."""
        chances, value = self(seen, legal)
        dice = -torch.empty_like(chances).exponential_().log()  # the largest sum is a fair draw
        actions = (chances + dice).argmax(1)
        return actions, chances.gather(1, actions[:, None])[:, 0], value


def collect(games: Games, network: Network, steps: int) -> dict[str, torch.Tensor]:
    """Play some steps in all games; everything a lesson needs."""
    fleet = games.fleet
    count, players = fleet.games, fleet.setup.players
    kept: dict[str, list[Any]] = {name: [] for name in ("seen", "legal", "lead", "action", "chance", "value")}
    seats, ends, paid = [], [], []
    for _ in range(steps):
        seen, legal, lead = games.look()
        action, chance, value = network.choose(seen, legal)
        for name, tensor in zip(kept, (seen.half(), legal, lead, action, chance, value), strict=True):
            kept[name].append(tensor.clone())
        seats.append(fleet.seats.astype(np.intp))
        fleet.step(action.numpy())
        ends.append(fleet.finished.copy())
        paid.append(fleet.rewards.copy())
    whole = {name: torch.stack(tensors) for name, tensors in kept.items()}
    expected = (whole["value"] + whole["lead"]).numpy()
    better, every = np.zeros((steps, count), np.float32), np.arange(count)
    # Backwards, each seat by itself: what it expected next, how much better things went from there, what it was paid.
    next_value, next_better = np.full((count, players), np.nan, np.float32), np.zeros((count, players), np.float32)
    for t in reversed(range(steps)):
        over = ends[t]
        next_value[over], next_better[over] = paid[t][over], 0
        mine = every, seats[t]
        unknown = np.isnan(
            next_value[mine]
        )  # its next decision comes after these steps: nothing is learnt from this one
        surprise = np.where(unknown, 0, next_value[mine] - expected[t])
        better[t] = surprise + LAMBDA * next_better[mine]
        next_value[mine], next_better[mine] = expected[t], better[t]
    whole["better"] = torch.from_numpy(better)
    whole["target"] = whole["value"] + whole["better"]
    return {name: tensor.flatten(0, 1) for name, tensor in whole.items()}


def learn(network: Network, optimiser: torch.optim.Optimizer, lesson: dict[str, torch.Tensor]) -> None:
    """Some passes over a lesson: likelier what went better than expected, and expect better."""
    better = (lesson["better"] - lesson["better"].mean()) / (lesson["better"].std() + 1e-6)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(better)).split(AT_ONCE):
            chances, value = network(lesson["seen"][some].float(), lesson["legal"][some])
            taken = chances.gather(1, lesson["action"][some, None])[:, 0]
            ratio = (taken - lesson["chance"][some]).exp()
            gain = torch.minimum(ratio * better[some], ratio.clamp(1 - CLIP, 1 + CLIP) * better[some]).mean()
            variety = -(chances.exp() * chances.clamp_min(-20)).sum(1).mean()
            loss = (value - lesson["target"][some]).square().mean() - gain - ENTROPY * variety
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def trial(network: Network, used: Any, terms: Terms, seed: int) -> tuple[float, float]:
    """One network merchant among opponents, in every seat equally often: the share of wins, and the mean lead."""
    players = terms.players
    fleet = Fleet(terms.trial, players, seed=seed, stakes="money")
    games = Games(fleet, used)
    ours = np.arange(terms.trial) % players
    bots = [[create(terms.opponent) for _ in range(players)] for _ in range(terms.trial)]
    dice = [generator(seed + number) for number in range(terms.trial)]
    leads = np.full(terms.trial, np.nan)
    while np.isnan(leads).any():
        seen, legal, _ = games.look()
        with torch.no_grad():
            actions = network(seen, legal)[0].argmax(1).numpy()
        for i in np.flatnonzero(np.isnan(leads)):
            if fleet.seats[i] != ours[i]:
                view = View(without_secrets(fleet.states[i : i + 1]), fleet.figures.boards)
                actions[i] = bots[i][fleet.seats[i]].choose(view, np.flatnonzero(fleet.legal[i]).tolist(), dice[i])
        fleet.step(actions)
        done = fleet.finished & np.isnan(leads)
        leads[done] = fleet.rewards[done, ours[done]]
    return float(((leads > 0) + (leads == 0) / 2).mean()), float(leads.mean() * HUNDRED)


def curve(notes: Notes, terms: Terms) -> str:
    """The share of wins over time as SVG."""
    title = f"Wins of the learner against {terms.opponent}s, {terms.players} players"
    drawing = canvas("wins", title, "; ".join(f"{at:.1f} min: {wins:.0%}" for at, _, wins, _ in notes.trials), 260)
    across = Scale(0, max(ticks(0, notes.trials[-1][0])), 44, WIDTH - 14)
    up = Scale(0, 1, 220, 20)
    for share in (0, 0.25, 0.5, 0.75, 1):
        line(drawing, 44, up(share), WIDTH - 14, up(share), class_="grid")
        write(drawing, 38, up(share) + 4, f"{share:.0%}", text_anchor="end", class_="soft")
    for minute in ticks(0, notes.trials[-1][0]):
        write(drawing, across(minute), 240, f"{minute:g}", text_anchor="middle", class_="soft")
    write(drawing, WIDTH - 14, 256, "minutes", text_anchor="end", class_="soft")
    fair = up(1 / terms.players)
    line(drawing, 44, fair, WIDTH - 14, fair, class_="chance")
    points = " ".join(f"{across(at):.1f},{up(wins):.1f}" for at, _, wins, _ in notes.trials)
    add(drawing, "polyline", points=points, style="fill: none; stroke: var(--c0); stroke-width: 2.5")
    return Chart("wins", title, drawing).alone()


def keep(network: Network, used: Any, terms: Terms) -> None:
    """Write what the player in merchant.py needs, in a small file."""
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    np.savez_compressed(terms.out / KEPT, players=terms.players, used=used, **weights)


def sit_in_the_arena(terms: Terms) -> None:
    """Let the kept network play against the opponent in the arena, and tell how to repeat that."""
    spec = f"py:merchant:Merchant:{terms.out / KEPT}"
    config = Config((spec, terms.opponent), terms.players, games=terms.trial, seed=terms.seed)
    results = play_arena(config, jobs=1)
    share = summarise(results).bots[0].share
    print(f"In the arena: {percent(share.mean)} wins ({between(share.low, share.high)})")
    print(f"PYTHONPATH={Path(__file__).parent} {command(config)}")


def train(terms: Terms) -> Notes:
    """Learn for some minutes; write down what came of it."""
    torch.manual_seed(terms.seed)
    terms.out.mkdir(parents=True, exist_ok=True)
    fleet = Fleet(terms.games, terms.players, seed=terms.seed, stakes="money")
    games, notes = Games(fleet), Notes()
    games.leave_out_what_never_changes()
    network = Network(len(games.used), terms.width)
    optimiser = torch.optim.Adam(network.parameters(), lr=terms.rate)
    begun, learnt, steps, next_trial = time.perf_counter(), 0.0, 0, 0.0
    while True:
        if learnt >= next_trial or learnt >= 60 * terms.minutes:
            wins, lead = trial(network, games.used, terms, seed=1000 + len(notes.trials))
            notes.trials.append((learnt / 60, steps, wins, lead))
            print(
                f"{learnt / 60:5.1f} min {steps:>11,} steps: {wins:4.0%} wins, mean lead {lead:+.0f} florins",
                flush=True,
            )
            (terms.out / "curve.svg").write_text(curve(notes, terms), encoding="utf-8")
            keep(network, games.used, terms)
            begun, next_trial = time.perf_counter() - learnt, next_trial + terms.every
            if learnt >= 60 * terms.minutes:
                break
        for group in optimiser.param_groups:
            group["lr"] = terms.rate * max(0.05, 1 - learnt / 60 / terms.minutes)
        learn(network, optimiser, collect(games, network, terms.steps))
        steps += terms.games * terms.steps
        learnt = time.perf_counter() - begun  # trials are not counted
    told = {"terms": asdict(terms) | {"out": str(terms.out)}, "trials": notes.trials}
    (terms.out / "notes.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return notes


def main() -> None:
    """Read the terms from the command line."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name, usual in asdict(Terms()).items():
        reader.add_argument(f"--{name}", type=type(usual) if not isinstance(usual, Path) else Path, default=usual)
    terms = Terms(**vars(reader.parse_args()))
    train(terms)
    sit_in_the_arena(terms)


if __name__ == "__main__":
    main()
