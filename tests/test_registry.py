"""Parts by name: built-in, from installed packages, and by module."""

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import pytest

from anaphora import registry
from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import UsageError
from anaphora.records import Rewrite, Turn


@dataclass(frozen=True)
class Shouting:
    """A rewriter of a user's own, with a setting of its own."""

    times: int = 1

    def rewrite(self, conversations):
        return [
            Rewrite(one.question.text.upper() + "!" * self.times, one.lang) for one in conversations
        ]


@dataclass(frozen=True)
class Built:
    """Settings that build their part from the resources."""

    prefix: str = ""

    def build(self, resources):
        assert resources.index is None
        return Shouting(len(self.prefix))


@pytest.fixture(autouse=True)
def own_module(monkeypatch):
    monkeypatch.setitem(sys.modules, "own_parts", sys.modules[__name__])


def rewrite(settings):
    assistant = Assistant(None, Config.of({"rewrite": settings}))
    return assistant.rewrite("Wann?", [Turn("user", "Wer baute die Brücke?")]).text


def test_every_built_in_name_can_be_imported():
    for kind in ("rewriter", "retriever", "reranker", "reader", "encoder", "index"):
        assert registry.names(kind)
        for name in registry.names(kind):
            assert callable(registry.find(kind, name))


def test_a_part_by_its_module():
    assert rewrite({"method": "own_parts:Shouting"}) == "WANN?!"
    assert rewrite({"method": "own_parts:Shouting", "times": 3}) == "WANN?!!!"
    assert rewrite({"method": "own_parts:Built", "prefix": "ab"}) == "WANN?!!"


def test_a_part_of_an_installed_package(monkeypatch):
    point = EntryPoint("shouting", "own_parts:Shouting", "anaphora.rewriters")
    found = {"anaphora.rewriters": [point]}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found.get(group, []))
    registry._installed.cache_clear()
    try:
        assert "shouting" in registry.names("rewriter")
        assert rewrite({"method": "shouting", "times": 2}) == "WANN?!!"
        with pytest.raises(UsageError, match="did you mean 'shouting'"):
            rewrite({"method": "shoutin"})
    finally:
        registry._installed.cache_clear()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "own_parts:Shouting", "time": 3}, "did you mean 'times'"),
        ({"method": "own_parts:Shouting", "times": "3"}, "must be of type int, not '3'"),
        ({"method": "own_parts:Nothing"}, "cannot be imported"),
        ({"method": "no_such_module:Part"}, "cannot be imported"),
        ({"method": "own_parts:sys"}, "is not a factory"),
        ({"method": "lnking"}, "did you mean 'linking'"),
    ],
)
def test_what_is_wrong_is_named_in_one_sentence(settings, message):
    with pytest.raises(UsageError, match=message) as caught:
        rewrite(settings)
    assert "\n" not in str(caught.value)


def test_a_configuration_survives_a_round_trip():
    values = {
        "rewrite": {"method": "history", "order": "oldest", "turns": 2},
        "retrieve": {"model": "lmd", "mu": 500.0},
        "rerank": {"method": "none"},
        "read": {"method": "spans", "passages": 3},
        "index": {"engine": "local"},
    }
    config = Config.of(values)
    assert Config.of(config.to_dict()) == config
    assert Config.of(Config().to_dict()) == Config()
    assert Config(rewrite=Shouting()).to_dict()["rewrite"]["times"] == 1
