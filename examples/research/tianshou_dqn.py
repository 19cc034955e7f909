"""Tianshou: DQN with masked actions for some steps, in one seat against light players.

    python examples/research/tianshou_dqn.py --epochs 100

Tianshou masks actions of an observation that has the parts `obs` and `mask`; that is all the wrapper below is for.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from elcapitan.research.gymnasium import ElCapitanEnv
from elcapitan.research.layout import CELLS, scales


class WithMask(gymnasium.ObservationWrapper[dict[str, Any], np.int64, dict[str, Any]]):
    """The observation as Tianshou masks it."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._scales = scales()
        self.observation_space = spaces.Dict(
            {
                "obs": spaces.Box(-np.inf, np.inf, (CELLS,), np.float32),
                "mask": spaces.MultiBinary(int(env.action_space.n)),
            }
        )

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Rename and scale the parts."""
        return {"obs": observation["observation"] * self._scales, "mask": observation["action_mask"]}


def games(count: int) -> DummyVectorEnv:
    """Make some games; compiled, they need no processes of their own."""
    return DummyVectorEnv([lambda: WithMask(ElCapitanEnv(2, others="light", shaping=0.01)) for _ in range(count)])


def main() -> None:
    """Learn, and tell what the last epoch was worth."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--epochs", type=int, default=1)
    chosen = reader.parse_args()
    torch.manual_seed(1)
    training, trial = games(8), games(2)
    actions = training.action_space[0]
    net = Net(state_shape=CELLS, action_shape=int(actions.n), hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.1)
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=0.999, n_step_return_horizon=3, target_update_freq=200
    )
    collected = Collector[CollectStats](algorithm, training, VectorReplayBuffer(20_000, 8), exploration_noise=True)
    found = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collected,
            test_collector=Collector[CollectStats](algorithm, trial),
            max_epochs=chosen.epochs,
            epoch_num_steps=1000,
            collection_step_num_env_steps=80,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=64,
            test_step_num_episodes=2,
            show_progress=False,
            verbose=False,
        )
    )
    print("steps:", found.train_step, "best reward:", round(float(found.best_score), 2))


if __name__ == "__main__":
    main()
