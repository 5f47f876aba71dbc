"""Functions in a child process: a child that crashes or hangs harms no other call."""

from __future__ import annotations

import itertools
import operator
import os
import time
from collections.abc import Iterator

import pytest

from anaphora.serve.isolated import MEMORY, ChildEnded, Isolated, limit_computing


@pytest.fixture
def child() -> Iterator[Isolated]:
    isolated = Isolated(seconds=30)
    yield isolated
    isolated.close()


def test_results_and_errors_come_back(child: Isolated) -> None:
    assert child.run(operator.add, "水", "泵") == "水泵"
    with pytest.raises(ZeroDivisionError):
        child.run(operator.truediv, 1, 0)
    with pytest.raises(FileNotFoundError):
        child.run(os.stat, "/nowhere")
    assert child.run(os.getpid) == child.run(os.getpid) != os.getpid()


def test_what_a_function_emits(child: Isolated) -> None:
    heard: list[tuple[str, ...]] = []
    child.run(_emits, "ปั๊ม", emit=lambda *values: heard.append(values))
    assert heard == [("first", "ปั๊ม"), ("second",)]


def _emits(emit: Isolated, word: str) -> None:
    emit("first", word)  # type: ignore[operator]
    emit("second")  # type: ignore[operator]


def test_a_crash_ends_one_call(child: Isolated) -> None:
    with pytest.raises(ChildEnded):
        child.run(os._exit, 11)
    assert child.run(operator.add, 1, 2) == 3


def test_a_call_that_hangs_is_ended() -> None:
    child = Isolated(seconds=1)
    with pytest.raises(ChildEnded):
        child.run(time.sleep, 600)
    child.close()


def test_computing_can_be_limited(child: Isolated) -> None:
    pytest.importorskip("resource")
    child.run(limit_computing, 1)
    child.run(limit_computing, None)
    child.run(limit_computing, 1)
    with pytest.raises(ChildEnded) as caught:
        child.run(all, itertools.repeat(1))
    assert caught.value.spent
    with pytest.raises(ChildEnded) as caught:
        child.run(os._exit, 11)
    assert not caught.value.spent


def test_what_a_library_prints_is_no_answer(child: Isolated) -> None:
    assert child.run(os.write, 1, b"a warning\n") == 10
    assert child.run(operator.add, 1, 2) == 3


def test_memory_is_limited(child: Isolated) -> None:
    pytest.importorskip("resource")
    with pytest.raises(MemoryError):
        child.run(bytearray, 2 * MEMORY)
    assert child.run(operator.add, 1, 2) == 3
