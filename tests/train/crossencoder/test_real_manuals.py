"""Questions on real manuals, and the indexes that they are joined with."""

import json
import random
import shutil
from collections import Counter

import pytest

torch = pytest.importorskip("torch")


from anaphora.crossencoder.model import CrossEncoder  # noqa: E402
from anaphora.crossencoder.sequence import Sequencer  # noqa: E402
from anaphora.errors import UsageError  # noqa: E402
from anaphora.models.backbone import shared_backbone  # noqa: E402
from anaphora.records import Passage  # noqa: E402
from anaphora.train.crossencoder.batches import Sampler, assemble  # noqa: E402
from anaphora.train.crossencoder.questions import RIGHT, Graded, Pool, Question  # noqa: E402
from anaphora.train.crossencoder.real_manuals import (  # noqa: E402
    REPORTED,
    TUNED,
    Manuals,
    answered,
    digest,
    graded,
    graded_questions,
    in_context,
    part_of,
    real_dialogues,
    real_questions,
    searched,
    with_windows,
)
from anaphora.train.text import TrainingText  # noqa: E402

LANGS = ["ar", "en", "ru", "zh"]


@pytest.fixture(scope="module")
def manuals(real_manuals):
    return Manuals(real_manuals)


@pytest.fixture(scope="module")
def judge():
    return CrossEncoder(shared_backbone())


@pytest.fixture(scope="module")
def found(manuals, text, judge):
    pool = Pool()
    return pool, searched(manuals, text, pool, judge)


def test_our_questions_name_their_passages_by_digests():
    text = TrainingText()
    every = [one for part in ("train", "tune", "report") for one in real_questions(text, part)]
    assert len(every) > 20_000
    assert len({one.manual_lang for one in every}) >= 13
    assert {part_of(one.manual) for one in every} == {"train", "tune", "report"}
    for one in every:
        assert one.text == " ".join(one.text.split()) != ""
        assert one.passage is None or len(int(one.passage, 16).to_bytes(8, "big")) == 8
    asked = Counter((one.manual_lang, one.text.casefold(), one.passage) for one in every)
    assert asked.most_common(1)[0][1] == 1
    assert max(path.stat().st_size for path in text.real) < 2_000_000


def test_our_grades_are_of_passages_by_their_digests():
    parts = {part: graded_questions(TrainingText(), part) for part in ("train", "tune", "report")}
    assert len(parts["train"]) > 2_500
    assert min(map(len, parts.values())) > 100
    for one in (one for part in parts.values() for one in part):
        assert one.text == one.text.strip() != ""
        assert len(one.grades) == len(dict(one.grades)) > 1
        assert all(0 <= grade <= RIGHT for _, grade in one.grades)
        assert all(len(int(named, 16).to_bytes(8, "big")) == 8 for named, _ in one.grades)
        assert all(dict(one.grades)[named] == RIGHT for named in one.answers)
        assert all(0 <= start < end for start, end in one.answers.values())
    right = [any(grade == RIGHT for _, grade in one.grades) for one in parts["train"]]
    assert 0.7 < sum(right) / len(right) < 0.9
    assert all(sum(len(one.answers) for one in part) > 100 for part in parts.values())


def test_our_dialogues_name_their_passages_and_begin_with_a_complete_question():
    every = [
        talk
        for part in ("train", "tune", "report")
        for talk in real_dialogues(TrainingText(), part)
    ]
    assert sum(len(talk) - 1 for talk in every) > 12_000
    assert len({talk[0].lang for talk in every}) == 16
    for talk in every:
        assert len(talk) > 1
        assert talk[0].standalone == talk[0].text
        assert not talk[0].earlier
        for one in talk:
            assert one.text == " ".join(one.text.split()) != ""
            assert len(int(one.passage, 16).to_bytes(8, "big")) == 8
        assert talk[-1].earlier == tuple(one.text for one in talk[:-1])
    later = [one for talk in every for one in talk[1:]]
    complete = sum(one.standalone == one.text for one in later)
    assert 0.1 < complete / len(later) < 0.3


def test_the_part_of_a_question_is_that_of_its_manual(text, real_manuals):
    assert not REPORTED & TUNED
    manuals = {
        part: {one.manual for one in real_questions(text, part)}
        for part in ("train", "tune", "report")
    }
    assert manuals == {"train": {"mill"}, "tune": {"eog"}, "report": {"totem"}}


def test_questions_are_joined_with_the_passages_of_the_indexes(manuals, text):
    located = manuals.located(real_questions(text, "tune"))
    assert Counter(one.manual_lang for one, _ in located) == dict.fromkeys(LANGS, 7)
    for one, passage in located:
        assert (passage is None) == (one.passage is None)
        if passage:
            assert digest(passage.text) == one.passage
            assert passage.doc_id.startswith(f"{one.manual_lang}/eog/")


def test_too_few_passages_are_an_error_that_counts_them(real_manuals, text, tmp_path):
    with pytest.raises(UsageError, match="no folder LANG with an index of manuals"):
        Manuals(tmp_path)
    for lang in LANGS[:3]:
        shutil.copytree(real_manuals / lang, tmp_path / lang)
    with pytest.raises(UsageError, match="has the passages of 18 of 24 questions"):
        Manuals(tmp_path).located(real_questions(text, "train"))
    shutil.copytree(real_manuals / "en", tmp_path / "zh")
    with pytest.raises(UsageError, match="has the passages of 18 of 24 questions"):
        Manuals(tmp_path).located(real_questions(text, "train"))


def test_negatives_are_other_hits_in_the_language_of_the_manual(found):
    pool, questions = found
    assert len(questions) == 16 + 12
    for one in questions:
        assert one.source == "real"
        assert not set(one.passages) & set(one.negatives)
        assert one.negatives
        numbers = (*one.passages, *one.negatives)
        assert len({pool.passages[number].title.split()[0] for number in numbers}) == 1
    assert sum(not one.passages for one in questions) == 4
    assert sum(one.lang == "vi" for one in questions) == 4


@pytest.mark.parametrize("lang", LANGS)
def test_the_window_that_answers_is_the_most_relevant_one(found, lang):
    pool, questions = found
    sequencer = Sequencer(shared_backbone().tokenizer)
    checked = 0
    for one in questions:
        if one.lang == lang and one.passages:
            passage = pool.passages[one.passages[0]]
            windows = sequencer.windows(one.text, passage.heading, passage.text)
            if len(windows) > 1:
                assert one.window == len(windows) - 1
                checked += 1
            else:
                assert one.window == 0
    assert checked == 3


def test_graded_hits_of_the_training_part_are_read_where_they_answer(manuals, text, judge):
    pool = Pool()
    questions = graded(manuals, text, pool, judge)
    assert sorted(one.lang for one in questions) == LANGS
    sequencer = Sequencer(shared_backbone().tokenizer)
    for one in questions:
        assert [hit.grade for hit in one.grades] == [1, 3, 2]
        wheel = one.grades[1]
        assert one.passages == (wheel.passage,)
        passage = pool.passages[wheel.passage]
        windows = sequencer.windows(one.text, passage.heading, passage.text)
        assert wheel.window == len(windows) - 1 > 0
        assert one.grades[0].window == 0


def test_of_graded_hits_those_that_answer_and_some_others_are_read(judge):
    pool = Pool()
    texts = ["Мост", "桥", "สะพาน", "الجسر", "Cây cầu", "Köprü", "橋", "Brücke"]
    numbers = [pool.number(Passage("", "", "", text, "ru")) for text in texts]
    grades = [3, 0, 2, 1, 0, 3, 0, 0]
    hits = tuple(Graded(number, grade, 0) for number, grade in zip(numbers, grades, strict=True))
    sampler = Sampler(pool, Sequencer(shared_backbone().tokenizer), 2)
    asked = Question("Где?", "ru", (numbers[0], numbers[5]), source="graded", grades=hits)
    for seed in range(9):
        rows = sampler.group(asked, random.Random(seed))
        assert sorted(row.grade for row in rows)[-3:] == [2, 3, 3]
        assert len(rows) == 5
        for row in rows:
            assert (row.statement is not None) == (row.grade == RIGHT)
            assert row.unread == (row.grade in (1, 2))
            assert not row.places
            if row.statement:
                assert row.statement == (row.window.first, len(row.window.ids) - 2)
    unanswered = Question(
        "Где?", "ru", (), source="graded", grades=(*hits[1:2], *hits[3:5], *hits[6:])
    )
    rows = sampler.group(unanswered, random.Random(0))
    assert len(rows) == 3
    assert all(row.grade < 2 for row in rows)


def test_what_answers_is_read_in_the_window_that_has_most_of_it(judge):
    pool = Pool()
    text = "The mill is old. " * 60 + "It was built in 1887. The mill is closed."
    number = pool.number(Passage("", "", "", text, "en"))
    start = text.index("It was")
    hit = Graded(number, RIGHT, 0, (start, start + len("It was built in 1887.")))
    asked = Question("When?", "en", (number,), source="graded", grades=(hit,))
    (row,) = Sampler(pool, Sequencer(shared_backbone().tokenizer), 2).group(asked, random.Random(0))
    first, last = (at - row.window.first for at in row.extent)
    shown = text[row.window.ranges[first][0] : row.window.ranges[last][1]]
    assert shown.strip() == "It was built in 1887."
    assert row.statement == row.extent
    batch = assemble([[row]])
    assert batch.extents.tolist() == batch.statements.tolist() == [[0, *row.extent]]


def test_a_question_whose_answer_is_known_keeps_its_windows(judge):
    pool = Pool()
    long = pool.number(
        Passage("", "", "", "The mill is old. " * 60 + "It was built in 1887.", "en")
    )
    asked = Question("When was the mill built?", "en", (long,), ("1887",))
    assert with_windows([asked], pool, judge) == [asked]


def test_of_a_manual_the_window_is_shown_with_as_many_hits_as_a_group_has(judge):
    pool = Pool()
    text = "Котёл стоит в подвале. " * 60
    right = pool.number(Passage("", "", "Мельница", text, "ru", ("Котёл",)))
    wrong = [pool.number(Passage("", "", "", f"Мост {n}", "ru")) for n in range(14)]
    sequencer = Sequencer(shared_backbone().tokenizer)
    asked = Question("Где?", "ru", (right,), (), tuple(wrong), source="real", window=1)
    shown = {
        tuple(sequencer.windows("Где?", heading, text)[1].ids)
        for heading in ("Мельница › Котёл", "")
    }
    rows = {tuple(sequencer.windows("Где?", "", f"Мост {n}")[0].ids): n for n in range(len(wrong))}
    sampler = Sampler(pool, sequencer, 5)
    seen = Counter()
    for seed in range(60):
        first, *others = sampler.group(asked, random.Random(seed))
        assert (first.grade, first.unread) == (RIGHT, True)
        assert tuple(first.window.ids) in shown
        seen[tuple(first.window.ids)] += 1
        numbers = [rows[tuple(row.window.ids)] for row in others]
        assert len(set(numbers)) == 5
        assert sum(number >= 7 for number in numbers) == 1
        assert {row.grade for row in others} == {0}
    with_heading, without = seen.most_common()
    assert with_heading[1] > 40 > without[1] > 0


def test_a_question_that_no_manual_answers_has_only_wrong_windows(judge):
    pool = Pool()
    wrong = tuple(pool.number(Passage("", "", "", f"桥{n}", "zh")) for n in range(9))
    asked = Question("塔在哪里？", "zh", (), (), wrong, source="real")
    sampler = Sampler(pool, Sequencer(shared_backbone().tokenizer), 5)
    for seed in range(5):
        assert [row.grade for row in sampler.group(asked, random.Random(seed))] == [0, 0]


def test_the_encoder_gets_questions_that_are_answered(manuals, text):
    pool = Pool()
    questions = answered(manuals, text, "report", pool)
    assert len(questions) == 12 + 12
    for one in questions:
        assert pool.passages[one.passages[0]].text.endswith("(totem)")
        assert not one.negatives


def test_the_encoder_gets_the_questions_of_conversations_in_context(manuals, text):
    pool = Pool()
    questions = in_context(manuals, text, "report", pool)
    later = [one for one in questions if one.source == "conversation"]
    assert len(later) == 2 * len(LANGS)
    for talk in real_dialogues(text, "report"):
        first, second, third = (one.text for one in talk)
        assert {f"{first} | {second}", f"{first} | {second} | {third}"} <= {
            one.text for one in later
        }
    for one in questions:
        assert pool.passages[one.passages[0]].text.endswith("(totem)")


def test_a_follow_up_with_a_rewrite_is_asked_by_itself_too(manuals, text, tmp_path):
    shutil.copytree(text.folder, tmp_path, dirs_exist_ok=True)
    own = TrainingText(tmp_path)
    for path in own.dialogues.glob("*.jsonl"):
        lines = list(map(json.loads, path.read_text("utf-8").splitlines()))
        for line in lines:
            line["turns"][1]["rewrite"] = f"{line['lang']}: rewritten"
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    questions = in_context(manuals, own, "report", Pool())
    alone = [one.text for one in questions if one.source == "real"]
    assert sorted(alone) == [f"{lang}: rewritten" for lang in LANGS]


def test_pages_have_the_passages_that_no_question_asks_for_too(manuals, text):
    asked = real_questions(text, "train")
    pages = manuals.pages(asked)
    answering = {passage.passage_id for _, passage in manuals.located(asked) if passage}
    found = {one.passage_id for one in pages}
    assert answering <= found
    assert all("(mill)" in one.text for one in pages)
