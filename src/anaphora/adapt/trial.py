"""Whether an adapter is worth installing: it is chosen on some documents and measured on others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np

from anaphora.adapt.people import people_asked
from anaphora.adapt.questions import Asked, generated, passages_by_document, written
from anaphora.adapt.ranking import Ranking
from anaphora.config import Config
from anaphora.errors import AnaphoraError
from anaphora.evaluate.significance import randomisation
from anaphora.index import Adapter, Index
from anaphora.index.adapter import Comparison
from anaphora.models.chat import LanguageModel
from anaphora.protocols import Encoder, Progress, no_progress

STRENGTHS = (0.25, 0.5, 0.75)
LEVEL = 0.05
"""The largest p of a difference that is not called chance."""
LEAST_GAIN = 0.03
"""Of nDCG@10 on generated questions: people gain less (docs/decisions/adapting.md)."""
LEAST_DOCUMENTS, LEAST_QUESTIONS = 5, 60
_MOST_PASSAGES, _MOST_QUESTIONS = 6000, 800
_SUFFICIENT = 0.5
"""The smallest strength counts that reaches this part of the greatest gain."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An adapter and what was measured with it.

    Attributes:
        documents: from how many documents questions were generated.
        generated: on questions of documents on which nothing was chosen.
        people: on the questions that people wrote; None where there are none. They decide.
        adapter: the one that was chosen, with the comparison that decides.
    """

    documents: int
    generated: Comparison
    people: Comparison | None
    adapter: Adapter

    @property
    def wins(self) -> bool:
        """Whether it finds more, by more than chance."""
        one = self.deciding
        least = LEAST_GAIN if one.asked == "generated" else 0.0
        return one.after - one.before > least and one.p < LEVEL

    @property
    def deciding(self) -> Comparison:
        return self.people or self.generated

    @property
    def reason(self) -> str:
        """Why the adapter wins or not, in a sentence."""
        one = self.deciding
        gain = 100 * (one.after - one.before)
        by = f"{gain:+.1f} points of nDCG@10 on {one.questions:,} {_ASKED[one.asked]}"
        if self.wins:
            return f"it finds more: {by}, which is more than chance (p = {one.p:.3g})"
        if gain <= 0:
            return f"it finds no more: {by}"
        if one.p < LEVEL:
            return f"people would hardly gain: {by}, and it must be more than {100 * LEAST_GAIN:g}"
        return f"the gain may be chance: {by} (p = {one.p:.2g}, and it must be below {LEVEL:g})"


_ASKED = {"generated": "held-out questions from the documents", "people": "questions by people"}


def run_trial(
    index: Index,
    config: Config,
    encoder: Encoder,
    people: Path | None = None,
    model: LanguageModel | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Trial:
    """Chooses an adapter on a half of the documents and measures it on the other half, or on
    questions that people wrote.

    Args:
        people: their file; see `people_asked`.
        model: writes questions besides the sentences of the documents.

    Raises:
        AnaphoraError: there are too few documents or questions.
        UsageError: the questions of people cannot be read.
    """
    ranking = Ranking(index, config)
    by_people = people_asked(people, ranking.assistant) if people else []
    if people and not by_people:
        raise AnaphoraError(
            f"no passage of the index in {index.location} answers a question of {people}"
        )
    documents = passages_by_document(index, _MOST_PASSAGES, seed)
    asked = generated(documents, _MOST_QUESTIONS, seed)
    if model:
        asked += written(documents, model, seed, progress=progress)
    sources = sorted({one.doc_id for one in asked})
    if len(sources) < LEAST_DOCUMENTS or len(asked) < LEAST_QUESTIONS:
        raise AnaphoraError(
            f"the index in {index.location} is too small to adapt: {len(asked)} questions could be "
            f"made from {len(sources)} documents, and it takes {LEAST_QUESTIONS} from "
            f"{LEAST_DOCUMENTS}"
        )
    random.Random(seed).shuffle(sources)
    first = frozenset(sources[: len(sources) // 2])
    chosen_on = [one for one in asked if one.doc_id in first]
    held_out = [one for one in asked if one.doc_id not in first]
    steps = len(chosen_on) + len(held_out) + len(by_people)
    done = 0

    def scores(questions: Sequence[Asked], adapters: Sequence[Adapter | None]) -> list[list[float]]:
        nonlocal done
        found = ranking.ndcg(
            questions, adapters, lambda count: progress("searching", done + count, steps)
        )
        done += len(questions)
        return found

    vectors = encoder.encode_queries([one.query.text for one in chosen_on])
    mean = vectors.mean(axis=0, dtype=np.float64)
    candidates = [
        Adapter(encoder.name, strength, tuple((strength * mean).tolist())) for strength in STRENGTHS
    ]
    before, *after = map(fmean, scores(chosen_on, [None, *candidates]))
    gains = [one - before for one in after]
    sufficient = min(max(gains), _SUFFICIENT * max(gains))
    best = candidates[next(at for at, gain in enumerate(gains) if gain >= sufficient)]
    on_generated = compared("generated", *scores(held_out, [None, best]))
    on_people = compared("people", *scores(by_people, [None, best])) if by_people else None
    adapter = replace(best, comparison=on_people or on_generated)
    return Trial(len(sources), on_generated, on_people, adapter)


def compared(
    asked: Literal["generated", "people"], before: Sequence[float], after: Sequence[float]
) -> Comparison:
    """The mean scores of the same questions without and with an adapter, tested."""
    p = randomisation(after, before)
    return Comparison(asked, len(before), fmean(before), fmean(after), p)
