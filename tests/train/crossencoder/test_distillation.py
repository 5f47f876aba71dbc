"""Relevance from a stronger model, which the cross-encoder is trained to match."""

import math
import random

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")
onnx = pytest.importorskip("onnx")

from anaphora.crossencoder.sequence import Sequencer  # noqa: E402
from anaphora.errors import ModelUnavailable  # noqa: E402
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone  # noqa: E402
from anaphora.models.weights import Weights  # noqa: E402
from anaphora.records import Passage  # noqa: E402
from anaphora.train.crossencoder.batches import Sampler, assemble, batches  # noqa: E402
from anaphora.train.crossencoder.distillation import Teacher, with_teacher_scores  # noqa: E402
from anaphora.train.crossencoder.network import CrossEncoder  # noqa: E402
from anaphora.train.crossencoder.questions import Pool, Question  # noqa: E402

TEXTS = [
    ("en", "The mill was built in 1887."),
    ("en", "The boiler stands in the cellar."),
    ("zh", "锅炉放在地下室。"),
    ("ar", "توجد الغلاية في القبو."),
]


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    """Counts the words of a passage that the question has too: it sums the numbers of its tokens,
    and only "cellar" has a large one."""
    from onnx import TensorProto, helper
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("teacher")
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "[SEP]": 1, "cellar": 50}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A", pair="$A [SEP] $B:1", special_tokens=[("[SEP]", 1)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["numbers", "axes"], ["score"], keepdims=1),
    ]
    graph = helper.make_graph(
        nodes,
        "teacher",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "t"])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["b", 1])],
        [helper.make_tensor("axes", TensorProto.INT64, [1], [1])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    return folder


@pytest.fixture
def pool():
    found = Pool()
    for lang, text in TEXTS:
        found.number(Passage("", "", "", text, lang))
    return found


def test_a_teacher_scores_pairs_in_its_language(teacher, pool):
    questions = [
        Question("Where is the boiler?", "en", (1,), ("cellar",), (0, 2)),
        Question("锅炉放在哪里？", "zh", (2,), ("地下室",), (0, 1)),
        Question("Who built the mill?", "en", (), (), (0,)),
        Question("Where is the boiler, by the Arabic note?", "en", (3,), ("القبو",), (0, 1)),
    ]
    first, *others = with_teacher_scores(questions, pool, Teacher(teacher))
    assert first.teacher_scores == ((1, 51.0), (0, 1.0))
    assert others == questions[1:]


@pytest.mark.parametrize("spoilt", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_a_model_is_named(teacher, tmp_path, spoilt):
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes((teacher / name).read_bytes())
    (tmp_path / spoilt).write_text("nothing")
    with pytest.raises(ModelUnavailable, match=f"{tmp_path.name} contains no cross-encoder"):
        Teacher(tmp_path)
    with pytest.raises(ModelUnavailable):
        Teacher(tmp_path / "missing")


def test_the_order_of_the_teacher_is_learned_instead_of_the_labels(pool):
    """The teacher finds the second passage better than the one that is said to answer."""
    sequencer = Sequencer(shared_backbone().tokenizer)
    asked = Question(
        "Where is the boiler?", "en", (0,), (), (1,), teacher_scores=((0, -8.0), (1, 8.0))
    )  # fmt: skip
    sampler = Sampler(pool, sequencer, 1)
    (batch,) = batches([asked], sampler, 2000, random.Random(0))
    assert batch.teacher_scores.tolist() == [-8.0, 8.0]
    torch.manual_seed(0)
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, JUDGED_LAYERS + 1))
    own = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(own, 1e-3)
    for _ in range(25):
        loss = model.losses(batch, 1.0, 0.0)["teacher"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    relevance, *_ = model(batch)
    assert relevance[1] > relevance[0]
    assert float(loss.detach()) < 0.3


def test_without_a_teacher_its_part_of_the_loss_is_zero(pool):
    sequencer = Sequencer(shared_backbone().tokenizer)
    asked = Question("Where is the boiler?", "en", (1,), ("cellar",), (0,))
    group = Sampler(pool, sequencer, 1).group(asked, random.Random(0))
    assert all(math.isnan(row.teacher_score) for row in group)
    parts = CrossEncoder(Weights(), range(0), range(1)).losses(assemble([group]), 1.0, 0.5)
    assert float(parts["teacher"].detach()) == 0
    assert float(parts["list"].detach()) > 0
