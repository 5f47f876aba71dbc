"""The gain from reranking the 20 best hybrid hits with the cross-encoder, with paired tests."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.building import lone_question
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.execution import run_turns
from anaphora.evaluate.harness import CACHE
from anaphora.evaluate.metrics.retrieval import score_run
from anaphora.evaluate.significance import holm, randomisation
from anaphora.evaluate.stages import Stages
from anaphora.index import open_index
from anaphora.records import Document, Hit, Query
from anaphora.rerank.crossencoder import CrossEncoderScorer
from anaphora.rerank.scoring import Candidates, Score, Scorer, ScoringReranker, by_pair
from anaphora.rerank.settings import NoReranker
from anaphora.retrieve.encoders import load_encoder
from anaphora.train.corpora import CANARD, canard_official
from bench.judge_work import OTHERS, XQUAD, CachedCrossEncoder, MiniLM, sampled
from bench.table import format_table

METRICS = ("nDCG@5", "R@1", "R@5", "R@10", "R@20", "MRR@10")
PAPER = {"DialDoc fr": (0.575, 0.765), "DialDoc vi": (0.752, 0.894)}
"""R@1 and R@5 of the multilingual paper's Table 1: LaBSE, fine-tuned on the set."""


@dataclass(frozen=True)
class Source:
    """A data set whose main metric is `headline`; its documents are indexed under `home`."""

    name: str
    headline: str
    examples: Callable[[], Sequence[Example]]
    documents: Callable[[], Iterator[Document]]
    home: Path

    @property
    def english(self) -> bool:
        return self.name.startswith(("MTRAG", "CANARD")) or self.name.endswith(" en")


@dataclass(frozen=True)
class Found:
    """The queries and hits of the first stage, for examples that have a relevant passage."""

    examples: Sequence[Example]
    queries: Sequence[Query]
    hits: Sequence[list[Hit]]

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        return {one.id: dict(one.relevant) for one in self.examples}


def _of_file(name: str, headline: str, path: Path, home: Path) -> Source:
    dataset = open_dataset(path)
    return Source(
        name, headline, lambda: list(dataset.examples()), lambda: iter(dataset.documents()), home
    )


def reported(data: Path, home: Path) -> list[Source]:
    found = [
        _of_file(f"MTRAG {name}", "nDCG@5", data / "mtrag" / name, home)
        for name in ("clapnq", "cloud", "fiqa")
    ]
    for lang in ("fr", "vi"):
        path = data / f"dialdoc2023/{lang.capitalize()}Doc2BotRetrieval_val.json"
        found.append(_of_file(f"DialDoc {lang}", "R@1", path, home))
    paths = {lang: data / f"xquad/xquad.{lang}.json" for lang in XQUAD}
    return found + [_of_file(f"XQuAD {x}", "R@1", path, home) for x, path in paths.items()]


def unreported(data: Path, home: Path, mined: Path | None) -> list[Source]:
    """The data sets for choosing a weight; none is trained or reported on."""
    found = [_of_file(name, "R@1", data / path, home) for name, path in OTHERS.items()]
    canard = open_dataset(data / CANARD)
    found.append(
        Source(
            "CANARD tune",
            "nDCG@5",
            lambda: canard_official(data, "tune"),
            lambda: iter(canard.documents()),
            home,
        )
    )
    return [*found, *(_tuned(mined) if mined else ())]


def _tuned(mined: Path) -> Iterator[Source]:
    """The questions held out from training, in the pool of all passages."""
    pool, _, tuned = pickle.loads((mined / "questions.pickle").read_bytes())
    for lang in sorted({one.lang for one in tuned}):
        examples = [
            Example(
                lone_question(f"{lang}-{number}", one.text, lang),
                relevant={str(passage): 1 for passage in one.passages},
            )
            for number, one in enumerate(tuned)
            if one.lang == lang
        ]
        yield Source(
            f"tuned {lang}",
            "R@1",
            lambda examples=examples: examples,  # type: ignore[misc]
            lambda: (
                Document(one.doc_id, one.title, one.text, one.lang, whole=True)
                for one in pool.passages
            ),
            mined / "pool",
        )


def first_stage(
    source: Source, examples: Sequence[Example], runs: Path, depth: int = 100
) -> list[tuple[Example, Query, list[Hit]]]:
    """The query and the hits of the default pipeline; no hits for a courtesy."""
    home = index_documents(source.home, source.documents(), load_encoder())
    assert home
    index = open_index(home)
    config = replace(Config(), rerank=NoReranker())
    cache = Cache(runs / CACHE / "stages.sqlite")
    assistant = Assistant(index, config)
    stages = Stages(config, assistant, cache, depth)
    found = []
    for one, tried in zip(examples, run_turns(stages, examples, read=False), strict=True):
        rewrite = tried.rewrite
        passages = stages.passages([id for id, _ in tried.hits])
        hits = [
            Hit(passages[id], score, rank)
            for rank, (id, score) in enumerate(tried.hits, 1)
            if id in passages
        ]
        found.append((one, Query(rewrite.text, rewrite.lang, rewrite.variants), hits))
    cache.close()
    index.close()
    return found


class Baseline:
    """The baseline as a scorer."""

    name = "baseline"

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        return by_pair(
            candidates,
            lambda pairs: self._model.score([(query.text, one) for query, one in pairs]),
        )


Scores = dict[str, dict[str, float]]
"""Metric, then turn, to a value."""


@dataclass(frozen=True)
class System:
    """A scorer, how much it counts, and when judging ends; None is the first stage's order."""

    scorer: Scorer
    weight: float
    patience: int = 0


def ranked(found: Found, system: System | None) -> tuple[Scores, float]:
    """The scores, and how many hits of a question were judged, on average."""
    rankings = {}
    lists: Sequence[list[Hit]] = found.hits
    if system:
        reranker = ScoringReranker(
            lambda: system.scorer, top=20, patience=system.patience, weight=system.weight
        )
        lists = reranker.rerank(found.queries, found.hits, 100)
    name = system.scorer.name if system else ""
    judged = fmean(sum(name in hit.sources for hit in hits) for hits in lists)
    for one, hits in zip(found.examples, lists, strict=True):
        rankings[one.id] = [(hit.passage.passage_id, hit.score) for hit in hits]
    values = score_run(rankings, found.qrels, METRICS).values
    return {metric: dict(turns) for metric, turns in values.items()}, judged


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge: Any = CachedCrossEncoder(options.weights, options.work)
    peer = MiniLM(options.work) if MiniLM.there(options.work) and not options.no_peer else None
    home = options.runs / CACHE / "collections"
    home.mkdir(parents=True, exist_ok=True)
    choose = unreported(options.data, home, options.mined) if options.tune else None
    systems: dict[str, System | None] = {"hybrid": None}
    systems |= {
        f"judge {weight:g}": System(CrossEncoderScorer(judge), weight) for weight in options.weight
    }
    systems |= {
        f"judge {weight:g}, patience {patience}": System(
            CrossEncoderScorer(judge), weight, patience
        )
        for weight in options.weight
        for patience in options.patience
    }
    if peer:
        systems |= {f"{peer.name} {w:g}": System(Baseline(peer), w) for w in options.weight}
    scored: dict[tuple[str, str], Scores] = {}
    judged: dict[tuple[str, str], float] = {}
    headlines: dict[str, str] = {}
    for source in choose or reported(options.data, home):
        if options.only and source.name not in options.only:
            continue
        examples = [one for one in source.examples() if any(one.relevant.values())]
        rows = first_stage(source, sampled(examples, options.limit), options.runs)
        found = Found(*zip(*rows, strict=True))
        headlines[source.name] = source.headline
        print(f"{source.name}: {len(rows)} turns", flush=True)
        for name, system in systems.items():
            if system and isinstance(system.scorer, Baseline) and not source.english:
                continue
            scored[source.name, name], judged[source.name, name] = ranked(found, system)
    return report(scored, judged, headlines)


def report(
    scored: dict[tuple[str, str], Scores],
    judged: dict[tuple[str, str], float],
    headlines: dict[str, str],
) -> dict[str, Any]:
    """The means; and the headline's gain over the hybrid with its p, corrected for the sets."""
    p: dict[tuple[str, str], float] = {}
    for system in dict.fromkeys(system for _, system in scored if system != "hybrid"):
        sets = [name for name, other in scored if other == system]
        tests = []
        for name in sets:
            a, b = (scored[name, s][headlines[name]] for s in (system, "hybrid"))
            tests.append(randomisation([a[turn] for turn in b], list(b.values())))
        p |= {(name, system): value for name, value in zip(sets, holm(tests), strict=True)}
    rows: list[list[Any]] = []
    for (name, system), scores in scored.items():
        means = {metric: fmean(turns.values()) for metric, turns in scores.items()}
        base = fmean(scored[name, "hybrid"][headlines[name]].values())
        gain = None if system == "hybrid" else 100 * (means[headlines[name]] - base)
        cells = [round(means[metric], 3) for metric in METRICS]
        tail = [headlines[name], gain, p.get((name, system)), round(judged[name, system], 1)]
        rows.append([name, system, *cells, *tail])
    for name in PAPER:
        if name in headlines:
            one, five = PAPER[name]
            rows.append([name, "paper, LaBSE tuned on it", None, one, five, *[None] * 7])
    columns = ["set", "system", *METRICS, "headline", "gain, points", "p (Holm)", "judged"]
    print(format_table(columns, rows), end="\n\n")
    return {"columns": columns, "table": rows}
