"""What holds for all metrics: of answers and of rewrites, in every target language."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpus import PARAGRAPHS, TARGETS

from anaphora.evaluate.metrics import ANSWER_METRICS, REWRITE_METRICS, Metric

pytest.importorskip("sacrebleu")

METRICS = [
    *(pytest.param(metric, id=f"answer {name}") for name, metric in ANSWER_METRICS.items()),
    *(pytest.param(metric, id=f"rewrite {name}") for name, metric in REWRITE_METRICS.items()),
]
OF_WORDS = {
    name: metric
    for kind in (ANSWER_METRICS, REWRITE_METRICS)
    for name, metric in kind.items()
    if name not in ("BERTScore", "language")
}


@pytest.mark.parametrize("lang", TARGETS)
@pytest.mark.parametrize("metric", METRICS)
def test_identical_texts_score_1(metric: Metric, lang: str) -> None:
    text = " ".join(PARAGRAPHS[lang])
    assert metric(text, [text], lang) == pytest.approx(1, abs=1e-5)
    assert metric(unicodedata.normalize("NFD", text), [text], lang) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("lang", TARGETS)
@pytest.mark.parametrize("metric", METRICS)
def test_another_text_scores_less_within_0_and_1(metric: Metric, lang: str) -> None:
    text, other = PARAGRAPHS[lang][0], PARAGRAPHS["fi" if lang != "fi" else "th"][1]
    score = metric(other, [text], lang)
    assert score is not None
    assert 0 <= score < 0.9


@settings(max_examples=200)
@given(
    st.sampled_from(sorted(OF_WORDS)),
    st.text(max_size=20),
    st.lists(st.text(max_size=20), max_size=3),
    st.sampled_from([*TARGETS, "unknown"]),
)
def test_any_texts(name: str, prediction: str, references: list[str], lang: str) -> None:
    metric = OF_WORDS[name]
    score = metric(prediction, references, lang)
    if score is None:
        assert all(metric(text, [text], lang) is None for text in references)
        return
    assert 0 <= score <= 1
    best = max(metric(text, references, lang) or 0.0 for text in references)
    assert best == pytest.approx(1)


@pytest.mark.parametrize("name", ["EM", "F1", "ROUGE-1", "ROUGE-2", "ROUGE-L", "BERTScore"])
@pytest.mark.parametrize("lang", TARGETS)
def test_symmetric_ones(name: str, lang: str) -> None:
    one, other = PARAGRAPHS[lang][:2]
    metric = ANSWER_METRICS[name]
    assert metric(one, [other], lang) == pytest.approx(metric(other, [one], lang))


@pytest.mark.parametrize("metric", METRICS)
def test_more_references_never_lower_the_score(metric: Metric) -> None:
    one, other = PARAGRAPHS["en"][:2]
    alone = metric(one, [other], "en")
    both = metric(one, [other, one], "en")
    assert alone is not None
    assert both == pytest.approx(1, abs=1e-5)
    assert both >= alone


def test_importing_the_metrics_is_light() -> None:
    program = (
        "import sys, anaphora.evaluate.metrics\n"
        "heavy = {'numpy', 'sacrebleu', 'onnxruntime', 'eldc', 'Stemmer', 'scipy', 'torch'}\n"
        "sys.exit(' '.join(heavy & sys.modules.keys()) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
