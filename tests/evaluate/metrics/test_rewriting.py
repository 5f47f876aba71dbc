from __future__ import annotations

import pytest

from anaphora.evaluate.metrics import REWRITE_METRICS, mean, rewrite_report

pytest.importorskip("sacrebleu")

QUESTIONS = ["When did they break up?", "那里下雨吗", "Is it raining?"]
REFERENCES = ["When did the Mothers break up?", "上海下雨吗", "Is it raining in Paris?"]
REWRITES = ["When did the Mothers split?", "北京下雨吗", "Is it raining in Paris?"]
LANGS = ["en", "zh", "en"]


def test_perfect_rewrites_score_1_throughout() -> None:
    report = rewrite_report(REFERENCES, REFERENCES, QUESTIONS, LANGS)
    assert list(report.values()) == pytest.approx([1.0] * len(report))
    assert {"EM", "BLEU-1", "BLEU-4", "ROUGE-L P", "ROUGE-2", "restoration F3"} <= report.keys()


def test_values_by_hand() -> None:
    report = rewrite_report(REWRITES, REFERENCES, QUESTIONS, LANGS)
    assert report["EM"] == pytest.approx(1 / 3)
    # 5 of 6, 3 of 5, 6 of 6 tokens; the rewrites are one token shorter in all.
    assert report["BLEU-1"] == pytest.approx(14 / 17 * 2.718281828 ** (1 - 18 / 17))
    assert report["ROUGE-1 R"] == pytest.approx((5 / 7 + 3 / 5 + 1) / 3)
    # Restored: the Mothers | 上海 | in Paris, of "the mothers split", "北京" and "in paris".
    assert report["restoration P1"] == pytest.approx(4 / 7)
    assert report["restoration R1"] == pytest.approx(4 / 6)


def test_means_over_turns_are_those_of_the_metrics() -> None:
    report = rewrite_report(REWRITES, REFERENCES, QUESTIONS, LANGS)
    for name in ("EM", "ROUGE-1", "ROUGE-1 R", "ROUGE-2", "ROUGE-L"):
        turns = zip(REWRITES, REFERENCES, LANGS, strict=True)
        scores = [REWRITE_METRICS[name](mine, [gold], lang) for mine, gold, lang in turns]
        assert report[name] == pytest.approx(mean(scores))


def test_turns_without_a_reference_are_left_out() -> None:
    alone = rewrite_report(REWRITES[:1], REFERENCES[:1], QUESTIONS[:1], LANGS[:1])
    more = rewrite_report(["x", REWRITES[0]], [" ", REFERENCES[0]], ["y", QUESTIONS[0]], ["en"] * 2)
    assert more == alone
    assert set(rewrite_report(["x"], [""], ["y"], ["en"]).values()) == {None}


def test_questions_as_they_are() -> None:
    report = rewrite_report(QUESTIONS, REFERENCES, QUESTIONS, LANGS)
    assert report["restoration P1"] is None
    assert report["restoration F1"] == 0.0
    assert report["EM"] == 0.0


def test_an_empty_rewrite_is_wrong() -> None:
    report = rewrite_report([""], REFERENCES[:1], QUESTIONS[:1], ["en"])
    assert report["ROUGE-1 P"] == 0.0
    assert report["BLEU-4"] == 0.0


def test_unequal_lists_are_errors() -> None:
    with pytest.raises(ValueError, match="zip"):
        rewrite_report(["a"], ["a"], [], ["en"])
