"""The collections, questions and settings of `bench.equal_answers`, as files.

They are made from the public data sets under DATA and from the guide of one checkout. The same data
always give the same files. A data set that is missing under DATA is skipped with a line.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.corpora import read_lines
from bench.equal_guide import EXTRA, EXTRA_QUESTION, QUESTIONS, SMALL_TALK, TALKS

SEED = 5
LANGUAGES = ("ar", "de", "en", "es", "ru", "vi", "zh")
XQUAD_QUESTIONS = 20
XQUAD_PARAGRAPHS = 80
"""Of each language; all 240 of seven languages take minutes to encode."""
DOMAINS = ("clapnq", "cloud", "fiqa")
MTRAG_TURNS = 30
"""Turns of each domain."""
MTRAG_SAMPLE = 40
"""Passages of each domain beside those that were judged or retrieved for the turns."""
JUDGED_PASSAGES = 6
UNSEEN = 68
"""CANARD's articles from this hundredth on were not used in training; see the rewriter's card."""

SETTINGS, ASKED, TALKED, GIVEN = "settings.toml", "asked.jsonl", "talked.jsonl", "given.jsonl"
SEARCHED = "searched.jsonl"
COLLECTIONS, EXTRA_FOLDER = "collections", "extra"
GUIDE = "docs"

# A time limit would let the speed of the machine change the answers.
_SETTINGS = "[rerank]\nrerank_ms = 0\n"
_CRANFIELD = re.compile(
    r"<docno>(?P<id>.*?)</docno>.*?<title>(?P<title>.*?)</title>.*?<text>(?P<text>.*?)</text>", re.S
)
_TOPIC = re.compile(r"<num>(.*?)</num>\s*<title>(.*?)</title>", re.S)

Record = dict[str, Any]


def make_inputs(data: Path, docs: Path, work: Path) -> Path:
    """Write all inputs to a folder under `work` named after their contents, and return it.

    A folder that exists already is left as it is, because the indexes hold its files' dates.
    """
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work, prefix="making-") as making:
        made = Path(making) / "inputs"
        made.mkdir()
        _write(made, data, docs)
        folder = work / f"inputs-{digest_of(made)}"
        if not folder.exists():
            made.rename(folder)
    return folder


def digest_of(folder: Path, ignored: Collection[str] = ()) -> str:
    """Return a checksum of the names and contents of all files under a folder.

    Files with one of the `ignored` suffixes do not count.
    """
    total = hashlib.sha256()
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in ignored)
    for path in sorted(files):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:12]


def _write(folder: Path, data: Path, docs: Path) -> None:
    (folder / SETTINGS).write_text(_SETTINGS, "utf-8")
    (folder / EXTRA_FOLDER).mkdir()
    (folder / EXTRA_FOLDER / "plants.md").write_text(EXTRA, "utf-8")
    shutil.copytree(docs, folder / COLLECTIONS / GUIDE / GUIDE)
    asked = [*_guide()]
    for name, make in (("XQuAD", _xquad), ("MTRAG", _mtrag)):
        try:
            asked += make(data, folder)
        except FileNotFoundError as error:
            print(f"skipped: {name}: {error.filename} is missing")
    _write_lines(folder / ASKED, asked)
    _write_lines(folder / SEARCHED, _old_index_queries())
    for name, write in (("CANARD", _canard), ("Cranfield", _cranfield)):
        try:
            write(data, folder)
        except FileNotFoundError as error:
            print(f"skipped: {name}: {error.filename} is missing")


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _spread(items: Sequence[Any], count: int) -> list[Any]:
    """Return at most `count` items at even distances."""
    count = min(count, len(items))
    return [items[place * len(items) // count] for place in range(count)]


def _asked(
    part: str, name: str, index: str, question: str, history: Sequence[Record] = ()
) -> Record:
    return {
        "part": part,
        "id": name,
        "index": index,
        "question": question,
        "history": list(history),
    }


def _turns(texts: Sequence[str]) -> list[Record]:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "text": text} for place, text in enumerate(texts)]


def _guide() -> Iterator[Record]:
    for lang, questions in QUESTIONS.items():
        for number, question in enumerate(questions, 1):
            yield _asked("ask, guide", f"{lang}-{number}", GUIDE, question)
    for lang, talk in TALKS.items():
        for place in range(2, len(talk), 2):
            name = f"{lang}-talk-{place // 2 + 1}"
            yield _asked("ask, guide", name, GUIDE, talk[place], _turns(talk[:place]))
    for number, text in enumerate(SMALL_TALK, 1):
        yield _asked("ask, small talk", str(number), GUIDE, text)


def _old_index_queries() -> Iterator[Record]:
    for lang, questions in QUESTIONS.items():
        for number, question in enumerate(questions[:4], 1):
            yield {"_id": f"{lang}-{number}", "text": question}
    yield {"_id": "extra", "text": EXTRA_QUESTION}


def _xquad(data: Path, folder: Path) -> list[Record]:
    """Write one collection of all languages, one of Chinese, and what `rerank` and `read` get."""
    joint: list[Record] = []
    asked: list[Record] = []
    given: list[Record] = []
    for place, lang in enumerate(LANGUAGES):
        paragraphs, questions = _squad(data / "xquad" / f"xquad.{lang}.json", lang)
        # The questions are parallel: each language starts at another one.
        chosen = _spread(questions[place:], XQUAD_QUESTIONS)
        right = {gold for _, _, gold in chosen}
        others = [n for n in range(len(paragraphs)) if n not in right]
        indexed = right.union(_spread(others, XQUAD_PARAGRAPHS - len(right)))
        joint += [paragraphs[n] for n in sorted(indexed)]
        for number, (name, question, gold) in enumerate(chosen, 1):
            asked.append(_asked("ask, XQuAD", f"{lang}-{name}", "xquad", question))
            # One question in four does not get the paragraph that answers it.
            first = gold + 1 if number % 4 == 0 else gold - JUDGED_PASSAGES // 2
            passages = [paragraphs[(first + n) % len(paragraphs)] for n in range(JUDGED_PASSAGES)]
            given.append({"id": f"{lang}-{name}", "question": question, "passages": passages})
        if lang == "zh":
            _write_lines(folder / COLLECTIONS / "xquad-zh" / "passages.jsonl", paragraphs)
            queries = [{"_id": name, "text": question} for name, question, _ in questions]
            _write_lines(folder / "queries-xquad-zh.jsonl", queries)
    _write_lines(folder / COLLECTIONS / "xquad" / "passages.jsonl", joint)
    _write_lines(folder / GIVEN, given)
    return asked


def _squad(path: Path, lang: str) -> tuple[list[Record], list[tuple[str, str, int]]]:
    """Return the paragraphs of a file in SQuAD's format, and (id, question, paragraph)."""
    paragraphs: list[Record] = []
    questions: list[tuple[str, str, int]] = []
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            number = len(paragraphs)
            questions += [(one["id"], one["question"], number) for one in paragraph["qas"]]
            paragraphs.append({"_id": f"{lang}-{number}", "text": paragraph["context"]})
    return paragraphs, questions


def _mtrag(data: Path, folder: Path) -> list[Record]:
    """Write one collection of three domains, and return turns at all depths of conversations.

    The collection holds what was judged relevant for the turns, what the benchmark's authors
    retrieved for them, and a sample of the other passages.
    """
    tasks = list(read_lines(data / "mtrag" / "tasks.jsonl"))
    asked: list[Record] = []
    passages: list[Record] = []
    for domain in DOMAINS:
        own = [task for task in tasks if task["domain"] == domain and len(task["input"]) > 1]
        turns = _spread(own, MTRAG_TURNS)
        wanted = {name for turn in turns for name in (*turn["qrels"], *turn["rag_contexts"])}
        pool = list(read_lines(data / "mtrag" / domain / "pooled_passages.jsonl"))
        others = sorted(record["_id"] for record in pool if record["_id"] not in wanted)
        wanted |= set(random.Random(SEED).sample(others, min(MTRAG_SAMPLE, len(others))))
        passages += [
            {"_id": f"{domain}-{one['_id']}", "title": one.get("title", ""), "text": one["text"]}
            for one in pool
            if one["_id"] in wanted
        ]
        for task in turns:
            *history, last = task["input"]
            said = [
                {
                    "role": "user" if turn["speaker"] == "user" else "assistant",
                    "text": turn["text"],
                }
                for turn in history
            ]
            name = f"{domain}-{task['task_id']}"
            asked.append(_asked("ask, MTRAG", name, "mtrag", last["text"], said))
    _write_lines(folder / COLLECTIONS / "mtrag" / "passages.jsonl", passages)
    return asked


def _canard(data: Path, folder: Path) -> None:
    """Write the conversations of CANARD's official dev.json on articles not used in training.

    Each ends with its question and has the article's title, without its section's, as in the file
    that `python -m bench.linker unseen` writes.
    """
    records = json.loads((data / "canard" / "dev.json").read_text("utf-8"))
    talks = []
    for record in records:
        dialogue = record["QuAC_dialog_id"]
        article = dialogue.rsplit("_", 1)[0].encode()
        number = int.from_bytes(hashlib.blake2b(article, digest_size=4).digest(), "big") % 100
        if number < UNSEEN:
            continue
        title, _, *said = record["History"]
        talks.append(
            {
                "id": f"{dialogue}#{record['Question_no']}",
                "title": title,
                "turns": _turns([*said, record["Question"]]),
            }
        )
    _write_lines(folder / TALKED, talks)


def _cranfield(data: Path, folder: Path) -> None:
    """Write the abstracts and the queries of Cranfield in TREC's format."""
    source = data / "cranfield"
    abstracts = (source / "cran.all.1400.xml").read_text("utf-8")
    queries = (source / "cran.qry.xml").read_text("utf-8")
    passages = [
        {name: " ".join(text.split()) for name, text in found.groupdict().items()}
        for found in _CRANFIELD.finditer(abstracts)
    ]
    _write_lines(
        folder / COLLECTIONS / "cranfield" / "passages.jsonl",
        (
            {"_id": one["id"], "title": one["title"], "text": one["text"]}
            for one in passages
            if one["title"] or one["text"]
        ),
    )
    _write_lines(
        folder / "queries-cranfield.jsonl",
        (
            {"_id": id.strip(), "text": " ".join(text.split())}
            for id, text in _TOPIC.findall(queries)
        ),
    )
