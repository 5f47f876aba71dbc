"""TREC CAsT, the conversational assistance track of 2019 to 2022."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from anaphora.datasets.building import Ids, conversation
from anaphora.datasets.cast_topics import Turned, topics, turns
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import lines, malformed
from anaphora.datasets.qrels import read_qrels
from anaphora.datasets.sniffing import field_names, files, head
from anaphora.errors import AnaphoraError

REWRITER = "organisers"

_TOPICS = (
    "2022_evaluation_topics_tree_v1.0.json",
    "2022_evaluation_topics_flattened_duplicated_v1.0.json",
    "2021_manual_evaluation_topics_v1.0.json",
    "2020_manual_evaluation_topics_v1.0.json",
    "evaluation_topics_v1.0.json",
    "evaluation_topics_v1.0.txt",
    "train_topics_v1.0.json",
    "train_topics_v1.0.txt",
)
_PLACES = ("", "data/evaluation", "evaluation")
_KIND = re.compile(r"(?:automatic|manual|annotated)_")
_NUMBERED = re.compile(r"Number:\s*\d+\s*\nTitle:")
_RELEVANT = 2
"""The least grade that the track counted as relevant where it needed a yes or no."""


def recognises(path: Path) -> bool:
    return _topic_file(path) is not None


def examples(path: Path) -> Iterator[Example]:
    """One example a turn of the user; the path is a topic file or the year's folder, of which the
    evaluation topics are taken.

    Other files in the folder of the topic file belong to it: 2019's resolved questions
    (`*resolved*.tsv`), the file of the same topics with other rewrites, and the judgements
    (`*qrel*`), which may also be one folder up. Up to 2020 the files hold no replies, so the
    history is the user's alone. The reply of 2021 and 2022 is an answer where the judges gave a
    passage of it at least grade 2: some are wrong on purpose. The topic's title, which the user
    never said, is the tag "topic".

    Raises:
        AnaphoraError: the folder has no topics, or two files judge the same turn.
    """
    file = _topic_file(path)
    if file is None:
        raise AnaphoraError(f"{path} holds no topics of CAsT; name one of its topic files")
    manual, automatic = _rewrites(file)
    qrels = _qrels(file)
    ids = Ids()
    asked: dict[str, str] = {}
    before: set[str] = set()
    for topic in topics(file):
        repeated = topic.number in before
        before.add(topic.number)
        for turn in turns(topic):
            identity = f"{topic.number}_{turn.number}"
            # Flattened trees repeat what their conversations have in common.
            if repeated and asked.get(identity) == turn.question:
                continue
            ids.take(identity, turn.record, "number")
            asked[identity] = turn.question
            relevant = qrels.get(identity, {})
            rewrite = turn.manual or manual.get(identity, "")
            machine = turn.automatic or automatic.get(identity, "")
            yield Example(
                conversation(identity, turn.history, turn.question),
                rewrites=(rewrite,) if rewrite else (),
                automatic={REWRITER: machine} if machine else {},
                answers=_answers(turn, relevant),
                relevant=relevant,
                answerable=True if max(relevant.values(), default=0) >= _RELEVANT else None,
                tags={"dialogue": topic.number, **topic.tags, **turn.tags},
            )


def _answers(turn: Turned, relevant: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(
        reply.text
        for reply in turn.replies
        if any(relevant.get(passage, 0) >= _RELEVANT for passage in reply.passages)
    )


def _topic_file(path: Path) -> Path | None:
    """The path itself, or the topic file of a year's folder."""
    if path.is_dir():
        places = (path / place / name for place in _PLACES for name in _TOPICS)
        return next(filter(Path.is_file, places), None)
    if _NUMBERED.match(head(path)):
        return path
    names = field_names(path)
    is_topic = names >= {"number", "turn"} and names & {"raw_utterance", "utterance"}
    return path if is_topic else None


def _rewrites(file: Path) -> tuple[dict[str, str], dict[str, str]]:
    """By turn, the rewrites of people and those of machines that other files have."""
    manual: dict[str, str] = {}
    automatic: dict[str, str] = {}
    for other in files(file.parent):
        if "resolved" in other.name and other.suffix == ".tsv":
            manual.update(_resolved(other))
        elif other != file and _KIND.sub("", other.name) == _KIND.sub("", file.name):
            for topic in topics(other):
                for turn in turns(topic):
                    identity = f"{topic.number}_{turn.number}"
                    if turn.manual:
                        manual[identity] = turn.manual
                    if turn.automatic:
                        automatic[identity] = turn.automatic
    return manual, automatic


def _resolved(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in lines(path):
        identity, tab, text = line.partition("\t")
        if not tab or not text.strip():
            raise malformed(path, f"line {number}", "needs two columns: turn, resolved question")
        yield identity.strip(), text.strip()


def _qrels(file: Path) -> dict[str, dict[str, int]]:
    """The judgements of the nearest folder that has any."""
    qrels: dict[str, dict[str, int]] = {}
    origin: dict[str, Path] = {}
    for folder in (file.absolute().parent, file.absolute().parent.parent):
        for path in files(folder):
            if "qrel" not in path.name.lower():
                continue
            for query, grades in read_qrels(path).items():
                if query in qrels:
                    both = f"{origin[query]} and {path}"
                    raise AnaphoraError(f"{both} both judge turn {query}; keep one of them there")
                qrels[query], origin[query] = grades, path
        if qrels:
            break
    return qrels


FORMAT = Format(
    name="cast",
    title="TREC CAsT 2019-2022: the conversational assistance track",
    licence="MIT",
    home="https://github.com/daltonj/treccastweb",
    recognises=recognises,
    examples=examples,
)
