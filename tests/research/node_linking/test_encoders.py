"""Every encoder of the research linker gives each word a vector, whatever else is in the batch."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from support.tiny_linking_models import DIALOGUES, conversation, texts, tiny_bert  # noqa: E402

from anaphora.errors import ModelUnavailable  # noqa: E402
from anaphora.models.backbone import Backbone  # noqa: E402
from anaphora.protocols import no_progress  # noqa: E402
from anaphora.rewrite.tokenization import word_ranges  # noqa: E402
from research.node_linking.encoders import Encoder, encoder  # noqa: E402
from research.node_linking.tokens import Characters, Words  # noqa: E402


@pytest.fixture(scope="module", params=["bilstm", "backbone", "tiny BERT"])
def reader(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    name = request.param
    if name == "tiny BERT":
        name = str(tiny_bert(tmp_path_factory.mktemp("bert")))
    found = encoder(name, texts(), hidden=8)
    found.eval()  # type: ignore[attr-defined]
    return found


def test_vectors_do_not_depend_on_the_batch(reader: Encoder) -> None:
    layouts = [reader.lay_out(conversation(dialogue)) for dialogue in DIALOGUES]
    with torch.inference_mode():
        together = reader(layouts).float()
        assert together.shape[0] == len(DIALOGUES)
        assert together.shape[2] == reader.width
        for layout, vectors in zip(layouts, together, strict=True):
            alone = reader([layout])[0].float()
            nodes = len(layout.words) + 2
            assert alone.shape[0] == nodes
            # bfloat16 sums differ a little with the shape of a batch.
            assert torch.allclose(vectors[:nodes], alone, atol=0.06)
            assert alone.std(dim=0).mean() > 1e-3


def test_every_word_of_every_script_is_a_node(reader: Encoder) -> None:
    for dialogue in DIALOGUES:
        layout = reader.lay_out(conversation(dialogue))
        words = [layout.text(number, number) for number in range(len(layout.words))]
        said = [text[a:b] for text in dialogue[1:4] for a, b in word_ranges(text)]
        assert words == said


def test_what_is_remembered_changes_nothing(reader: Encoder, tmp_path: Path) -> None:
    layouts = [reader.lay_out(conversation(dialogue)) for dialogue in DIALOGUES[:3]]
    with torch.inference_mode():
        before = reader(layouts)
        reader.cache(layouts, tmp_path, no_progress)
        assert torch.allclose(reader(layouts), before, atol=1e-5)


def test_the_bottom_of_a_hub_model_is_frozen(tmp_path: Path) -> None:
    found = encoder(str(tiny_bert(tmp_path, layers=6)), [], hidden=0)
    layout = found.lay_out(conversation(DIALOGUES[1]))
    found([layout]).sum().backward()
    moved = {
        name
        for name, one in found.named_parameters()  # type: ignore[attr-defined]
        if one.grad is not None
    }
    layers = {name.split("layer.")[1].split(".")[0] for name in moved if "layer." in name}
    assert layers == {"2", "3", "4", "5"}
    assert not any("embeddings" in name for name in moved)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"nowhere.*cannot be loaded"):
        encoder(str(tmp_path / "nowhere"), [], hidden=0)


@pytest.mark.parametrize(
    "text", ["周杰伦的iPhone 15好用吗？", "夏目漱石は誰", "Zappa's 乐队 in 1969", ""]
)
def test_every_chinese_character_is_a_token(text: str) -> None:
    ids, ranges = Characters(Backbone().tokenizer).encode_ranges(text, 100)
    assert len(ids) == len(ranges)
    alone = [place for place, char in enumerate(text) if "一" <= char <= "鿿"]
    assert {(place, place + 1) for place in alone} <= set(ranges)
    covered = {place for start, end in ranges for place in range(start, end)}
    assert covered == {place for place, char in enumerate(text) if not char.isspace()}


def test_rare_words_are_unknown_but_spelt() -> None:
    words = Words.of(["Zappa zappa played", "zappa"])
    assert words.known == ("zappa",)
    ids, ranges = words.encode_ranges("ZAPPA played", 5)
    assert ids[0] != ids[1]
    assert ranges == [(0, 5), (6, 12)]
    reader = encoder("bilstm", ["aa aa b c"], hidden=4)
    reader.eval()  # type: ignore[attr-defined]
    dialogues = [("en", "aa", "aa", text, "") for text in ("b", "c")]
    one, other = (reader([reader.lay_out(conversation(dialogue))]) for dialogue in dialogues)
    assert not torch.allclose(one, other)
