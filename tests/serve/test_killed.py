"""A server that is killed loses no turn that it told to be done."""

from __future__ import annotations

import random

import pytest
from support import kill_serving


@pytest.mark.parametrize("seed", [1])
def test_kills_at_random_moments(corpus, tmp_path, seed):
    kill_serving.prepare(corpus, tmp_path)
    rng, told = random.Random(seed), kill_serving.Told()
    for _ in range(3):
        kill_serving.kill_once(tmp_path, told, rng, most=12)
        kill_serving.check(tmp_path, told)
    assert told.count > 0
