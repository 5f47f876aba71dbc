"""Make passage sets of any size, with natural statistics, from the real passages at hand.

    python -m bench.corpora --data DATA --work WORK --sizes 100000 1000000

The English passages of the data folder (some seven million words) are laid end to end, and a
passage is a window of 50 to 120 words at a random place of that text: words keep the company and
the within-passage frequencies they have in real text, and frequent words keep their share of the
passages. Sampling alone would have one flaw: every rare word would come back once per time the
text is covered, so that the large set had no rare words at all and a vocabulary that stopped
growing. So words that occur at most five times in the source text (names, numbers,
misspellings) are respelled in one of several ways, chosen per passage; how many ways is set so
that the vocabulary grows as Heaps' law says (about the 0.6th power of the text).

Every set comes in two forms, as BEIR JSON lines: `raw` (the text) and `terms` (lower-cased,
stopped, stemmed, and each term renamed to an ASCII code, so that every engine's tokeniser sees
exactly the same terms). The queries are about 1,000 real questions, in the same two forms.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

SEED = 20
VERSION = 1
SHORTEST, LONGEST = 50, 120
RAREST = 5
# Once spelled anew in growth ** 0.75 ways, words seen once, with the fewer ways of the others, make
# the whole vocabulary grow about as growth ** 0.6.
HEAPS = 0.75
WORD = re.compile(r"\w+")
# Function words that carry no topic, about as many as the engines' own lists hold.
STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been but by can could did do does for from
    had has have he her his how i if in into is it its me more my no not of on one or our out
    she so some than that the their them then there these they this to up was we were what when
    where which who why will with would you your
    """.split()  # noqa: SIM905
)


class Corpus(NamedTuple):
    """The files of one passage set."""

    size: int
    raw: Path
    terms: Path
    raw_queries: Path
    terms_queries: Path

    def passages(self, text: str) -> Path:
        return self.raw if text == "raw" else self.terms

    def queries(self, text: str) -> Path:
        return self.raw_queries if text == "raw" else self.terms_queries


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSON lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def real_passages(data: Path) -> Iterator[str]:
    """Yield the English passages of the data folder, in a fixed order."""
    for path in sorted(data.glob("mtrag/*/pooled_passages.jsonl")):
        for record in read_lines(path):
            yield record["text"]
    for path in sorted(data.glob("clapnq_en/*.jsonl")):
        for record in read_lines(path):
            for passage in record["passages"]:
                yield passage["text"]
    for path in sorted(data.glob("covidqa_en/*.json")):
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                yield paragraph["context"]
    for path in sorted(data.glob("qed_en/*.jsonlines")):
        for record in read_lines(path):
            yield record["paragraph_text"]


def real_questions(data: Path, count: int) -> list[str]:
    """Return self-contained questions: mtRAG's human rewrites, then CANARD's."""
    questions = []
    for path in sorted(data.glob("mtrag/*/*_rewrite.jsonl")):
        questions += [record["text"].removeprefix("|user|:") for record in read_lines(path)]
    canard = data / "canard" / "dev.json"
    if canard.exists():
        rewrites = [turn["Rewrite"] for turn in json.loads(canard.read_text(encoding="utf-8"))]
        random.Random(SEED).shuffle(rewrites)
        questions += rewrites
    questions = [" ".join(question.split()) for question in dict.fromkeys(questions)][:count]
    random.Random(SEED).shuffle(questions)
    return questions


def suffix(number: int) -> str:
    """Return a spelling for a variant's number; the first variant is the word itself."""
    letters = ""
    while number:
        number, digit = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[digit]
    return f"q{letters}" if letters else ""


def respell(word: str, number: int) -> str:
    """Return the word's variant of this number, its punctuation kept."""
    found = WORD.search(word)
    if found is None:
        return word
    return word[: found.end()] + suffix(number) + word[found.end() :]


def variant_counts(words: list[str], growth: float) -> dict[int, int]:
    """Map each place in the text that holds a rare word to its number of spellings."""
    keys = [found.group().lower() if (found := WORD.search(word)) else "" for word in words]
    counts = Counter(keys)
    places = {}
    for place, key in enumerate(keys):
        if key and counts[key] <= RAREST:
            ways = round(growth ** (HEAPS / counts[key]))
            if ways > 1:
                places[place] = ways
    return places


def sample(words: list[str], size: int, rng: random.Random) -> Iterator[str]:
    """Yield `size` passages cut from the text at random places."""
    growth = size * (SHORTEST + LONGEST) / 2 / len(words)
    variants = variant_counts(words, growth) if growth > 1 else {}
    rare = sorted(variants)
    is_rare = bytearray(len(words))
    for place in rare:
        is_rare[place] = 1
    for _ in range(size):
        length = rng.randint(SHORTEST, LONGEST)
        start = rng.randrange(len(words) - length)
        window = words[start : start + length]
        place = is_rare.find(1, start, start + length)
        while place >= 0:
            number = rng.randrange(variants[place])
            window[place - start] = respell(window[place - start], number)
            place = is_rare.find(1, place + 1, start + length)
        yield " ".join(window)


class Coder:
    """Renames terms to short ASCII codes that every engine's tokeniser leaves alone."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}

    def __call__(self, term: str) -> str:
        known = self._codes.get(term)
        if known is None:
            number, known = len(self._codes), ""
            while number or not known:
                number, digit = divmod(number, 36)
                known += (string.digits + string.ascii_lowercase)[digit]
            # A letter in front and behind: no engine takes it for a number or strips an ending.
            known = self._codes[term] = f"t{known}k"
        return known

    def __len__(self) -> int:
        return len(self._codes)


class Analyser:
    """A plain English analysis whose terms are coded."""

    def __init__(self) -> None:
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWord
        self._codes: dict[str, str] = {}
        self.coder = Coder()

    def __call__(self, text: str) -> str:
        codes = []
        for word in WORD.findall(text.lower()):
            code = self._codes.get(word)
            if code is None:
                code = "" if word in STOP_WORDS else self.coder(self._stem(word))
                self._codes[word] = code
            if code:
                codes.append(code)
        return " ".join(codes)


def write_record(file: TextIO, name: str, text: str, lang: str | None = None) -> None:
    """Write one BEIR record; finished terms are marked "zxx", no linguistic content."""
    record = {"_id": name, "title": "", **({"lang": lang} if lang else {}), "text": text}
    file.write(json.dumps(record, ensure_ascii=False) + "\n")


def make_corpus(data: Path, work: Path, size: int, queries: int = 1000) -> Corpus:
    """Return the passage set of this size, made if the work folder does not hold it yet."""
    key = hashlib.sha256(f"{VERSION} {SEED} {size} {queries}".encode()).hexdigest()[:8]
    folder = work / f"corpus-{size}-{key}"
    corpus = Corpus(
        size,
        folder / "raw.jsonl",
        folder / "terms.jsonl",
        folder / "raw_queries.jsonl",
        folder / "terms_queries.jsonl",
    )
    facts_file = folder / "facts.json"
    if facts_file.exists():
        return corpus
    folder.mkdir(parents=True, exist_ok=True)
    words = [word for passage in real_passages(data) for word in passage.split()]
    if len(words) <= LONGEST:
        raise SystemExit(f"{data} holds no English passages to build the benchmark from")
    analyse = Analyser()
    seen: set[bytes] = set()
    tokens = 0
    with corpus.raw.open("w", encoding="utf-8") as raw, corpus.terms.open("w") as terms:
        for number, text in enumerate(sample(words, size, random.Random(SEED))):
            write_record(raw, f"p{number}", text)
            analysed = analyse(text)
            tokens += analysed.count(" ") + 1
            write_record(terms, f"p{number}", analysed, "zxx")
            seen.add(hashlib.md5(text.encode(), usedforsecurity=False).digest())
    vocabulary = len(analyse.coder)
    with (
        corpus.raw_queries.open("w", encoding="utf-8") as raw,
        corpus.terms_queries.open("w") as terms,
    ):
        for number, question in enumerate(real_questions(data, queries)):
            write_record(raw, f"q{number}", question)
            write_record(terms, f"q{number}", analyse(question), "zxx")
    facts = {
        "passages": size,
        "source_words": len(words),
        "terms": tokens,
        "vocabulary": vocabulary,
        "distinct_passages": len(seen),
    }
    facts_file.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return corpus


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    options = parser.parse_args()
    for size in options.sizes:
        print(make_corpus(options.data, options.work, size).raw)


if __name__ == "__main__":
    main()
