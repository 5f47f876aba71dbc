"""Score a large run with every library, and compare systems.

    python -m bench.evaluation [--queries 5000] [--depth 100] [--peer-python PYTHON]

Each library reads the same generated run, as rankings of passage ids with scores, in a process of
its own: ours runs anaphora and plain pytrec_eval, PYTHON runs those that need more (pip install
pytrec_eval-terrier ir_measures ranx); one that is not installed is left out with a line. Ten
metrics are scored; plain pytrec_eval has no MRR@10 and scores nine. Times are the best of several;
`first` holds what a library compiles or loads on its first call. Every library's means are checked
to be the same.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.table import format_table, machine, save

ROOT = Path(__file__).parent.parent
METRICS = ("nDCG@5", "nDCG@10", "nDCG", "MAP", "MAP@100", "MRR", "MRR@10", "R@20", "P@1")
METRICS += ("Success@5",)
REPEATS = 5
# The size of the comparison: turns of MTRAG, and four runs.
TURNS, SYSTEMS = 777, 4

Rankings = dict[str, list[tuple[str, float]]]
Qrels = dict[str, dict[str, int]]
Means = dict[str, float]


def generate(queries: int, depth: int) -> tuple[Rankings, Qrels]:
    """Rankings without ties and some ten graded passages a query, three of four of them found."""
    rng = random.Random(1)
    rankings: Rankings = {}
    qrels: Qrels = {}
    for number in range(queries):
        found = [f"passage-{one}" for one in rng.sample(range(100 * depth), depth)]
        query = f"query-{number}"
        rankings[query] = [(one, float(depth - rank)) for rank, one in enumerate(found)]
        judged = [rng.choice(found) for _ in range(9)] + [f"elsewhere-{n}" for n in range(3)]
        qrels[query] = {one: rng.randint(0, 3) for one in judged}
        qrels[query]["elsewhere-0"] = 1
    return rankings, qrels


def load_anaphora() -> Callable[[Rankings, Qrels], Means]:
    import pytrec_eval  # noqa: F401  (imported on the first call, which is not what is timed)

    from anaphora.evaluate.metrics.retrieval import score_run

    def score(rankings: Rankings, qrels: Qrels) -> Means:
        values = score_run(rankings, qrels, METRICS).values
        return {metric: math.fsum(of.values()) / len(of) for metric, of in values.items()}

    return score


def load_pytrec_eval() -> Callable[[Rankings, Qrels], Means]:
    import pytrec_eval

    names = {"nDCG": "ndcg", "MAP": "map", "MRR": "recip_rank", "nDCG@5": "ndcg_cut_5"}
    names |= {"nDCG@10": "ndcg_cut_10", "MAP@100": "map_cut_100", "R@20": "recall_20"}
    names |= {"P@1": "P_1", "Success@5": "success_5"}

    def score(rankings: Rankings, qrels: Qrels) -> Means:
        run = {query: dict(ranking) for query, ranking in rankings.items()}
        found = pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(run)
        return {
            metric: math.fsum(of[name] for of in found.values()) / len(found)
            for metric, name in names.items()
        }

    return score


def load_ir_measures() -> Callable[[Rankings, Qrels], Means]:
    import ir_measures

    names = {metric: metric.replace("MAP", "AP").replace("MRR", "RR") for metric in METRICS}
    measures = {metric: ir_measures.parse_measure(name) for metric, name in names.items()}

    def score(rankings: Rankings, qrels: Qrels) -> Means:
        run = {query: dict(ranking) for query, ranking in rankings.items()}
        found = ir_measures.calc_aggregate(measures.values(), qrels, run)
        return {metric: found[measure] for metric, measure in measures.items()}

    return score


def load_ranx() -> Callable[[Rankings, Qrels], Means]:
    import ranx

    names = {"nDCG": "ndcg", "MAP": "map", "MRR": "mrr", "R": "recall", "P": "precision"}
    names["Success"] = "hit_rate"
    measures = {}
    for metric in METRICS:
        family, at, cutoff = metric.partition("@")
        measures[metric] = names[family] + at + cutoff

    def score(rankings: Rankings, qrels: Qrels) -> Means:
        run = ranx.Run({query: dict(ranking) for query, ranking in rankings.items()})
        found = ranx.evaluate(ranx.Qrels(qrels), run, list(measures.values()))
        return {metric: float(found[name]) for metric, name in measures.items()}

    return score


LOADERS = {
    "anaphora": load_anaphora,
    "pytrec_eval": load_pytrec_eval,
    "ir_measures": load_ir_measures,
    "ranx": load_ranx,
}


def work(engine: str, path: Path) -> None:
    """What a child process does: print the times and means of one library as JSON."""
    began = time.perf_counter()
    try:
        score = LOADERS[engine]()
    except ImportError as error:
        print(json.dumps({"skipped": str(error)}))
        return
    imported = time.perf_counter() - began
    stored = json.loads(path.read_text())
    rankings = {q: [(p, s) for p, s in ranking] for q, ranking in stored["rankings"].items()}
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        means = score(rankings, stored["qrels"])
        times.append(time.perf_counter() - began)
    row = {"import": imported, "first": times[0], "best": min(times), "means": means}
    print(json.dumps(row))


def run_engines(queries: int, depth: int, peer_python: str | None) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        rankings, qrels = generate(queries, depth)
        path.write_text(json.dumps({"rankings": rankings, "qrels": qrels}))
        for engine in LOADERS:
            ours = engine in ("anaphora", "pytrec_eval")
            python = sys.executable if ours else peer_python
            if python is None:
                print(f"{engine}: left out, no --peer-python")
                continue
            command = [python, "-m", "bench.evaluation", "--engine", engine, "--data", str(path)]
            ran = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
            row = json.loads(ran.stdout.splitlines()[-1])
            if "skipped" in row:
                print(f"{engine}: left out, {row['skipped']}")
            else:
                rows[engine] = row
    for engine, row in rows.items():
        for metric, mean in row["means"].items():
            if not math.isclose(mean, rows["anaphora"]["means"][metric], abs_tol=1e-6):
                print(f"{engine}: {metric} is {mean}, not {rows['anaphora']['means'][metric]}")
    return rows


def run_comparison() -> float:
    """Seconds to compare several systems on all metrics; the best of several."""
    from anaphora.evaluate.compare import compare

    rng = random.Random(1)
    scores = {
        f"system {system}": {
            metric: {str(turn): rng.random() for turn in range(TURNS)} for metric in METRICS
        }
        for system in range(SYSTEMS)
    }
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        compare(scores)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.evaluation")
    parser.add_argument("--queries", type=int, default=5000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--peer-python", help="an interpreter with ir_measures and ranx")
    parser.add_argument("--engine", choices=LOADERS, help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        work(options.engine, options.data)
        return
    facts = machine()
    rows = run_engines(options.queries, options.depth, options.peer_python)
    base = rows["pytrec_eval"]["best"]
    print(f"{options.queries:,} queries x {options.depth:,} hits, {len(METRICS)} metrics, seconds")
    columns = ("library", "import", "first", "best", "of pytrec_eval's")
    table = [
        (engine, *(row[name] for name in columns[1:4]), row["best"] / base)
        for engine, row in rows.items()
    ]
    print(format_table(columns, table))
    seconds = run_comparison()
    print(f"compare: {SYSTEMS} systems, {len(METRICS)} metrics, {TURNS} turns: {seconds:.2f} s")
    result = {"machine": facts, "queries": options.queries, "depth": options.depth}
    print("written:", save("evaluation", {**result, "libraries": rows, "compare": seconds}))


if __name__ == "__main__":
    main()
