"""Training the checker on a few claims."""

import json
import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from anaphora.check.model import SupportModel  # noqa: E402
from anaphora.check.sequence import Sequencer  # noqa: E402
from anaphora.check.support import REGRESSIONS, SupportChecker  # noqa: E402
from anaphora.crossencoder.model import SHIPPED, shared_crossencoder  # noqa: E402
from anaphora.errors import ModelUnavailable, UsageError  # noqa: E402
from anaphora.models.backbone import shared_backbone  # noqa: E402
from anaphora.protocols import no_progress  # noqa: E402
from anaphora.records import Claim  # noqa: E402
from anaphora.train.support.batches import batches, cut  # noqa: E402
from anaphora.train.support.examples import Example, gathered  # noqa: E402
from anaphora.train.support.network import SupportNetwork, assemble, export  # noqa: E402
from anaphora.train.support.trainer import Recipe, train_support  # noqa: E402

CLAIMS = [
    ("The bridge opened in 1935.", "The bridge opened in 1932.", ((21, 25),)),
    ("桥长五百米。", "桥全长五百米。", ()),
    ("橋は赤い。", "橋は青い。", ((2, 3),)),
    ("สะพานยาว", "สะพานยาวมาก", ()),
    ("الجسر أحمر", "الجسر أزرق", ((6, 10),)),
    ("Cầu màu đỏ.", "Cầu màu xanh.", ((8, 10),)),
    ("Мост красный.", "Мост красный и длинный.", ()),
    ("Köprü kırmızı.", "Köprü mavi.", ((6, 13),)),
]


@pytest.fixture(scope="module")
def sequencer():
    return Sequencer(shared_backbone().tokenizer)


@pytest.fixture(scope="module")
def windows(sequencer):
    return [sequencer.windows(said, text)[0] for said, text, _ in CLAIMS]


@pytest.fixture(scope="module")
def batch(windows):
    return assemble(windows, [not one[2] for one in CLAIMS], [one[2] for one in CLAIMS])


def exported(model, folder):
    tensors = {name: one.detach().numpy() for name, one in model.state_dict().items()}
    export(folder, tensors)
    return folder


def test_the_exported_graph_computes_what_the_network_does(windows, batch, tmp_path):
    model = SupportNetwork(SHIPPED, 7).eval()
    with torch.inference_mode():
        model.token_w.normal_(0, 0.05)
        model.marks.normal_(0, 0.05)
        support, wrong = model(batch)
    read = SupportModel(shared_backbone(), exported(model, tmp_path)).read(windows)
    for row, (window, found) in enumerate(zip(windows, read, strict=True)):
        assert found.support == pytest.approx(float(support[row]), abs=0.3)
        tokens = wrong[row, window.first : window.first + len(window.ranges)]
        assert np.allclose(found.unsupported, tokens, atol=0.3)


def test_labels_are_on_the_unsupported_tokens(windows, batch):
    for row, (said, _, ranges) in enumerate(CLAIMS):
        assert bool(batch.supported[row]) == (not ranges)
        marked = "".join(
            said[start:end]
            for place, (start, end) in enumerate(windows[row].ranges, windows[row].first)
            if batch.unsupported[row, place]
        )
        assert all(said[start:end] in marked for start, end in ranges)
        assert bool(marked) == bool(ranges)
    assert not (batch.unsupported.bool() & ~batch.stated).any()


def test_the_layers_learn(batch):
    model = SupportNetwork(SHIPPED, 7)
    assert len(model.layers) == 6
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    losses = []
    for _ in range(12):
        loss = torch.stack(list(model.losses(batch, 1.0).values())).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


def test_a_cut_keeps_the_answer():
    text = "One fact is here. The mill was built in 1887. Pears are ripe. Boats go at noon."
    example = Example("In 1887.", text, "en", "When did it open?", keep="1887")
    for seed in range(10):
        assert "1887" in cut(example, 1, random.Random(seed))


@pytest.mark.parametrize(
    ("said", "lang"),
    [
        ("La fábrica se construyó en 1887.", "es"),
        ("工厂建于1887年。", "zh"),
        ("بُني المصنع عام 1887.", "ar"),
    ],
)
def test_a_translation_is_cut_by_what_it_translates(said, lang):
    text = "One fact is here. The mill was built long ago. Pears are ripe. Boats go at noon."
    original = "The mill was built very long ago."
    example = Example(said, text, lang, across=True, original=original)
    assert "mill" in cut(example, 1, random.Random(0))


def test_claims_are_the_same_from_any_position(data, text, sequencer):
    (material,) = gathered(data, text, shared_crossencoder(), 7, no_progress, ["train"]).values()
    assert set(material.statements) == {"en", "de"}
    assert {one.supported for one in material.statements["en"]} == {True, False}
    whole = list(batches(material, sequencer, 16, 7, 0, 256))
    rest = list(batches(material, sequencer, 16, 7, 64, 256))
    assert [done for done, _ in whole] == list(range(16, 257, 16))
    assert [done for done, _ in rest] == list(range(80, 257, 16))
    for (_, one), (_, other) in zip(whole[4:], rest, strict=True):
        assert torch.equal(one.ids, other.ids)
        assert torch.equal(one.unsupported, other.unsupported)


def test_a_training_is_continued_and_gives_weights(data, text, tmp_path):
    recipe = Recipe(claims=32, batch=8, warmup=8, checkpoint_seconds=0)

    def stop(task, done, total):
        if task == "training" and done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_support(data, text, tmp_path / "out", recipe, stop)
    weights = train_support(data, text, tmp_path / "out", recipe)
    lines = (tmp_path / "out/log.jsonl").read_text("utf-8").splitlines()
    assert "evaluation" in [json.loads(line)["event"] for line in lines]
    model = SupportModel(shared_backbone(), weights)
    assert set(model.card) == {*REGRESSIONS, "sha256", "threshold"}
    (found,) = SupportChecker(model).check([Claim("It was built.", ("It was built.",))])
    assert 0 <= found.probability <= 1
    with pytest.raises(UsageError, match="another folder"):
        train_support(data, text, tmp_path / "out", Recipe(claims=64))


def test_altered_layers_are_refused(tmp_path):
    folder = exported(SupportNetwork(SHIPPED, 7), tmp_path)
    (folder / "support.onnx").write_bytes(b"")
    with pytest.raises(ModelUnavailable, match="damaged"):
        SupportModel(shared_backbone(), folder)
