"""RLlib: its check of environments, then masked PPO for some iterations, in one seat against light players.

    python examples/research/rllib_ppo.py --iterations 50

The environment of elcapitan is a plain Gymnasium one; RLlib's module for masked actions wants the part `observations`
where ours is called `observation`, and numbers of float32. `check_multiagent_environments` is run on the PettingZoo
environment, in which every seat is an agent; an illegal action ends the game there, because the check takes any.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from pettingzoo.utils.wrappers import TerminateIllegalWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

from elcapitan.research import elcapitan_v0
from elcapitan.research.gymnasium import ElCapitanEnv
from elcapitan.research.layout import CELLS, scales


class ForMaskingModule(gymnasium.ObservationWrapper[dict[str, Any], np.int64, dict[str, Any]]):
    """The observation as RLlib's module for masked actions wants it."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._scales = scales()
        self.observation_space = spaces.Dict(
            {
                "action_mask": spaces.Box(0.0, 1.0, (int(env.action_space.n),), np.float32),
                "observations": spaces.Box(-np.inf, np.inf, (CELLS,), np.float32),
            }
        )

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Rename and scale the parts."""
        return {
            "action_mask": observation["action_mask"].astype(np.float32),
            "observations": observation["observation"] * self._scales,
        }


def main() -> None:
    """Check the environments, then learn."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    reader.add_argument("--iterations", type=int, default=1)
    chosen = reader.parse_args()
    check_multiagent_environments(PettingZooEnv(TerminateIllegalWrapper(elcapitan_v0.env(players=3), -1.0)))
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    register_env("elcapitan", lambda given: ForMaskingModule(ElCapitanEnv(**given)))
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64]})
    config = (
        PPOConfig()
        .environment("elcapitan", env_config={"players": 2, "others": "light", "shaping": 0.01})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=4)
        .training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=2, lr=7e-4, gamma=0.999)
        .rl_module(rl_module_spec=module)
    )
    algorithm = config.build_algo()
    for _ in range(chosen.iterations):
        found = algorithm.train()["env_runners"]
        print(
            "check of environments passed; steps:",
            int(found["num_env_steps_sampled_lifetime"]),
            "reward:",
            found.get("episode_return_mean"),
        )
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
