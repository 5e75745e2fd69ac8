"""Scenarios as environments, by throng.gym: what Gymnasium and PettingZoo ask of them, and that worlds are the same however
many there are.

    python3 learn.py scenarios/learning.lua
"""
import sys
import warnings

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

import throng
import throng.gym

PATH = sys.argv[1]
RIGHT = np.array([1.4, 0], np.float32)  # m/s


def suites():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*A Box observation space m....um value is -?infinity")
        check_env(throng.gym.Env(PATH), skip_render_check=True)
        for worlds in 1, 3:
            parallel_api_test(throng.gym.ParallelEnv(PATH, worlds=worlds), num_cycles=200)
        parallel_seed_test(lambda: throng.gym.ParallelEnv(PATH), num_cycles=50)


def vectors():
    """Each world of many does what it does alone, and those that are over begin anew in the step after."""
    many = throng.gym.VectorEnv(PATH, num_envs=5, threads=2)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seeds = [3, 1, 4, 1, 5]
    seen, _ = many.reset(seed=seeds)
    assert seen.shape == many.observation_space.shape == (5, *many.single_observation_space.shape)
    assert many.observation_space.contains(seen) and np.array_equal(seen[1], seen[3])
    assert not np.array_equal(seen[0], seen[2])
    alone = [throng.Environment(PATH) for _ in seeds]
    for env, seed in zip(alone, seeds):
        env.reset([seed])
    actions = np.broadcast_to(RIGHT, many.action_space.shape) * np.linspace(0.6, 1, 5)[:, None, None]
    was_over, episodes, cuts = np.zeros(5, bool), 0, 0
    for _ in range(200):
        seen, rewards, ended, cut, info = many.step(actions)
        for i in np.flatnonzero(was_over):  # it has just begun again
            assert rewards[i] == 0 and not ended[i] and not cut[i]
            episodes += 1
            alone[i] = None  # seeds are drawn from then on
        for i, env in enumerate(alone):
            if env:
                env.step(actions[i][None])
                assert np.array_equal(env.observations[0], seen[i]) and env.ended[0].all() == ended[i]
                assert np.isclose(env.rewards[0].sum(), rewards[i], atol=1e-5) and env.cut[0] == cut[i]
        assert np.array_equal(info["rewards"].sum(axis=1, dtype=np.float64), rewards)
        was_over = ended | cut
        cuts += cut.sum()
    assert episodes >= 5 and not any(alone), (episodes, cuts)


def refused(what, call, kind=throng.Error):
    try:
        call()
    except kind as error:
        assert what in str(error), error
    else:
        raise AssertionError(f"no error about {what}")


def resets():
    """The worlds that are named, of however the array lies in memory, and what are none or no seeds is refused."""
    env = throng.Environment(PATH, 8)
    env.reset(np.arange(8))
    before = env.observations.copy()
    env.reset([100, 101, 102, 103], np.arange(8, dtype=np.int32)[1::2])
    assert (before != env.observations).any(axis=(1, 2)).tolist() == [False, True] * 4
    before = env.observations.copy()
    mask = np.isin(np.arange(8), [3, 5])
    for worlds, seeds, what in [(mask, np.arange(8), "worlds are whole numbers, got bool: np.flatnonzero"),
                                ([1.7], [2], "worlds are whole numbers, got float64"),
                                ([1], [2.9], "seeds are whole numbers, got float64"),
                                ([8], [1], "worlds are from 0 to 7, got 8 to 8"),
                                ([2**32], [1], "worlds are from 0 to 7"), ([1], [2**64], "seeds are whole numbers"),
                                ([1], np.array([2**63], np.uint64), "seeds are from 0 to"),
                                ([1], [-1], "got -1 to -1"), ([1], [1, 2], "give one for each")]:
        refused(what, lambda worlds=worlds, seeds=seeds: env.reset(seeds, worlds))
    assert np.array_equal(before, env.observations)
    env.reset([], [])
    env.reset([7, 8], np.flatnonzero(mask))
    env.close()
    many = throng.gym.VectorEnv(PATH, num_envs=2)
    refused("integer", lambda: many.reset(seed=[1.5, 2]), gymnasium.error.Error)
    many.close()


def arrays():
    """They stay as long as somebody has them."""
    seen = throng.Environment(PATH, 2000).observations
    assert seen.shape[0] == 2000 and not seen.any()
    env = throng.Environment(PATH, 3)
    env.reset([1, 2, 3])
    seen, over, same = env.observations, env.over, env.observations.copy()
    env.close()
    others = [throng.Environment(PATH, 3) for _ in range(4)]
    assert np.array_equal(seen, same) and not over.any() and len(others) == 4
    refused("was closed", lambda: env.observations)


def rewards():
    """What learning.lua pays: metres to the right, a tenth less for each action, and 5 for who is there."""
    env = throng.Environment(PATH)
    env.reset([7])
    assert env.observation_names[:2] == ["x", "y"] and env.action_names == ["velocity x", "velocity y"]
    assert env.action_bounds.tolist() == [[np.float32(-1.4), np.float32(1.4)]] * 2
    begun, total, steps = env.observations[0, :, 0].copy(), np.zeros(env.agents), np.zeros(env.agents)
    while not env.over[0]:
        going = ~env.ended[0]
        env.step(np.broadcast_to(RIGHT, (1, env.agents, 2)))
        total += env.rewards[0]
        steps += going
    where, there = env.observations[0, :, 0], env.ended[0]
    assert np.allclose(total[there], where[there] - begun[there] - 0.1 * steps[there] + 5, atol=0.7)  # they may drift
    assert not there.all() or not env.cut[0]
    refused("actions are an array", lambda: env.step(np.zeros((1, env.agents, 3))))
    refused("there is no such file", lambda: throng.Environment("none.lua"))
    refused("worlds must be a whole number from 1 to", lambda: throng.Environment(PATH, 2**32 + 1))
    env.close()


suites()
vectors()
resets()
arrays()
rewards()
print("environments pass")
