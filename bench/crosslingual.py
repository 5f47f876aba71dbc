"""Finding paragraphs in the question's own language, and across languages.

    python -m bench.crosslingual --data DATA --work WORK [--out JSON] [--peer-python PYTHON]

DATA holds `xquad/xquad.{lang}.json`: 240 paragraphs and 1,190 questions, the same in each of seven
languages. Under WORK one index is made for each language and one for all of them, each paragraph
one passage. Everything is searched with the defaults of `anaphora search`, which were chosen on
other sets (`python -m bench.fusion_defaults`). bm25s runs with its default tokeniser, here or, with
--peer-python, in another environment. p is two-sided, of a paired randomisation test.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.protocols import Encoder, FloatArray
from anaphora.records import Query
from anaphora.retrieve.caching import CachingEncoder
from anaphora.retrieve.encoders import load_encoder
from bench.language_analysis import Questions, load, randomised_p
from bench.table import format_table, machine, save

Ranks = npt.NDArray[np.float64]
LANGUAGES = ("ar", "de", "en", "es", "ru", "vi", "zh")
MODELS = ("bm25", "lmd", "lmjm", "dense", "hybrid")
LEXICAL = ("bm25", "lmd", "lmjm")
K = 10
PEER = """
import json, sys
import bm25s
given = json.load(sys.stdin)
index = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
index.index(bm25s.tokenize(given["paragraphs"], show_progress=False), show_progress=False)
asked = bm25s.tokenize(given["questions"], return_ids=False, show_progress=False)
vocabulary = index.vocab_dict
ranks = []
for words, gold in zip(asked, given["gold"]):
    known = [word for word in words if word in vocabulary]
    scores = index.get_scores(known) if known else [0.0] * len(given["paragraphs"])
    own = scores[gold]
    better = sum(s > own or (s == own and n < gold) for n, s in enumerate(scores))
    ranks.append(1 / (1 + better) if own > 0 and better < 10 else 0.0)
json.dump(ranks, sys.stdout)
"""


class Remembering:
    """An encoder that makes the vector of each text once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._seen: dict[tuple[str, str], FloatArray] = {}
        self.name = encoder.name
        self.dimensions = encoder.dimensions

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._remembered("query", texts, self._encoder.encode_queries)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        return self._remembered("passage", texts, self._encoder.encode_passages)

    def _remembered(
        self, kind: str, texts: Sequence[str], encode: Callable[[Sequence[str]], FloatArray]
    ) -> FloatArray:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self._seen]
        for text, vector in zip(new, encode(new) if new else [], strict=True):
            self._seen[kind, text] = vector
        return np.array([self._seen[kind, text] for text in texts], dtype=np.float32)


@dataclass(frozen=True)
class Searched:
    """An index and what it is searched with."""

    folder: Path
    encoder: CachingEncoder

    def found(self, model: str, queries: Sequence[Query], k: int = K) -> list[list[str]]:
        """The ids of the k best passages for each query."""
        assistant = Assistant(open_index(self.folder), Config.of({"retrieve": {"model": model}}))
        assistant.__dict__["encoder"] = self.encoder
        hits = assistant.retriever.retrieve(queries, k)
        assistant.close()
        return [[hit.passage.passage_id for hit in one] for one in hits]


def reciprocal(found: Sequence[Sequence[str]], gold: Sequence[frozenset[str]]) -> Ranks:
    """1/rank of the first right passage of each question, 0 where there is none."""
    return np.array(
        [
            next((1 / rank for rank, name in enumerate(names, 1) if name in right), 0.0)
            for names, right in zip(found, gold, strict=True)
        ]
    )


def indexed(work: Path, name: str, parts: Mapping[str, Questions], encoder: Remembering) -> Path:
    """The index of these languages' paragraphs, made when it is not there or behind."""
    work.mkdir(parents=True, exist_ok=True)
    source = work / f"xquad-{name}.jsonl"
    text = "".join(
        json.dumps({"_id": f"{lang}-{number}", "text": paragraph, "lang": lang}) + "\n"
        for lang, part in parts.items()
        for number, paragraph in enumerate(part.paragraphs)
    )
    if not source.exists() or source.read_text("utf-8") != text:
        source.write_text(text, "utf-8")
    update(work / f"index-xquad-{name}", [source], encoder)
    return work / f"index-xquad-{name}"


def asked(lang: str, part: Questions) -> list[Query]:
    return [Query(question, lang) for question in part.questions]


def bm25s_ranks(part: Questions, python: str) -> Ranks | str:
    """1/rank of each question under bm25s, or why there is none."""
    given = {"paragraphs": part.paragraphs, "questions": part.questions, "gold": part.gold}
    try:
        ran = subprocess.run(
            [python, "-c", PEER], input=json.dumps(given), capture_output=True, text=True
        )
    except OSError as error:
        return str(error)
    if ran.returncode:
        return (ran.stderr.strip().splitlines() or ["no message"])[-1]
    return np.array(json.loads(ran.stdout))


def same_language(
    sets: Mapping[str, Questions], indexes: Mapping[str, Searched], python: str
) -> list[dict[str, Any]]:
    """One row a language and model; the hybrid's says how it compares with the others."""
    rows = []
    for lang, part in sets.items():
        gold = [frozenset({f"{lang}-{number}"}) for number in part.gold]
        ranks: dict[str, Ranks] = {}
        peer = bm25s_ranks(part, python)
        if isinstance(peer, str):
            print(f"bm25s skipped: {peer}")
        else:
            ranks["bm25s"] = peer
        for model in MODELS:
            ranks[model] = reciprocal(indexes[lang].found(model, asked(lang, part)), gold)
        for model, one in ranks.items():
            row = {"lang": lang, "model": model, "MRR@10": mean(one), "R@1": mean(one == 1)}
            if model == "hybrid":
                rival = max(("bm25", "dense"), key=lambda name: float(ranks[name].mean()))
                strongest = max((*LEXICAL, "dense"), key=lambda name: float(ranks[name].mean()))
                row |= {"rival": rival, **against(one, ranks[rival])}
                row |= {"strongest": strongest, **against(one, ranks[strongest], "strongest ")}
            elif model == "bm25" and "bm25s" in ranks:
                row |= {"rival": "bm25s", **against(one, ranks["bm25s"])}
            rows.append(row)
    return rows


def against(one: Ranks, other: Ranks, label: str = "") -> dict[str, Any]:
    difference = one - other
    return {
        f"{label}difference": round(float(difference.mean()), 4),
        f"{label}p": round(randomised_p(difference), 4),
    }


def is_cross_lingual(
    sets: Mapping[str, Questions], indexes: Mapping[str, Searched], model: str
) -> dict[str, dict[str, float]]:
    """MRR@10 by the question's language and the paragraphs'."""
    return {
        lang: {
            there: mean(
                reciprocal(
                    indexes[there].found(model, asked(lang, part)),
                    [frozenset({f"{there}-{number}"}) for number in part.gold],
                )
            )
            for there in sets
        }
        for lang, part in sets.items()
    }


def together(sets: Mapping[str, Questions], index: Searched) -> list[dict[str, Any]]:
    """Every language in one index: the paragraph in the question's language, and in any."""
    rows = []
    for lang, part in sets.items():
        own = [frozenset({f"{lang}-{number}"}) for number in part.gold]
        every = [frozenset(f"{there}-{number}" for there in sets) for number in part.gold]
        for model in ("bm25", "dense", "hybrid"):
            found = index.found(model, asked(lang, part))
            rows.append(
                {
                    "lang": lang,
                    "model": model,
                    "own language": mean(reciprocal(found, own)),
                    "any language": mean(reciprocal(found, every)),
                }
            )
    return rows


def mean(values: npt.NDArray[Any]) -> float:
    return round(float(np.mean(values)), 4)


def report(result: Mapping[str, Any]) -> None:
    """Prints the tables."""
    langs = list(result["dense across"])
    cells = {(row["lang"], row["model"]): row for row in result["same language"]}
    for measure in ("MRR@10", "R@1"):
        print(f"\nSame language, {measure}")
        models = [name for name in ("bm25s", *MODELS) if (langs[0], name) in cells]
        table = [
            [lang, *(f"{cells[lang, name][measure]:.4f}" for name in models)] for lang in langs
        ]
        print(format_table(["language", *models], table))
    print("\nHybrid MRR@10 less that of the better of BM25 and dense, and of the best of all four")
    table = [
        [
            lang,
            row["rival"],
            f"{row['difference']:+.4f}",
            f"{row['p']:.4f}",
            row["strongest"],
            f"{row['strongest difference']:+.4f}",
            f"{row['strongest p']:.4f}",
        ]
        for lang in langs
        for row in [cells[lang, "hybrid"]]
    ]
    print(format_table(["language", "better", "difference", "p", "best", "difference", "p"], table))
    for label, key in (("better of BM25 and dense", ""), ("best of all four", "strongest ")):
        behind = [lang for lang in langs if cells[lang, "hybrid"][f"{key}difference"] < 0]
        said = f"no: behind in {', '.join(behind)}" if behind else "yes"
        print(f"hybrid at least as good as the {label} in every language: {said}")
    for model in ("dense", "hybrid"):
        print(f"\nQuestions in the row's language, paragraphs in the column's: {model}, MRR@10")
        of_model = result[f"{model} across"]
        table = [[lang, *(f"{of_model[lang][there]:.3f}" for there in langs)] for lang in langs]
        print(format_table(["", *langs], table))
        apart = [of_model[a][b] for a in langs for b in langs if a != b]
        print(f"mean of the {len(apart)} pairs of two languages: {np.mean(apart):.4f}")
    print("\nAll languages in one index, MRR@10")
    table = [
        [f"{row['lang']} {row['model']}", *(f"{row[key]:.4f}" for key in TOGETHER)]
        for row in result["together"]
    ]
    print(format_table(["", *TOGETHER], table))


TOGETHER = ("own language", "any language")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--peer-python", default=sys.executable, help="a Python that has bm25s")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    options = parser.parse_args()
    files = {lang: options.data / "xquad" / f"xquad.{lang}.json" for lang in LANGUAGES}
    sets = {lang: load(file) for lang, file in files.items() if file.is_file()}
    if not sets:
        parser.error(f"there is no xquad/xquad.LANG.json in {options.data}")
    encoder = CachingEncoder(load_encoder())
    indexes = {
        lang: Searched(indexed(options.work, lang, {lang: part}, encoder), encoder)
        for lang, part in sets.items()
    }
    every = Searched(indexed(options.work, "all", sets, encoder), encoder)
    result = {
        "machine": machine(),
        "same language": same_language(sets, indexes, options.peer_python),
        "dense across": is_cross_lingual(sets, indexes, "dense"),
        "hybrid across": is_cross_lingual(sets, indexes, "hybrid"),
        "together": together(sets, every),
    }
    report(result)
    if options.out:
        options.out.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    else:
        print(f"\n{save('crosslingual', result)}")


if __name__ == "__main__":
    main()
