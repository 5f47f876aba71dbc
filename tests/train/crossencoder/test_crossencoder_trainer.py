"""Training the cross-encoder on a few questions."""

import json
import pickle
import random
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any, get_args

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from anaphora.crossencoder.model import LAYERS as LAYERS_FILE  # noqa: E402
from anaphora.crossencoder.model import SHIPPED  # noqa: E402
from anaphora.crossencoder.model import CrossEncoder as Shipped  # noqa: E402
from anaphora.crossencoder.sequence import Sequencer  # noqa: E402
from anaphora.crossencoder.spans import best_extent, best_spans  # noqa: E402
from anaphora.errors import MalformedData, ModelUnavailable, UsageError  # noqa: E402
from anaphora.models.backbone import JUDGED_LAYERS, shared_backbone  # noqa: E402
from anaphora.models.weights import Weights  # noqa: E402
from anaphora.protocols import no_progress  # noqa: E402
from anaphora.records import Passage  # noqa: E402
from anaphora.train.crossencoder.batches import Row, Sampler, assemble, batches, token_places  # noqa: E402
from anaphora.train.crossencoder.evaluation import evaluate  # noqa: E402
from anaphora.train.crossencoder.mining import mined  # noqa: E402
from anaphora.train.crossencoder.network import CrossEncoder, continue_from, export  # noqa: E402
from anaphora.train.crossencoder.passages import written_passages  # noqa: E402
from anaphora.train.crossencoder.questions import (  # noqa: E402
    RIGHT,
    Graded,
    Part,
    Pool,
    Question,
    manual_questions,
    translated,
    without_answer,
)
from anaphora.train.crossencoder.span_heads import (  # noqa: E402
    fit_span_heads,
    with_short_answers,
)
from anaphora.train.crossencoder.trainer import (  # noqa: E402
    CONTINUED,
    GRADED,
    LAYERS,
    Recipe,
    _drawn,
    _endless,
    _rate,
    train_crossencoder,
)
from anaphora.train.export import read_layers  # noqa: E402
from anaphora.train.text import TrainingText  # noqa: E402

TRANSLATIONS = TrainingText().translations
QUESTIONS = [
    ("en", "The mill was built in 1887.", "When was the mill built?", "1887"),
    ("zh", "锅炉放在地下室。", "锅炉放在哪里？", "地下室"),
    ("ja", "橋の長さは503メートルである。", "橋の長さは？", "503メートル"),
    ("ar", "توجد الغلاية في القبو.", "أين توجد الغلاية؟", "القبو"),
    ("ru", "Котёл стоит в подвале.", "Где стоит котёл?", "подвале"),
    ("vi", "Nồi hơi đặt dưới tầng hầm.", "Nồi hơi đặt ở đâu?", "tầng hầm"),
    ("th", "สะพานยาว 503 เมตร", "สะพานยาวเท่าไร", "503 เมตร"),
    ("tr", "Kazan bodrumda duruyor.", "Kazan nerede duruyor?", "bodrumda"),
]


@pytest.fixture(scope="module")
def sequencer():
    return Sequencer(shared_backbone().tokenizer)


@pytest.fixture(scope="module")
def untrained():
    return CrossEncoder(Weights(), range(1), range(1, 2)).eval()


@pytest.fixture(scope="module")
def pool():
    found = Pool()
    for lang, text, _, _ in QUESTIONS:
        found.number(Passage("", "", "", text, lang))
    return found


@pytest.fixture(scope="module")
def asked():
    count = len(QUESTIONS)
    return [
        Question(question, lang, (at,), (answer,), ((at + 1) % count, (at + 2) % count))
        for at, (lang, _, question, answer) in enumerate(QUESTIONS)
    ]


@pytest.mark.parametrize(("lang", "text", "question", "answer"), QUESTIONS)
def test_an_answer_is_found_among_the_tokens(sequencer, lang, text, question, answer):
    (window,) = sequencer.windows(question, "", text)
    ((first, last),) = token_places(window, text, [answer])
    begin = window.ranges[first - window.first][0]
    end = window.ranges[last - window.first][1]
    assert text[begin:end] == answer


def test_all_places_of_an_answer_count(sequencer):
    text = "From 1887 on; 1887 was the year."
    (window,) = sequencer.windows("When?", "", text)
    assert len(token_places(window, text, ["1887"])) == 2
    assert token_places(window, text, ["188"]) == ()


def test_a_passage_that_holds_the_answer_is_no_negative(pool):
    other = Pool()
    one = other.number(Passage("", "", "", "Built in 1887.", "en"))
    two = other.number(Passage("", "", "", "Burnt in 1887 and 1901.", "en"))
    three = other.number(Passage("", "", "", "Sold in 1950.", "en"))
    assert other.number(Passage("", "", "other", "Built in 1887.", "en")) == one
    question = Question("When was it built?", "en", (one,), ("1887",))
    assert without_answer([two, one, three], question, other) == (three,)


def test_a_batch_holds_whole_groups_with_one_right_window_each(pool, asked, sequencer):
    sampler = Sampler(pool, sequencer, 2)
    seen = 0
    for batch in batches(asked, sampler, 300, random.Random(1)):
        groups = batch.groups.tolist()
        assert groups == sorted(groups)
        for group in set(groups):
            rows = batch.groups == group
            assert batch.grades[rows].tolist().count(RIGHT) == 1
            assert rows.sum() in (2, 3)
        assert len(batch.places) == len(set(groups))
        seen += len(set(groups))
    assert seen == len(asked)


def test_translations_are_of_known_questions_in_other_languages():
    assert translated([Question("not translated", "en", (0,), ("x",))], TRANSLATIONS) == []
    lines = TRANSLATIONS.read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert len({record["question"] for record in records}) == len(records) > 1000
    for record in records:
        assert record["text"].strip() not in ("", record["question"])
    one = records[0]
    (found,) = translated([Question(one["question"], "xx", (0,), ("x",))], TRANSLATIONS)
    assert (found.text, found.lang) == (one["text"], one["lang"])


def test_it_learns_and_ships_what_it_learnt(pool, asked, sequencer, tmp_path):
    torch.manual_seed(0)
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, LAYERS))
    sampler = Sampler(pool, sequencer, 1)
    optimizer = torch.optim.AdamW(
        [parameter for parameter in model.parameters() if parameter.requires_grad], 3e-4
    )
    losses = []
    for epoch in range(10):
        for batch in batches(asked, sampler, 2000, random.Random(epoch)):
            parts = model.losses(batch, 1.0, 0.5)
            assert set(parts) == {"span", "list", "teacher", "binary"}
            loss = torch.stack(list(parts.values())).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2
    scores = evaluate(model.eval(), sequencer, pool, asked)
    assert scores.f1 > 50

    export(tmp_path, {name: value.float().numpy() for name, value in model.own().items()})
    shipped = Shipped(shared_backbone(), tmp_path)
    pairs = [(one.text, pool.passages[one.passages[0]]) for one in asked]
    windows = [sequencer.windows(question, "", passage.text)[0] for question, passage in pairs]
    with torch.inference_mode():
        relevance, *_ = model(assemble([[Row(window, -1)] for window in windows]))
    made = np.array([one.relevance for one in shipped.score(pairs)])
    assert np.abs(made - relevance.numpy()).max() < 0.5


@pytest.mark.parametrize(
    ("lang", "text", "answer"),
    [
        (
            "en",
            "Old. Turn the key. Pull the lever. Shut.",
            "Turn the key. Pull the lever.",
        ),
        ("zh", "磨坊很旧。转动钥匙。拉动手柄。它关着。", "转动钥匙。拉动手柄。"),
        ("th", "โรงสีเก่า หมุนกุญแจ ดึงคันโยก ปิดแล้ว", "หมุนกุญแจ ดึงคันโยก"),
        (
            "ar",
            "قديمة. أدر المفتاح. اسحب الذراع. مغلقة.",
            "أدر المفتاح. اسحب الذراع.",
        ),
    ],
)
def test_all_that_answers_is_learnt_where_it_is_marked(sequencer, lang, text, answer):
    pool = Pool()
    number = pool.number(Passage("", "", "", text, lang))
    start = text.index(answer)
    hits = (
        Graded(number, RIGHT, 0, (start, start + len(answer))),
        Graded(pool.number(Passage("", "", "", "7", lang)), 0, 0),
    )
    asked = Question("?", lang, (number,), source="graded", grades=hits)
    batch = assemble([Sampler(pool, sequencer, 1).group(asked, random.Random(0))])
    torch.manual_seed(0)
    model = CrossEncoder(Weights(), range(0), range(1))
    optimizer = torch.optim.AdamW([one for one in model.parameters() if one.requires_grad], 1e-3)
    for _ in range(25):
        parts = model.losses(batch, 1.0, 0.5)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        optimizer.step()
    with torch.inference_mode():
        extents = model.eval()(batch)[2].numpy()
    row = int(batch.extents[0, 0])
    window = sequencer.windows("?", "", text)[0]
    found = best_extent(window, extents[row, :, : len(window.ids)])
    assert text[slice(*found)].strip() == answer


def test_only_the_heads_of_the_spans_are_fitted_again(pool, asked, sequencer):
    torch.manual_seed(0)
    model = CrossEncoder(Weights(), range(0), range(1))
    short = with_short_answers(asked, 99, 3)
    assert short
    assert all(one.answers and not one.is_statement for one in short)
    rows = Sampler(pool, sequencer, 1).group(short[0], random.Random(0))
    batch = assemble([rows])
    before = {name: one.clone() for name, one in model.own().items()}
    loss = float(model.losses(batch, 0.0, 0.0)["span"])
    fit_span_heads(model, [(pool, short)], 3)
    assert float(model.losses(batch, 0.0, 0.0)["span"]) < loss
    changed = {name for name, one in model.own().items() if (one != before[name]).any()}
    assert changed == {"heads.span_w", "heads.span_b", "heads.null_w"}


@pytest.mark.parametrize("frozen", [0, 3])
def test_training_continues_from_the_exported_weights(pool, asked, sequencer, tmp_path, frozen):
    """The network computes as the exported graph does, and only the upper layers are changed."""
    model = CrossEncoder(Weights(), range(JUDGED_LAYERS), range(JUDGED_LAYERS, LAYERS)).eval()
    continue_from(model, SHIPPED, frozen, 1)
    pairs = [(one.text, pool.passages[one.passages[0]]) for one in asked]
    windows = [sequencer.windows(question, "", passage.text)[0] for question, passage in pairs]
    known = Shipped(shared_backbone()).score(pairs)
    with torch.inference_mode():
        relevance, spans, _ = model(assemble([[Row(window, -1)] for window in windows]))
    for row, (window, one) in enumerate(zip(windows, known, strict=True)):
        assert float(relevance[row]) == pytest.approx(one.relevance, abs=0.8)
        scores = spans[row, :, : len(window.ids)].numpy()
        (span,) = best_spans(window, scores, pairs[row][1].text)
        assert span.score == pytest.approx(one.spans[0].score, abs=1.5)

    (batch,) = batches(asked, Sampler(pool, sequencer, 1), 5000, random.Random(0))
    parts = model.losses(batch, 1.0, 0.5)
    torch.stack(list(parts.values())).sum().backward()
    assert model.heads["span_w"].grad is None
    assert abs(float(parts["preserved"].detach())) < 1e-3
    with torch.no_grad():
        for weight in model.layers[-1].tensors.values():
            weight *= 1.1
    once, thrice = (
        float(model.losses(batch, 1.0, 0.5, weight)["preserved"].detach()) for weight in (1, 3)
    )
    assert thrice / 3 == pytest.approx(once, rel=1e-3)
    assert once > 0.01
    assert "preserved" not in model.losses(batch, 1.0, 0.5, 0)
    with torch.no_grad():
        for weight in model.layers[-1].tensors.values():
            weight /= 1.1
    for number, layer in enumerate(model.layers):
        gradient = layer.tensors["fi_w"].grad
        assert (gradient is None) == (number < frozen)
        assert number < frozen or gradient.abs().max() > 0
    export(tmp_path, {name: value.detach().numpy() for name, value in model.own().items()})
    again = Shipped(shared_backbone(), tmp_path).score(pairs)
    for one, other in zip(known, again, strict=True):
        assert one.relevance == pytest.approx(other.relevance, abs=0.25)


def test_weights_of_another_number_of_layers_are_refused():
    model = CrossEncoder(Weights(), range(0), range(2))
    with pytest.raises(ModelUnavailable, match="has other layers than"):
        continue_from(model, SHIPPED, 0, 1)


def test_the_papers_loss_takes_each_window_by_itself(pool, asked, sequencer):
    model = CrossEncoder(Weights(), range(0), range(1))
    (batch,) = batches(asked[:1], Sampler(pool, sequencer, 1), 2000, random.Random(0))
    assert set(model.losses(batch, 0.0, 1.0)) == {"span", "binary"}
    assert set(model.losses(batch, 1.0, 0.0)) == {"span", "list", "teacher"}


WRITTEN = """# Котёл
Котёл поставили⏎в подвале в 1951 году.
? Где стоит котёл? => в подвале => tr: Kazan nerede duruyor?
! Кто поставил котёл? => th: ใครเป็นคนติดตั้งหม้อต้ม

# Мельница
Мельница сгорела, потому что в неё ударила молния.
~ Почему сгорела мельница? => Мельница сгорела… => th: ทำไมโรงสีจึงไหม้
~ Что было с мельницей?
"""


def test_written_blocks_are_read_with_their_questions_in_two_languages(tmp_path):
    (tmp_path / "ru.txt").write_text(WRITTEN, "utf-8")
    boiler, mill = written_passages(tmp_path)
    assert boiler.passage.text == "Котёл поставили\nв подвале в 1951 году."
    assert (boiler.passage.title, boiler.passage.lang) == ("Котёл", "ru")
    assert [(one.kind, one.lang, one.answer) for one in boiler.questions] == [
        ("?", "ru", "в подвале"),
        ("?", "tr", "в подвале"),
        ("!", "ru", ""),
        ("!", "th", ""),
    ]
    assert [(one.kind, one.lang, one.answer) for one in mill.questions] == [
        ("~", "ru", mill.passage.text),
        ("~", "th", mill.passage.text),
        ("~", "ru", ""),
    ]


def test_what_we_wrote_answers_its_questions():
    text = TrainingText()
    blocks = [*written_passages(text.passages), *written_passages(text.manuals)]
    assert len({block.passage.lang for block in blocks}) >= 7
    for block in blocks:
        assert block.questions
        for line in block.questions:
            assert line.question.strip()
            assert line.kind == "~" or (line.answer != "") == (line.kind in "?+")
            assert line.answer in block.passage.text


LINES = {
    "en": ("To stop it:⏎1. press S⏎2. wait⏎Then go.", "To stop … 2. wait", (0, 30)),
    "zh": ("停止：⏎1. 按 S⏎2. 等待⏎然后离开。", "停止：…2. 等待", (0, 16)),
    "th": ("วิธีหยุด:⏎1. กด S⏎2. รอ⏎แล้วไป", "วิธีหยุด: … 2. รอ", (0, 23)),
    "ar": ("للإيقاف:⏎1. اضغط S⏎2. انتظر⏎ثم اذهب.", "للإيقاف:⏎1. … انتظر", (0, 27)),
    "ja": ("状態 | 意味⏎赤 | 停止中 | 可⏎緑 | 動作中", "赤 | 停止中 … 停止中 | 可", (8, 19)),
    "tr": ("Metin {…} ile ayrılır; sonra basın.", "Metin {…} ile … ayrılır", (0, 21)),
}


@pytest.mark.parametrize("lang", LINES)
def test_several_lines_are_read_from_their_first_words_to_their_last(tmp_path, lang):
    text, ends, (first, last) = LINES[lang]
    answer = text.replace("⏎", "\n")[first:last]
    block = f"# Guide › S\n{text}\n+ How? => {ends} => ru: Как?\n! Why?"
    (tmp_path / f"{lang}.txt").write_text(block, "utf-8")
    (found,) = written_passages(tmp_path)
    assert found.manual == "Guide"
    assert [(one.lang, one.answer) for one in found.questions] == [
        (lang, answer),
        ("ru", answer),
        (lang, ""),
    ]


@pytest.mark.parametrize("ends", ["To stop … go home", "no … 2. wait", "To stop", " … "])
def test_lines_that_are_not_in_the_passage_are_named(tmp_path, ends):
    (tmp_path / "en.txt").write_text(f"# G › S\n{LINES['en'][0]}\n+ How? => {ends}", "utf-8")
    with pytest.raises(MalformedData, match="G › S: the passage has no part"):
        list(written_passages(tmp_path))


def test_a_question_on_a_manual_has_negatives_of_this_manual_first(text):
    pool = Pool()
    parts = {part: manual_questions(text.manuals, pool, part) for part in get_args(Part)}

    def manual(number):
        return pool.passages[number].title.split(" › ")[0]

    titles = {
        part: {manual((*one.passages, *one.negatives)[0]) for one in found}
        for part, found in parts.items()
    }
    assert sum(map(len, titles.values())) == len(set().union(*titles.values())) == 40
    assert len(titles["train"]) > 20
    assert min(map(len, titles.values())) > 0
    for one in parts["train"]:
        if one.passages:
            (number,) = one.passages
            own, other = map(manual, one.negatives)
            assert own == manual(number) != other
            assert one.answers[0] in pool.passages[number].text
        else:
            assert len(one.negatives) == 1


def test_a_question_that_no_passage_answers_has_only_wrong_windows(pool, sequencer):
    (row,) = Sampler(pool, sequencer, 2).group(
        Question("Who built the mill?", "en", (), (), (0,)), random.Random(0)
    )
    assert (row.grade, row.places, row.unread) == (0, (), False)


def test_a_text_of_several_windows_also_shows_one_without_the_answer(sequencer):
    long = Pool()
    filler = "Котёл стоит в подвале, и зимой его топят углём. " * 40
    at = long.number(Passage("", "", "", filler + "Мост построили в 1887 году.", "ru"))
    asked = Question("Когда построили мост?", "ru", (at,), ("1887",))
    groups = [Sampler(long, sequencer, 1).group(asked, random.Random(seed)) for seed in range(9)]
    assert any(len(group) == 2 for group in groups)
    for right, *others in groups:
        assert right.grade == RIGHT
        assert right.places
        assert all(one.grade == -1 and not one.places for one in others)


@pytest.mark.parametrize("lang", ["ru", "zh"])
def test_a_window_with_a_part_of_the_answer_is_not_shown_as_one_without(sequencer, lang):
    said = {
        "ru": ("Котёл стоит в подвале, и зимой его топят углём. ", "Мост", " построили", "."),
        "zh": ("锅炉放在地下室里，冬天用煤加热。", "这座桥", "由村民修建", "。"),
    }
    filler, first, more, end = said[lang]
    statement = first + more * 9 + end
    text = filler * 12 + statement + filler * 40
    long = Pool()
    at = long.number(Passage("", "", "", text, lang))
    asked = Question("?", lang, (at,), (statement,), is_statement=True)
    sampler = Sampler(long, sequencer, 1)
    groups = [sampler.group(asked, random.Random(seed)) for seed in range(30)]
    shown = [row.window for group in groups for row in group if row.grade == -1]
    assert shown
    place = text.find(statement)
    for window in shown:
        reached = [one for one in window.ranges if one[0] < one[1]]
        assert reached[-1][1] <= place or reached[0][0] >= place + len(statement)


def test_of_a_long_answer_is_learnt_that_it_is_there_and_not_where_it_ends(sequencer):
    long = Pool()
    text = "The mill was shut because " + "of the water and the wind " * 8 + "in 1887."
    asked = Question(
        "Why was it shut?", "en", (long.number(Passage("", "", "", text, "en")),), (text,)
    )
    (row,) = Sampler(long, sequencer, 1).group(asked, random.Random(0))
    assert (row.grade, row.places, row.unread) == (RIGHT, (), False)
    first, last = row.statement
    ranges = row.window.ranges
    assert text[ranges[first - row.window.first][0] : ranges[last - row.window.first][1]] == text


@pytest.mark.parametrize(("lang", "text", "question", "answer"), QUESTIONS)
def test_what_a_sentence_states_is_learnt_to_be_somewhere_in_it(
    untrained, sequencer, lang, text, question, answer
):
    pool = Pool()
    other = pool.number(Passage("", "", "", "7", lang))
    one = Question(
        question, lang, (pool.number(Passage("", "", "", text, lang)),), (text,), (other,)
    )
    sampler = Sampler(pool, sequencer, 1)
    batch = assemble([sampler.group(replace(one, is_statement=True), random.Random(3))])
    ((row, first, last),) = batch.statements.tolist()
    assert not len(batch.places)
    _, spans, _ = untrained(batch)
    chances = torch.log_softmax(spans, dim=-1)[row]
    places = chances.detach()[:, first : last + 1].logsumexp(-1).sum()
    null = torch.log_softmax(spans, dim=-1)[1 - row, :, 0].sum().detach()
    loss = untrained.losses(batch, 0.0, 0.0)["span"].detach()
    assert float(loss) == pytest.approx(-float(places + null) / 2, rel=1e-3)


def test_the_rates_rise_and_fall_in_each_round():
    recipe = Recipe(rounds=(1000, 1000), warmup=100)
    shares = [_rate(recipe, done) for done in (0, 99, 500, 999, 1000, 1500, 1999, 2500)]
    assert shares[0] == shares[4] == pytest.approx(0.01)
    assert shares[1] == pytest.approx(0.9, abs=0.01)
    assert shares[2] == shares[5] == pytest.approx(0.5)
    assert max(shares[3], shares[6], shares[7]) < 0.002


def test_a_question_in_another_language_gets_wrong_passages_of_its_original(tmp_path):
    pool = Pool()
    told = {
        "en": ["The boiler is in the cellar.", "The mill is on the hill.", "The boiler is old."],
        "ru": ["Мельница стоит на холме.", "Котёл старый.", "Мост построили в 1887 году."],
    }
    numbers = {
        lang: [pool.number(Passage("", "", "", text, lang)) for text in texts]
        for lang, texts in told.items()
    }
    here = (numbers["en"][0],)
    asked = [
        Question("Where is the boiler?", "en", here, ("cellar",)),
        Question("Где стоит котёл?", "ru", here, ("cellar",), original="Where is the boiler?"),
        Question("Who built the boiler?", "en", (), (), here),
    ]
    original, translation, left = mined(pool, asked, tmp_path / "pool")
    assert left == asked[2]
    assert set(original.negatives) <= {*numbers["en"][1:], *numbers["ru"]}
    assert set(numbers["en"][1:]) <= set(translation.negatives)
    wrong = set(original.negatives) | set(numbers["en"])
    assert set(translation.negatives) <= wrong - set(here)


def test_an_interrupted_run_is_continued_and_leaves_weights_that_score(data, text, tmp_path):
    recipe = Recipe(rounds=(16,), warmup=4, batch=600, checkpoint_seconds=0)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if task == "training":
            raise Stop

    with pytest.raises(Stop):
        train_crossencoder(data, text, tmp_path / "out", recipe, progress=stop)
    done = []
    weights = train_crossencoder(
        data, text, tmp_path / "out", recipe, progress=lambda *now: done.append(now)
    )
    assert {task for task, _, _ in done} == {"training"}
    assert done[-1] == ("training", 16, 16)
    lines = (tmp_path / "out/log.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["event"] for line in lines][-2:] == ["step", "evaluation"]
    model = Shipped(shared_backbone(), weights)
    assert model.card["support"] != [0.0, 0.5, 0.5, 0.0]
    [found] = model.score([("When was it built?", Passage("", "", "", "Built in 1887.", "en"))])
    assert np.isfinite(found.relevance)
    assert found.spans


def test_a_continued_run_learns_mostly_from_manuals(data, text, tmp_path):
    recipe = replace(CONTINUED, rounds=(8,), warmup=2, batch=600, frozen=5)
    weights = train_crossencoder(data, text, tmp_path / "out", recipe, start=SHIPPED)
    pool, questions, _ = pickle.loads((tmp_path / "out/questions.pickle").read_bytes())
    titles = [pool.passages[(one.passages or one.negatives)[0]].title for one in questions]
    assert sum(" › " not in title for title in titles) == round(0.1 * 8)
    assert Shipped(shared_backbone(), weights).card["support"] != [0.0, 0.5, 0.5, 0.0]
    shipped, found = (
        read_layers(folder / LAYERS_FILE, "judge")[0] for folder in (SHIPPED, weights)
    )
    changed = {name.split(".")[1] for name, one in found.items() if (one != shipped[name]).any()}
    assert changed == {"5"}


def test_a_run_on_real_manuals_has_questions_of_all_sources_and_resumes(
    data, text, real_manuals, tmp_path
):
    recipe = replace(CONTINUED, rounds=(24,), batch=900, frozen=4, checkpoint_seconds=0)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if task == "training" and done >= 8:
            raise Stop

    def trained(name, progress=no_progress):
        return train_crossencoder(
            data, text, tmp_path / name, recipe, start=SHIPPED, manuals=real_manuals,
            progress=progress,
        )  # fmt: skip

    with pytest.raises(Stop):
        trained("stopped", stop)
    weights = trained("stopped")
    assert (weights / LAYERS_FILE).read_bytes() == (trained("once") / LAYERS_FILE).read_bytes()
    _, questions, _ = pickle.loads((tmp_path / "once/questions.pickle").read_bytes())
    assert {one.source for one in questions} == {"articles", "invented", "real"}
    real = [one for one in questions if one.source == "real"]
    assert {one.lang for one in real} == {"ar", "en", "ru", "vi", "zh"}
    with pytest.raises(UsageError, match="holds a training run with manuals ar:"):
        train_crossencoder(data, text, tmp_path / "once", recipe, start=SHIPPED)


def test_a_run_on_graded_hits_learns_from_them_and_from_invented_manuals(
    data, text, real_manuals, tmp_path
):
    recipe = replace(GRADED, rounds=(8,), warmup=2, batch=900, frozen=5)
    weights = train_crossencoder(
        data, text, tmp_path / "out", recipe, start=SHIPPED, manuals=real_manuals
    )
    pool, questions, tuning = pickle.loads((tmp_path / "out/questions.pickle").read_bytes())
    assert {one.source for one in questions} == {"graded", "invented"}
    assert {one.lang for one in questions if one.grades} == {"ar", "en", "ru", "zh"}
    shipped, found = (
        read_layers(folder / LAYERS_FILE, "judge")[0] for folder in (SHIPPED, weights)
    )
    changed = {name.split(".")[1] for name, one in found.items() if (one != shipped[name]).any()}
    assert changed == {"5"}
    wrong = [(one.text, pool.passages[one.negatives[0]]) for one in tuning if one.negatives]
    before, after = (
        np.mean([found.spans[0].score for found in Shipped(shared_backbone(), folder).score(wrong)])
        for folder in (SHIPPED, weights)
    )
    assert after == pytest.approx(before, abs=0.02)


def test_a_better_grade_has_a_larger_share_and_none_without_an_answer(sequencer):
    pool = Pool()
    words = ["Мост", "桥", "สะพาน", "Köprü"]
    numbers = [pool.number(Passage("", "", "", word, "ru")) for word in words]

    def losses(grades: list[int]) -> tuple[dict[str, Any], torch.Tensor]:
        hits = tuple(Graded(at, grade, 0) for at, grade in zip(numbers, grades, strict=True))
        asked = Question("Где?", "ru", (), source="graded", grades=hits)
        rows = Sampler(pool, sequencer, 9).group(asked, random.Random(0))
        batch = assemble([rows])
        torch.manual_seed(0)
        model = CrossEncoder(Weights(), range(0), range(1))
        parts, relevance = model.losses(batch, 1.0, 1.0), model(batch)[0]
        sum(parts.values()).backward()
        assert model.heads["relevance_w"].grad.isfinite().all()
        return parts, relevance[batch.grades.argsort()].detach()

    parts, relevance = losses([0, 1, 2, 3])
    shares = torch.tensor([0.0, 0.03, 0.35, 1.0]) / 1.38
    assert float(parts["list"].detach()) == pytest.approx(
        float(-(shares * relevance.log_softmax(0)).sum()), rel=1e-3
    )
    targets = torch.tensor([0.0, 0.12, 0.75, 1.0])
    assert float(parts["binary"].detach()) == pytest.approx(
        float(torch.nn.functional.binary_cross_entropy_with_logits(relevance, targets)), rel=1e-3
    )
    assert float(losses([0, 1, 1, 0])[0]["list"].detach()) == 0
    assert float(losses([0, 1, 2, 0])[0]["list"].detach()) > 0


def test_questions_are_drawn_by_the_shares_of_their_sources():
    questions = [
        Question(f"{source}{number}", "en", (0,), source=source)
        for source, count in (("real", 40), ("invented", 20), ("articles", 500))
        for number in range(count)
    ]
    drawn = list(islice(_drawn(questions, CONTINUED.shares, 3), 1000))
    assert drawn == list(islice(_drawn(questions, CONTINUED.shares, 3), 1000))
    counts = Counter(one.source for one in drawn)
    assert counts["real"] == pytest.approx(600, abs=60)
    assert counts["invented"] == pytest.approx(300, abs=60)
    real = [one.text for one in drawn if one.source == "real"]
    assert len(set(real[:40])) == len(set(real[40:80])) == 40
    without = list(islice(_drawn(questions[40:], CONTINUED.shares, 3), 1000))
    assert Counter(one.source for one in without)["invented"] == pytest.approx(750, abs=60)
    plain = list(islice(_drawn(questions, {}, 3), 560))
    assert Counter(one.source for one in plain)["articles"] == pytest.approx(500, abs=40)


def test_batches_from_a_position_are_those_of_the_whole_run(pool, asked, sequencer):
    recipe = replace(CONTINUED, batch=600)
    sampler = Sampler(pool, sequencer, 2)
    whole = list(islice(_endless(asked, sampler, recipe, 0), 150))
    at = next(end for end, _ in whole if end > 300)
    later = [(end, one) for end, one in whole if end > at]
    again = islice(_endless(asked, sampler, recipe, at), len(later))
    for (end, (number, batch)), (other, (same, found)) in zip(later, again, strict=True):
        assert (end, number) == (other, same)
        assert torch.equal(batch.ids, found.ids)
