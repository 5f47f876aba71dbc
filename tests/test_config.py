"""Settings: typed, with errors that name the nearest valid key."""

from contextlib import suppress
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.config import Config
from anaphora.errors import UsageError


def test_what_is_left_out_has_its_default():
    assert Config.of({}) == Config()
    assert Config.of({"retrieve": {"model": "lmd", "mu": 500}}).retrieve.mu == 500.0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"retreive": {}}, "'retrieve'"),
        ({"retrieve": {"modle": "bm25"}}, "'model'"),
        ({"retrieve": {"model": "bm52"}}, "'bm25'"),
        ({"retrieve": {"k": "ten"}}, "int"),
        ({"retrieve": {"k": True}}, "int"),
        ({"retrieve": {"k1": "0.9"}}, "float"),
        ({"retrieve": 3}, "table"),
        ({"rewrite": {"method": None}}, "must be of type str, not None"),
        ({"rewrite": {"method": ["llm"]}}, "must be of type str"),
        ({"rewrite": {"method": "linkng"}}, "did you mean 'linking'"),
        ({"rewrite": {"turns": 3}}, "has no setting 'rewrite.turns', which is one of 'history'"),
        ({"rewrite": {"method": "no.module:Part"}}, "cannot be imported"),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "shots": 1}},
            "one of 0, 3, not 1",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "shots": "3"}},
            "one of 0, 3, not '3'",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "shots": False}},
            "one of 0, 3, not False",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "shots": 3.0}},
            "one of 0, 3, not 3.0",
        ),
        ({"rewrite": {"model": 7}}, "str"),
        ({"rewrite": {"modle": "m"}}, "'model'"),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "timeout": "20"}},
            "float",
        ),
        (
            {
                "rewrite": {
                    "method": "llm",
                    "endpoint": "http://x",
                    "model": "m",
                    "timeout": 10**400,
                }
            },
            "'rewrite.timeout' is too large",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "timeout": 0}},
            "'rewrite.timeout' must be more than 0",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "timeout": -1.5}},
            "not -1.5",
        ),
        (
            {
                "rewrite": {
                    "method": "llm",
                    "endpoint": "http://x",
                    "model": "m",
                    "timeout": float("nan"),
                }
            },
            "not nan",
        ),
        (
            {
                "rewrite": {
                    "method": "llm",
                    "endpoint": "http://x",
                    "model": "m",
                    "timeout": float("inf"),
                }
            },
            "not inf",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "parallel": 0}},
            "'rewrite.parallel' must be from 1",
        ),
        (
            {
                "rewrite": {
                    "method": "llm",
                    "endpoint": "http://x",
                    "model": "m",
                    "parallel": 10_000,
                }
            },
            "not 10000",
        ),
        (
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "parallel": True}},
            "int",
        ),
        ({"rewrite": {"method": "history", "turns": -1}}, "'rewrite.turns' must be 0 or more"),
        ({"rewrite": {"method": "seq2seq"}}, "'seq2seq' needs 'rewrite.model'"),
        ({"rewrite": {"method": "seq2seq", "model": " "}}, "'seq2seq' needs 'rewrite.model'"),
        ({"rewrite": {"method": "llm"}}, "needs 'rewrite.endpoint' and 'rewrite.model' to be"),
        ({"rewrite": {"method": "llm", "model": "m"}}, "'llm' needs 'rewrite.endpoint' to be"),
        ({"rewrite": {"method": "llm", "endpoint": "http://x"}}, "'llm' needs 'rewrite.model' to"),
        ({"read": {"method": "fid"}}, "'fid' needs 'read.model' to be set"),
        ({"read": {"method": "seq2seq", "model": ""}}, "'seq2seq' needs 'read.model'"),
        ({"read": {"method": "fid", "model": "m", "beams": 0}}, "'read.beams' must be from 1"),
        ({"read": {"method": "fid", "model": "m", "passages": 0}}, "'read.passages' must be 1"),
        ({"read": {"method": "seq2seq", "model": "m", "max_length": 9}}, "from 0 to 'read.max"),
        ({"read": {"method": "fid", "model": "m", "max_length": 5000}}, "from 1 to 4,096"),
        ({"read": {"method": "fid", "model": "m", "no_repeat": -1}}, "'read.no_repeat' must be"),
        ({"read": {"method": "fid", "model": "m", "input": "poem"}}, "must be one of '', 'quest"),
        ({"translate": {"method": "seq2seq"}}, "'seq2seq' needs 'translate.model'"),
        ({"translate": {"method": "llm", "model": "m"}}, "'llm' needs 'translate.endpoint'"),
        ({"translate": {"method": "seq2seq", "model": "m", "beams": 0}}, "'translate.beams'"),
        ({"retrieve": {"languages": "french"}}, "must be one of 'all', 'own'"),
        ({"retrieve": {"translate": "yes"}}, "must be one of 'none', 'english'"),
        ({"read": {"method": "causal"}}, "'causal' needs 'read.model'"),
        ({"read": {"method": "causal", "model": "m", "tokens": 0}}, "'read.tokens' must be from"),
        ({"read": {"method": "causal", "model": "m", "quantized": "int2"}}, "one of 'none', 'in"),
        ({"rerank": {"top": 0}}, "'rerank.top' must be 1 or more, not 0"),
        ({"rerank": {"rerank_ms": -1}}, "'rerank.rerank_ms' must be 0 or more"),
        ({"rerank": {"rerank_ms": 0.5}}, "int"),
        ({"rerank": {"patience": -1}}, "'rerank.patience' must be 0 or more"),
        ({"rerank": {"weight": 1.1}}, "'rerank.weight' must be from 0 to 1, not 1.1"),
        ({"rerank": {"weight": float("nan")}}, "not nan"),
        (
            {"rerank": {"method": "llm", "endpoint": "http://x", "model": "m", "timeout": 0}},
            "'rerank.timeout' must be more than 0",
        ),
        (
            {"rerank": {"method": "llm", "endpoint": "http://x", "model": "m", "parallel": 65}},
            "'rerank.parallel' must be from 1 to 64",
        ),
        ({"rerank": {"method": "crosencoder"}}, "'crossencoder'"),
        ({"rerank": {"method": "crossencoder"}}, "'crossencoder' needs 'rerank.model' to be set"),
        ({"rerank": {"method": "late"}}, "the reranker 'late' needs 'rerank.model' to be set"),
        ({"rerank": {"method": "llm"}}, "needs 'rerank.endpoint' and 'rerank.model' to be"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_right(values, said):
    with pytest.raises(UsageError, match=said) as caught:
        Config.of(values)
    assert "\n" not in str(caught.value)


def test_a_choice_of_numbers():
    assert [
        Config.of(
            {"rewrite": {"method": "llm", "endpoint": "http://x", "model": "m", "shots": shots}}
        ).rewrite.shots
        for shots in (0, 3)
    ] == [0, 3]


def test_every_setting_has_a_default_and_a_place_in_the_docstring():
    for section in fields(Config):
        kind = type(getattr(Config(), section.name))
        assert is_dataclass(kind)
        kind()


def test_toml_files(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[rewrite]\nmethod = "history"\norder = "oldest"\n', "utf-8")
    assert Config.load(path).rewrite.order == "oldest"
    path.write_text("[rewrite\n", "utf-8")
    with pytest.raises(UsageError, match="not TOML"):
        Config.load(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="is not TOML"):
        Config.load(path)
    with pytest.raises(UsageError, match="cannot be read"):
        Config.load(tmp_path / "none.toml")


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
            max_leaves=4,
        ),
        max_size=3,
    )
)
def test_any_mapping_gives_a_config_or_a_usage_error(values):
    with suppress(UsageError):
        assert isinstance(Config.of(values), Config)
