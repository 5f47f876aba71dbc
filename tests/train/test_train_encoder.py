"""Training how the default encoder reads questions, on a few of them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from anaphora.errors import UsageError
from anaphora.retrieve.encoders import QUERY_PREFIX, load_encoder

torch = pytest.importorskip("torch", reason="needs the extra train")

from anaphora.train.crossencoder.real_manuals import Manuals  # noqa: E402
from anaphora.train.encoder import (  # noqa: E402
    Material,
    QuestionNetwork,
    Recipe,
    gathered,
    plan,
    train_encoder,
)

SHORT = Recipe(epochs=0.2, batch=16, warmup=2, learning_rate=3e-4)
TEXTS = ["Where is the old mill?", "磨坊在哪里？", "โรงสีอยู่ที่ไหน", "أين الطاحونة؟", "Cối xay ở đâu?"]


@pytest.fixture(scope="module")
def material(data, text):
    return gathered(data, text, SHORT)


def test_questions_have_the_vectors_of_their_originals(material):
    part = material["train"]
    count = len(part.questions)
    assert len(part.answered) == len(part.targets) == len(part.crossing) == count
    assert 0 < int(part.crossing.sum()) < count
    place = part.questions.index("Where is Pingyao 0?")
    assert part.crossing[place]
    (target,) = load_plain().encode_queries(["平遥0在哪里？"])
    assert np.allclose(part.targets[place], target, atol=1e-6)
    trained, tuned = (
        {one for found in each.answered for one in found} for each in material.values()
    )
    assert trained
    assert tuned
    assert not trained & tuned


def test_questions_on_real_manuals_are_trained_on_too(data, text, material, real_manuals):
    recipe = replace(SHORT, others=0.5, kept_real=1.5)
    parts = gathered(data, text, recipe, Manuals(real_manuals))
    part, alone = parts["train"], material["train"]
    assert parts["tune"].questions == material["tune"].questions
    real = [row for row, one in enumerate(part.questions) if one.endswith(" mill")]
    assert len(real) == 12
    in_dialogues, in_context = 12, 8
    others = round(0.5 * len(alone.questions))
    assert len(part.questions) == 12 + in_dialogues + in_context + others
    behind = [row for row, one in enumerate(part.questions) if " | " in one]
    assert len(behind) == in_context
    assert not part.near[behind].any()
    assert len(part.vectors) > len({one for own in part.answered for one in own})
    assert not [one for one in part.questions if one.endswith((" totem", " eog"))]
    crossing = [bool(part.crossing[row]) for row in real]
    assert all(crossing[at] for at, row in enumerate(real) if "Cối" in part.questions[row])
    assert not all(crossing)
    assert [float(part.near[row]) for row in real] == [0.0 if one else 1.5 for one in crossing]


def load_plain():
    from anaphora.models.backbone import shared_backbone
    from anaphora.retrieve.encoders import BackboneEncoder

    return BackboneEncoder(shared_backbone())


def by_hand():
    """Two English passages and a Turkish one; the second question has two right passages."""
    vectors = torch.eye(3)
    return Material(
        ["a?", "b?"],
        [[0], [1, 0]],
        torch.tensor([True, False]),
        torch.eye(3)[:2],
        torch.tensor([2.0, 6.0]),
        vectors,
        torch.tensor([0, 0, 1]),
    )


def test_across_languages_negatives_are_in_the_language_of_the_right_passage():
    found = torch.tensor([[0.6, 0.0, 0.8], [0.8, 0.6, 0.0]])
    parts = by_hand().loss([0, 1], found, 1.0)
    # The Turkish passage is a negative of the second question, which is in the language of its
    # passage, but not of the first. The other right passage is none of the second.
    each = float(torch.logsumexp(torch.tensor([0.6, 0.0]), 0)) - 0.6
    assert float(parts["contrastive"]) == pytest.approx(each, abs=1e-6)
    assert float(parts["distance"]) == pytest.approx((2 * 0.4 + 6 * 0.4) / 2, abs=1e-6)
    assert by_hand().reciprocal_ranks(found).tolist() == [1, 1]
    assert by_hand().reciprocal_ranks(torch.eye(3)[[1, 1]]).tolist() == [0.5, 1]


def test_batches_have_every_question_once_an_epoch():
    lengths = [(7 * row) % 30 for row in range(100)]
    batches = plan(lengths, replace(SHORT, epochs=2.0, batch=8))
    assert batches == plan(lengths, replace(SHORT, epochs=2.0, batch=8))
    half = len(batches) // 2
    for epoch in (batches[:half], batches[half:]):
        assert sorted(row for rows in epoch for row in rows) == list(range(100))
    assert len(plan(lengths, replace(SHORT, epochs=0.5, batch=8))) == round(half / 2)


def test_before_training_questions_have_the_vectors_of_the_backbone(tmp_path):
    model = QuestionNetwork()
    with torch.inference_mode():
        found = model.embed(model.prepared([QUERY_PREFIX + one for one in TEXTS])).numpy()
    assert (found * load_plain().encode_queries(TEXTS)).sum(axis=1).min() > 0.99
    model.linear.weight.data.normal_(0, 0.01)
    with torch.inference_mode():
        found = model.embed(model.prepared([QUERY_PREFIX + one for one in TEXTS])).numpy()
    model.export(tmp_path)
    exported = load_encoder(str(tmp_path)).encode_queries(TEXTS)
    assert (found * exported).sum(axis=1).min() > 0.99


def test_training_learns_is_resumed_and_ends_with_the_same_weights(data, text, tmp_path):
    once = train_encoder(data, text, tmp_path / "once", SHORT)
    lines = [json.loads(one) for one in (tmp_path / "once/log.jsonl").read_text().splitlines()]
    assert [line for line in lines if line["event"] == "evaluation"]
    again = train_encoder(data, text, tmp_path / "again", SHORT)
    assert (once / "encoder.onnx").read_bytes() == (again / "encoder.onnx").read_bytes()
    with pytest.raises(UsageError, match="holds a training run with epochs"):
        train_encoder(data, text, tmp_path / "once", replace(SHORT, epochs=0.4))
