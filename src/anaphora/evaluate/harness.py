"""Several systems on one data set: a folder for each run, and a report on all of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Literal

from anaphora.assistant import Assistant
from anaphora.datasets.example import Example
from anaphora.datasets.registry import Dataset
from anaphora.errors import AnaphoraError, MalformedData, UsageError
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.experiment import Experiment, as_run
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.report import html_report
from anaphora.evaluate.results import Run
from anaphora.evaluate.run_folder import REPORT, write_run
from anaphora.evaluate.scoring import Success, measurable, usual_success
from anaphora.evaluate.stages import Stages
from anaphora.evaluate.summary import summary
from anaphora.evaluate.systems import System, check_names
from anaphora.index import open_index
from anaphora.pipeline import Pipeline
from anaphora.protocols import Progress, no_progress
from anaphora.retrieve.encoders import DEFAULT, load_encoder
from anaphora.retrieve.sparse import load_sparse_encoder

logger = logging.getLogger(__name__)

Last = Literal["rewrite", "retrieve", "read"]

CACHE = "cache"


@dataclass(frozen=True)
class Harness:
    """How systems are measured.

    Args:
        out: the folder of the runs and of the cache that they share.
        last: the last stage to run.
        index: the index to search; None to build one of the data set's own passages.
        lexical: whether that one is built without vectors.
        encoder: the encoder of its vectors, as `load_encoder` takes it.
        sparse: that of its sparse weights, as `load_sparse_encoder` takes it; None for none.
        metrics: their names; none for the usual ones that the data allow.
        success: the condition that a right turn meets; None for the usual one.
        depth: how many hits the first stage gives.
        limit: how many turns are measured, from the first; None for all.
        reference: whose automatic rewrites in the data stand in for human ones.
        oracle: whether the reader receives the relevant passages instead of those found.
        answer_grade: passages with this grade or a higher one are the right answers, instead of
            those of the data; None for those of the data.
    """

    out: Path
    last: Last = "read"
    index: Path | None = None
    lexical: bool = False
    encoder: str = DEFAULT
    sparse: str | None = None
    metrics: Sequence[str] = ()
    success: Success | None = None
    depth: int = 100
    limit: int | None = None
    reference: str | None = None
    oracle: bool = False
    answer_grade: int | None = None

    def run(
        self,
        dataset: Dataset,
        systems: Sequence[System],
        progress: Progress = no_progress,
    ) -> list[tuple[Path, Run]]:
        """Measures every system and writes its folder with a report. For several systems, a report
        on all of them is written next to their folders.

        What an earlier run of a configuration computed is not computed again, even if that run was
        interrupted. A pipeline of the user's own runs anew each time.

        Raises:
            UsageError: two systems share a name, or a metric cannot be measured.
            AnaphoraError: the data are damaged, or contain nothing to measure; or the extra `eval`
                is not installed.
        """
        _check_installed()
        check_names(systems)
        examples = load_examples(dataset, self.limit, self.reference)
        logger.info(f"{dataset.name}: {counted(len(examples), 'turn', 'turns')}")
        retrieves = self.last != "rewrite" and (self.index is not None or _has_passages(dataset))
        if self.answer_grade is None:
            metrics, success = self._measures(examples, retrieves)
        self._make_out()
        folder = self._index(dataset, progress) if retrieves else None
        if self.answer_grade is not None:
            examples = with_graded_answers(examples, folder, self.answer_grade)
            metrics, success = self._measures(examples, retrieves)
        done = []
        with _opened(self.out / CACHE / "stages.sqlite") as cache:
            for system in systems:
                logger.info(f"pipeline {system.name}")
                config = system.config.without_time_limits()
                own = system.pipeline if isinstance(system.pipeline, Pipeline) else None
                assistant = Assistant(open_index(folder), config) if folder else None
                stages = Stages(config, assistant, cache, self.depth, progress, own)
                reads = retrieves and self.last == "read"
                experiment = Experiment(
                    stages, metrics, success, reads, self.reference, self.oracle
                )
                run = as_run(system.name, dataset.name, experiment, examples, self._about(dataset))
                home = self.out / dataset.name / system.slug
                write_run(home, run, summary(run))
                (home / REPORT).write_text(html_report([run]), "utf-8")
                done.append((home, run))
        if len(done) > 1:
            together = self.out / dataset.name / REPORT
            together.write_text(html_report([run for _, run in done]), "utf-8")
        return done

    def _index(self, dataset: Dataset, progress: Progress) -> Path | None:
        if self.index:
            return self.index
        encoder = None if self.lexical else load_encoder(self.encoder)
        sparse = load_sparse_encoder(self.sparse) if self.sparse else None
        home = self.out / CACHE / "collections"
        return index_documents(home, dataset.documents(), encoder, progress, sparse)

    def _measures(
        self, examples: Sequence[Example], retrieves: bool
    ) -> tuple[tuple[str, ...], Success]:
        """The metrics, and the condition of success."""
        reads = retrieves and self.last == "read"
        wanted = list(self.metrics)
        if wanted and self.success:
            wanted.append(self.success.metric)
        metrics = measurable(examples, retrieves, reads, wanted)
        if not metrics:
            raise AnaphoraError(
                "nothing can be measured: the data have no human rewrites, and no passages with "
                "judgements or answers"
            )
        success = self.success or usual_success(metrics)
        if success.metric not in metrics:
            metrics = (*metrics, *measurable(examples, retrieves, reads, [success.metric]))
        return metrics, success

    def _make_out(self) -> None:
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"the folder {self.out} cannot be created: {error.strerror or error}"
            ) from error

    def _about(self, dataset: Dataset) -> dict[str, object]:
        return {
            "data": {"path": str(dataset.path), "format": dataset.format.name},
            "last": self.last,
            "lexical": self.lexical,
            "encoder": self.encoder,
            "sparse": self.sparse,
            "limit": self.limit,
            "reference": self.reference,
            "oracle": self.oracle,
            "answer_grade": self.answer_grade,
        }


def _check_installed() -> None:
    """Checked before the work begins."""
    if not all(map(find_spec, ("pytrec_eval", "sacrebleu", "jinja2"))):
        raise AnaphoraError('measuring needs an extra: pip install "anaphora[eval]"')


def _has_passages(dataset: Dataset) -> bool:
    return next(dataset.documents(), None) is not None


def load_examples(
    dataset: Dataset, limit: int | None = None, reference: str | None = None
) -> list[Example]:
    """The turns of a data set, at most `limit`.

    Args:
        reference: whose automatic rewrites stand in for human ones.

    Raises:
        UsageError: no turn has a rewrite by `reference`.
        MalformedData: the data are damaged, or two turns share an id.
        AnaphoraError: there is no turn.
    """
    examples = list(islice(dataset.examples(), limit))
    if not examples:
        raise AnaphoraError(f"there is no turn in {dataset.path}")
    seen: set[str] = set()
    for example in examples:
        if example.id in seen:
            raise MalformedData(f"{dataset.path}: two turns are called {example.id!r}")
        seen.add(example.id)
    return _with_reference(examples, reference, dataset.path) if reference else examples


def _with_reference(examples: Sequence[Example], reference: str, path: Path) -> list[Example]:
    makers = {name for example in examples for name in example.automatic}
    if reference not in makers:
        known = f"there are those by {', '.join(sorted(makers))}" if makers else "there are none"
        raise UsageError(f"no turn of {path} has an automatic rewrite by {reference!r}; {known}")
    return [
        replace(
            example,
            rewrites=(example.automatic[reference],) if reference in example.automatic else (),
        )
        for example in examples
    ]


def with_graded_answers(
    examples: Sequence[Example], index: Path | None, grade: int
) -> list[Example]:
    """The turns with the texts of their passages of this grade or a higher one as the answers.

    So Ferreira et al. (2021), "Open-Domain Conversational Search Assistant with Transformers",
    section 4, measure generated answers on TREC CAsT, with grades 3 and 4.

    Raises:
        UsageError: there is no index, or none of these passages is in it.
    """
    graded = {
        example.id: [id for id, one in example.relevant.items() if one >= grade]
        for example in examples
    }
    if index is None:
        raise UsageError("answers by grade need passages: give --index")
    with closing(open_index(index)) as opened:
        texts = opened.passages(sorted({id for ids in graded.values() for id in ids}))
    if not texts:
        raise UsageError(f"no passage of grade {grade} or more is in the index")
    return [
        replace(
            example,
            answers=tuple(texts[id].text for id in graded[example.id] if id in texts),
            answerable=True if graded[example.id] else example.answerable,
        )
        for example in examples
    ]


@contextmanager
def _opened(path: Path) -> Iterator[Cache]:
    cache = Cache(path)
    try:
        yield cache
    finally:
        cache.close()
