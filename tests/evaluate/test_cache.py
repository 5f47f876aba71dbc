"""Work is done once, whatever happens in between."""

from pathlib import Path

import pytest

from anaphora.errors import AnaphoraError
from anaphora.evaluate import cache as module
from anaphora.evaluate.cache import Cache

TEXTS = ["Когда они распались?", "它是什么时候？", "متى انفصلوا؟", "ế", "e\u0302\u0301", "か"]


@pytest.fixture
def cache(tmp_path):
    opened = Cache(tmp_path / "deep" / "stages.sqlite")
    yield opened
    opened.close()


def through(cache, inputs, work, settings=None, stage="rewrite"):
    return [value for value, _ in cache.through(stage, settings, inputs, str, work)]


def test_each_input_is_worked_on_once(cache):
    asked = []

    def work(part):
        asked.extend(part)
        return [text.upper() for text in part]

    once = through(cache, [*TEXTS, *TEXTS], work)
    again = through(cache, list(reversed(TEXTS)), work)
    assert once == [text.upper() for text in (*TEXTS, *TEXTS)]
    assert again == [text.upper() for text in reversed(TEXTS)]
    assert asked == TEXTS


def test_the_seconds_are_those_of_the_work(cache):
    first = cache.through("read", None, ["a"], str, lambda part: part)
    assert cache.through("read", None, ["a"], str, lambda part: part) == first
    assert first[0][1] > 0


@pytest.mark.parametrize(("settings", "stage"), [({"mu": 2}, "rewrite"), ({"mu": 1}, "retrieve")])
def test_other_settings_and_stages_have_other_results(cache, settings, stage):
    through(cache, ["a"], lambda part: ["first"] * len(part), {"mu": 1})
    assert through(cache, ["a"], lambda part: ["second"], settings, stage) == ["second"]


def test_changed_code_has_other_results(cache, monkeypatch):
    through(cache, ["a"], lambda part: ["old"])
    monkeypatch.setattr(module, "_code", lambda stage: "changed")
    assert through(cache, ["a"], lambda part: ["new"]) == ["new"]


def test_an_interruption_loses_no_finished_batch(tmp_path):
    inputs = list(map(str, range(100)))
    done = []

    def stopping(part):
        if len(done) == 64:
            raise KeyboardInterrupt
        done.extend(part)
        return part

    first = Cache(tmp_path / "c.sqlite")
    with pytest.raises(KeyboardInterrupt):
        through(first, inputs, stopping)
    first.close()
    second, rest = Cache(tmp_path / "c.sqlite"), []

    def going_on(part):
        rest.extend(part)
        return part

    assert through(second, inputs, going_on) == inputs
    assert rest == inputs[64:]
    second.close()


def test_two_processes_share_it(tmp_path):
    one, other = Cache(tmp_path / "c.sqlite"), Cache(tmp_path / "c.sqlite")
    through(one, TEXTS, lambda part: part)
    assert through(other, TEXTS, lambda part: pytest.fail("was done already")) == TEXTS
    one.close()
    other.close()


@pytest.mark.parametrize("path", ["c.sqlite", "file/c.sqlite"])
def test_one_that_cannot_be_used_is_one_sentence(tmp_path: Path, path):
    (tmp_path / Path(path).parts[0]).write_bytes(b"no database" * 200)
    with pytest.raises(AnaphoraError, match=r"the cache .* cannot be used .* delete it"):
        Cache(tmp_path / path)
