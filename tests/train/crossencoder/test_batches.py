"""Wrong passages that are made of right ones."""

import random

import pytest

torch = pytest.importorskip("torch")

from anaphora.crossencoder.sequence import Sequencer  # noqa: E402
from anaphora.models.backbone import shared_backbone  # noqa: E402
from anaphora.records import Passage  # noqa: E402
from anaphora.train.crossencoder.batches import Sampler, without_sentences  # noqa: E402
from anaphora.train.crossencoder.questions import Pool, Question  # noqa: E402

PAGES = [
    ("en", "F5 reloads the page. ", "F6 prints it. ", "F7 saves it.", "prints it"),
    ("zh", "按F5刷新页面。", "按F6打印页面。", "按F7保存页面。", "打印页面"),
    ("ja", "F5でページを再読み込みします。", "F6で印刷します。", "F7で保存します。", "印刷"),
    ("th", "กด F5 เพื่อโหลดหน้าใหม่\n\n", "กด F6 เพื่อพิมพ์หน้า\n\n", "กด F7 เพื่อบันทึก", "พิมพ์"),
    ("ar", "يعيد F5 تحميل الصفحة. ", "يطبع F6 الصفحة. ", "يحفظ F7 الصفحة.", "يطبع F6"),
    ("ru", "F5 обновляет страницу. ", "F6 печатает её. ", "F7 сохраняет её.", "печатает"),
    ("tr", "F5 sayfayı yeniler. ", "F6 sayfayı yazdırır. ", "F7 kaydeder.", "yazdırır"),
    ("vi", "F5 tải lại trang. ", "F6 in trang. ", "F7 lưu trang.", "in trang"),
]


@pytest.mark.parametrize(("lang", "before", "sentence", "after", "answer"), PAGES)
def test_the_sentences_of_an_answer_are_left_out(lang, before, sentence, after, answer):
    text = before + sentence + after
    assert without_sentences(text, [answer], lang) == before + after
    assert without_sentences(text, [before.strip(), answer], lang) == after
    assert without_sentences(text, ["1887"], lang) == text


@pytest.mark.parametrize(("lang", "before", "sentence", "after", "answer"), PAGES)
def test_a_passage_without_its_answer_is_a_wrong_one(lang, before, sentence, after, answer):
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool = Pool()
    right = pool.number(Passage("", "", "", before + sentence + after, lang))
    other = pool.number(Passage("", "", "", "7", lang))
    asked = Question("?", lang, (right,), (answer,), (other,))
    sampler = Sampler(pool, sequencer, 1)
    groups = [sampler.group(asked, random.Random(seed)) for seed in range(40)]
    short = len(sequencer.windows("?", "", "7")[0].ids)
    rest = len(sequencer.windows("?", "", before + after)[0].ids)
    lengths = {len(row.window.ids) for group in groups for row in group if row.grade == 0}
    assert lengths == {short, rest}


def test_a_passage_that_is_nothing_but_its_answer_is_not_shortened():
    sequencer = Sequencer(shared_backbone().tokenizer)
    pool = Pool()
    right = pool.number(Passage("", "", "", "The mill was built in 1887.", "en"))
    other = pool.number(Passage("", "", "", "7", "en"))
    sampler = Sampler(pool, sequencer, 1)
    asked = Question("When was it built?", "en", (right,), ("1887",), (other,))
    groups = [sampler.group(asked, random.Random(seed)) for seed in range(20)]
    (wrong,) = {tuple(row.window.ids) for group in groups for row in group if not row.grade}
    assert wrong == tuple(sequencer.windows(asked.text, "", "7")[0].ids)
