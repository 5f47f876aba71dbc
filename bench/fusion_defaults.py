"""Which fusion of words and vectors finds best: the choice of the defaults of `retrieve.fusion`.

    python -m bench.fusion_defaults --data DATA --work WORK [--handbook HTML] [--limit N]

The sets are others than XQuAD, on which `python -m bench.crosslingual` checks the choice: under
DATA the sets `cmrc2018_zh`, `drcd_zh_tw`, `jsquad_ja`, `arcd_ar`, `qed_en`, `mtrag`
(reference rewrites) and `dialdoc2023`; and across languages the folder `html` of Debian's package
`debian-handbook`, where a section's title in one language asks for the section's text in another.
Sets that are not there are left out. The figure is MRR@10.
"""

from __future__ import annotations

import argparse
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.collection import index_documents
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.protocols import Encoder
from anaphora.records import Hit, Query
from anaphora.retrieve.dense import DenseRetriever
from anaphora.retrieve.encoders import load_encoder
from anaphora.retrieve.fusion import Method, fuse
from anaphora.retrieve.lexical import LexicalRetriever
from anaphora.retrieve.settings import RetrieverSettings
from bench.crosslingual import CachingEncoder, K, Ranks, reciprocal
from bench.language_analysis import load
from bench.rewriting import DIALDOC
from bench.table import format_table, machine

SQUAD = {
    "cmrc2018": ("zh", "cmrc2018_zh/cmrc2018_dev.json"),
    "drcd": ("zh", "drcd_zh_tw/DRCD_dev.json"),
    "jsquad": ("ja", "jsquad_ja/valid-v1.3.json"),
    "arcd": ("ar", "arcd_ar/arcd-test.json"),
}
HANDBOOK = {
    "de": "de-DE",
    "en": "en-US",
    "es": "es-ES",
    "fr": "fr-FR",
    "ja": "ja-JP",
    "ru": "ru-RU",
    "zh": "zh-CN",
}
TITLE = re.compile(r'<h[2-4] class="title"><a xmlns="" id="([^"]+)"></a>(.*?)</h[2-4]>', re.S)
TAG = re.compile(r"<[^>]*>|\s+")
SPACES = re.compile(r"\s+")
NUMBER = re.compile(r"^[\s\d.]+")
SECTION = 600
"""Characters of a section that are searched: about what the encoder reads."""
DEEPEST = 300


@dataclass(frozen=True)
class Set:
    """Questions, the passages that answer them, and the index to search."""

    name: str
    folder: Path
    queries: Sequence[Query]
    gold: Sequence[frozenset[str]]

    def sample(self, limit: int) -> Set:
        """At most `limit` questions, evenly taken."""
        step = max(1, -(-len(self.queries) // limit))
        return Set(self.name, self.folder, self.queries[::step], self.gold[::step])


@dataclass(frozen=True)
class Setting:
    """One way to fuse."""

    method: Method
    dense_weight: float
    rank_constant: float = 60.0
    depth: int = 100

    def __str__(self) -> str:
        ranks = f" {self.rank_constant:.0f}" if self.method == "rrf" else ""
        return f"{self.method}{ranks}, dense {self.dense_weight:g}, depth {self.depth}"

    def found(self, lexical: Sequence[Hit], dense: Sequence[Hit]) -> list[str]:
        parts = [(1.0, lexical[: self.depth]), (self.dense_weight, dense[: self.depth])]
        hits = fuse(parts, K, self.method, self.rank_constant)
        return [hit.passage.passage_id for hit in hits]


SETTINGS = [
    *(Setting("rrf", weight, constant) for constant, weight in product((10, 60), (1, 1.5, 2, 3))),
    *(Setting("weighted", weight) for weight in (0.5, 0.75, 1, 1.25, 1.5, 2, 3)),
    *(Setting("weighted", 1.5, depth=depth) for depth in (20, 50, 300)),
]


def index_of(
    work: Path, name: str, passages: Mapping[str, tuple[str, str]], encoder: Encoder
) -> Path:
    """The index of passages, id -> (language, text), made when it is not there or behind."""
    work.mkdir(parents=True, exist_ok=True)
    source = work / f"{name}.jsonl"
    text = "".join(
        json.dumps({"_id": key, "text": passage, "lang": lang}) + "\n"
        for key, (lang, passage) in passages.items()
    )
    if not source.exists() or source.read_text("utf-8") != text:
        source.write_text(text, "utf-8")
    update(work / f"index-{name}", [source], encoder)
    return work / f"index-{name}"


def squad(data: Path, work: Path, encoder: Encoder) -> Iterator[Set]:
    for name, (lang, file) in SQUAD.items():
        if (data / file).is_file():
            part = load(data / file)
            passages = {str(n): (lang, text) for n, text in enumerate(part.paragraphs)}
            folder = index_of(work, name, passages, encoder)
            queries = [Query(text, lang) for text in part.questions]
            yield Set(name, folder, queries, [frozenset({str(n)}) for n in part.gold])


def qed(data: Path, work: Path, encoder: Encoder) -> Iterator[Set]:
    file = data / "qed_en" / "qed-dev.jsonlines"
    if file.is_file():
        folder, examples = loaded(file, work, encoder)
        queries = [Query(one.question, "en") for one in examples]
        yield Set("qed", folder, queries, gold(examples))


def conversations(data: Path, work: Path, encoder: Encoder, limit: int) -> Iterator[Set]:
    """MTRAG by its reference rewrites, which are a model's; DialDoc by the default rewriter's."""
    if (data / "mtrag" / "clapnq").is_dir():
        folder, found = loaded(data / "mtrag" / "clapnq", work, encoder)
        examples = [one for one in found if one.automatic]
        queries = [Query(text, "en") for one in examples for text in one.automatic.values()]
        yield Set("clapnq", folder, queries, gold(examples))
    for lang, name in DIALDOC.items():
        if (data / "dialdoc2023" / name).is_file():
            folder, found = loaded(data / "dialdoc2023" / name, work, encoder)
            examples = found[:limit]
            assistant = Assistant(open_index(folder), Config())
            made = assistant.rewriter.rewrite([one.conversation for one in examples])
            assistant.index.close()
            queries = [Query(one.text, one.lang) for one in made]
            yield Set(f"dialdoc-{lang}", folder, queries, gold(examples))


def loaded(path: Path, work: Path, encoder: Encoder) -> tuple[Path, list[Example]]:
    """The index of a data set's passages, and its turns with a passage that is judged relevant."""
    found = open_dataset(path)
    folder = index_documents(work / "collections", found.documents(), encoder)
    assert folder, path
    return folder, [one for one in found.examples() if any(one.relevant.values())]


def gold(examples: Sequence[Example]) -> list[frozenset[str]]:
    return [frozenset(id for id, grade in one.relevant.items() if grade > 0) for one in examples]


def sections(folder: Path) -> dict[str, tuple[str, str]]:
    """Title and text of every section of the book, by the id it has in all languages."""
    found = {}
    for file in sorted(folder.glob("*.html")):
        _, *parts = TITLE.split(file.read_text("utf-8"))
        for name, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            title, text = (
                SPACES.sub(" ", html.unescape(TAG.sub(" ", part))).strip()
                for part in (title, text.partition('<div class="navfooter"')[0])
            )
            found[name] = NUMBER.sub("", title), text[:SECTION]
    return found


def handbook(folder: Path, work: Path, encoder: Encoder) -> Iterator[Set]:
    """Titles against the texts of one language, and of all of them in one index."""
    books = {lang: sections(folder / place) for lang, place in HANDBOOK.items()}
    english = books["en"]
    # What nobody translated stands in English in every book.
    books = {
        lang: {
            name: part
            for name, part in book.items()
            if len(part[1]) > 100 and (lang == "en" or part[1] != english.get(name, part)[1])
        }
        for lang, book in books.items()
    }
    shared = set.intersection(*(set(book) for book in books.values()))
    texts = {
        lang: {f"{lang}:{name}": (lang, books[lang][name][1]) for name in sorted(shared)}
        for lang in books
    }
    everything = {key: part for of_lang in texts.values() for key, part in of_lang.items()}
    together = index_of(work, "handbook-all", everything, encoder)
    asked = {lang: [Query(books[lang][name][0], lang) for name in sorted(shared)] for lang in books}
    for there in ("en", "fr", "ja"):
        alone = index_of(work, f"handbook-{there}", texts[there], encoder)
        gold = [frozenset({f"{there}:{name}"}) for name in sorted(shared)]
        yield Set(f"{there}>{there}", alone, asked[there], gold)
        for lang in books:
            if lang != there:
                yield Set(f"{lang}>{there}", alone, asked[lang], gold)
    for lang in books:
        gold = [frozenset({f"{lang}:{name}"}) for name in sorted(shared)]
        yield Set(f"{lang}>all", together, asked[lang], gold)


def group(name: str) -> str:
    """The column of a set: the book's pairs of languages are averaged."""
    asked, arrow, there = name.partition(">")
    if not arrow:
        return name
    if there == "all":
        return "book all"
    return "book same" if asked == there else "book across"


def measure(one: Set, encoder: Encoder) -> dict[str, Ranks]:
    """1/rank of every question of a set: words alone, vectors alone, and fused."""
    index = open_index(one.folder)
    defaults = RetrieverSettings()
    retrievers = {
        "lexical": LexicalRetriever(index, defaults.mode),
        "dense": DenseRetriever(index, encoder),
    }
    hits = {name: each.retrieve(one.queries, DEEPEST) for name, each in retrievers.items()}
    index.close()
    ranks = {
        name: reciprocal([[h.passage.passage_id for h in q[:K]] for q in found], one.gold)
        for name, found in hits.items()
    }
    for setting in SETTINGS:
        found = [setting.found(a, b) for a, b in zip(hits["lexical"], hits["dense"], strict=True)]
        ranks[str(setting)] = reciprocal(found, one.gold)
    return ranks


def columns(ranks: Mapping[str, Mapping[str, Ranks]]) -> dict[str, dict[str, float]]:
    """MRR@10 of each way in each column; the book's pairs of languages count as one."""
    groups: dict[str, list[Mapping[str, Ranks]]] = {}
    for name, of_set in ranks.items():
        groups.setdefault(group(name), []).append(of_set)
    return {
        name: {way: float(np.mean([part[way].mean() for part in parts])) for way in parts[0]}
        for name, parts in groups.items()
    }


def report(found: Mapping[str, Mapping[str, float]], now: str) -> None:
    """Prints a line for each way to fuse; `worst` is the least lead over the better half."""
    better = {name: max(of["lexical"], of["dense"]) for name, of in found.items()}
    rows = [
        [
            way + (" (default)" if way == now else ""),
            *(f"{of[way]:.4f}" for of in found.values()),
            f"{np.mean([of[way] for of in found.values()]):.4f}",
            f"{min(of[way] - better[name] for name, of in found.items()):+.4f}",
        ]
        for way in next(iter(found.values()))
    ]
    print(format_table(["", *found, "mean", "worst"], rows))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--handbook", type=Path, help="the folder html of debian-handbook")
    parser.add_argument("--limit", type=int, default=400, help="questions of each set")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    options = parser.parse_args()
    encoder = CachingEncoder(load_encoder())
    places = [
        squad(options.data, options.work, encoder),
        qed(options.data, options.work, encoder),
        conversations(options.data, options.work, encoder, options.limit),
    ]
    if options.handbook:
        places.append(handbook(options.handbook, options.work, encoder))
    ranks: dict[str, dict[str, Ranks]] = {}
    for place in places:
        for one in place:
            ranks[one.name] = measure(one.sample(options.limit), encoder)
            print(f"{one.name}: {len(ranks[one.name]['dense'])} questions", flush=True)
    if not ranks:
        parser.error(f"{options.data} holds none of the sets; --help lists them")
    defaults = RetrieverSettings()
    share = defaults.dense_weight / defaults.lexical_weight
    found = columns(ranks)
    report(found, str(Setting(defaults.fusion, share, depth=defaults.depth)))
    if options.out:
        result = {"machine": machine(), "MRR@10": found}
        options.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
