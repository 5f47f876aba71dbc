"""The effect of rewriting on retrieval, rewrites in many languages, and the ceiling of the labels.

    python -m bench.rewriting retrieval --data DATA --runs RUNS [--sets clapnq,cloud,…]
    python -m bench.rewriting languages --data DATA --runs RUNS [--sets ar,de,es,fr,ja,ru,vi,zh]
    python -m bench.rewriting talks --data DATA [--sets ar,de,…]
    python -m bench.rewriting labels --data DATA

`retrieval` searches MTRAG and DialDoc 2023 as asked, with the history, with the default rewriter
and with the reference rewrites of the data, which machines wrote: Mixtral in MTRAG, ChatGPT in
DialDoc, where some turns have none; and CANARD's part on articles that were not trained on, whose
passages are the answers in its histories. `languages` does the same with synthetic follow-ups that
`anaphora.train.rewriter.synthetic` makes of questions that were not trained on, and adds REWRITE's
development set, which has no passages. `talks` rewrites the turns of our own conversations in
sixteen languages that were not trained on. `labels` turns the human rewrites of CANARD's official
dialogues into labels and back.

DATA is the folder of data sets; RUNS is the one that was given to `anaphora eval` with --out, whose
encoded passages are reused.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from statistics import fmean

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.harness import CACHE
from anaphora.evaluate.metrics.bleu import corpus_bleu
from anaphora.evaluate.metrics.retrieval import score_run
from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.evaluate.metrics.tokens import paper_tokens
from anaphora.evaluate.significance import randomisation
from anaphora.index import open_index
from anaphora.pipeline import rewrite_all
from anaphora.protocols import Retriever, Rewriter
from anaphora.records import Conversation, Document, Query, Rewrite
from anaphora.retrieve.caching import CachingEncoder
from anaphora.retrieve.encoders import load_encoder
from anaphora.rewrite.history import HistoryRewriter
from anaphora.train import corpora
from anaphora.train.rewriter import conversations as written
from anaphora.train.rewriter.alignment import Insertion, Labels, apply
from anaphora.train.rewriter.synthetic import (
    Paragraph,
    Question,
    from_paragraphs,
    paragraphs,
    part_of,
)
from anaphora.train.text import TrainingText
from anaphora.understand import LanguageAndIntent

MTRAG = ("clapnq", "cloud", "fiqa")
DIALDOC = {"fr": "FrDoc2BotRetrieval_val.json", "vi": "ViDoc2BotRetrieval_val.json"}
FRENCH = ("FrDoc2BotRetrieval_train.json", "FrDoc2BotRetrieval_val.json")
XQUAD = ("ar", "de", "es", "ru", "vi", "zh")
"""Languages whose synthetic follow-ups come from XQuAD, which is never trained on."""
JAPANESE = "jsquad_ja/valid-v1.3.json"
"""One article in ten is held out from training."""
METRICS = ("nDCG@5", "MRR@10", "R@1", "R@5", "R@10", "R@20")
WORDS = ("EM", "BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L", "restoration F1")
ASKED, HISTORY, OURS, REFERENCE = "as asked", "history", "this rewriter", "reference rewrite"
DEEPEST = 20


@dataclass(frozen=True)
class Set:
    """Turns, each with passages judged relevant, and the documents to search."""

    name: str
    examples: Sequence[Example]
    documents: Sequence[Document]

    def reference(self, example: Example) -> str | None:
        """A person's rewrite, or else the first machine's."""
        return next(iter((*example.rewrites, *example.automatic.values())), None)


def conversations(data: Path, name: str) -> Set:
    """MTRAG, DialDoc, or CANARD's unseen part, the turns with a passage to be found."""
    if name == "canard":
        found = open_dataset(data / corpora.CANARD)
        held = {example.id for example in corpora.canard_official(data, "report")}
    else:
        path = data / "mtrag" / name if name in MTRAG else data / "dialdoc2023" / DIALDOC[name]
        found, held = open_dataset(path), set()
    examples = [
        one
        for one in found.examples()
        if any(one.relevant.values()) and (not held or one.id in held)
    ]
    documents = [one for one in found.documents() if not held or one.doc_id in held]
    return Set(f"dialdoc {name}" if name in DIALDOC else name, examples, documents)


def synthetic_set(data: Path, lang: str) -> Set:
    """Synthetic follow-ups from questions that were not trained on."""
    rng = random.Random(0)
    if lang == "fr":
        documents, groups = _french(data)
        return Set("fr", [*from_paragraphs(groups, "fr", rng)], documents)
    path = data / (f"xquad/xquad.{lang}.json" if lang in XQUAD else JAPANESE)
    found = paragraphs(path)
    if lang in XQUAD:
        # Their titles are in English, whatever the language.
        found = [replace(one, title="") for one in found]
    else:
        found = [one for one in found if part_of(one) == "held out"]
    documents = [*open_dataset(path).documents()]
    return Set(lang, [*from_paragraphs(found, lang, rng)], documents)


def _french(data: Path) -> tuple[list[Document], list[Paragraph]]:
    """The opening questions of DialDoc's French dialogues, by the article that they are about; no
    answers are known, and the first sentence of the passage stands for one."""
    paths = [data / "dialdoc2023" / name for name in FRENCH]
    documents = {one.doc_id: one for one in open_dataset(paths[0]).documents()}
    asked: dict[str, dict[str, Question]] = defaultdict(dict)
    for path in paths:
        for example in open_dataset(path).examples():
            if example.depth == 1:
                [gold] = (id for id, grade in example.relevant.items() if grade > 0)
                article = documents[gold].title.split(" › ")[0].removesuffix(" — Wikipédia")
                asked[article].setdefault(example.question, Question(example.question, "", gold))
    groups = []
    for article, questions in asked.items():
        text = "\n".join(
            documents[gold].text for gold in dict.fromkeys(one.doc_id for one in questions.values())
        )
        groups.append(Paragraph(article, text, tuple(questions.values())))
    return [*documents.values()], groups


def phrasings(one: Set, rewriter: Rewriter) -> dict[str, list[Rewrite]]:
    """The queries of each turn, by the name of the method."""
    found = LanguageAndIntent().understand([example.conversation for example in one.examples])
    conversations = [each.conversation for each in found]
    ours = rewritten(rewriter, conversations)

    def plain(texts: Iterable[str]) -> list[Rewrite]:
        return [Rewrite(text, each.lang) for text, each in zip(texts, conversations, strict=True)]

    return {
        ASKED: plain(each.question.text for each in conversations),
        HISTORY: (
            plain(map(_questions, conversations))
            if one.name in MTRAG
            else HistoryRewriter("newest").rewrite(conversations)
        ),
        "its first phrasing alone": [replace(each, variants=()) for each in ours],
        OURS: ours,
        REFERENCE: plain(one.reference(each) or each.question for each in one.examples),
    }


def rewritten(rewriter: Rewriter, conversations: Sequence[Conversation]) -> list[Rewrite]:
    """The rewrites; a courtesy is not searched."""
    return [
        rewrite or Rewrite(one.conversation.question.text, one.lang, decision="no retrieval")
        for one, rewrite in rewrite_all(LanguageAndIntent(), rewriter, conversations)
    ]


def _questions(conversation: Conversation) -> str:
    """The history as MTRAG has it: all questions of the user."""
    return " ".join(turn.text for turn in conversation.turns if turn.role == "user")


def searched(
    one: Set, asked: Mapping[str, Sequence[Rewrite]], retriever: Retriever
) -> dict[str, dict[str, dict[str, float]]]:
    """The value of each metric for each method and turn, 0 where nothing is searched."""
    judged = {example.id: example.relevant for example in one.examples}
    found = {}
    for label, made in asked.items():
        kept = [(id, each) for id, each in zip(judged, made, strict=True) if each.search]
        queries = [Query(each.text, each.lang, each.variants) for _, each in kept]
        hits = retriever.retrieve(queries, DEEPEST)
        rankings = {id: [] for id in judged} | {
            id: [(hit.passage.passage_id, hit.score) for hit in of_one]
            for (id, _), of_one in zip(kept, hits, strict=True)
        }
        found[label] = score_run(rankings, judged, METRICS).values
    return found


def rows(
    name: str, model: str, found: Mapping[str, dict[str, dict[str, float]]], turns: Sequence[str]
) -> Iterator[list[str]]:
    """A row for each method, with the fraction of the gap to the reference that is closed, in
    nDCG@5, and p of the difference to the question as asked."""
    means = {
        label: {metric: fmean(values[metric][id] for id in turns) for metric in METRICS}
        for label, values in found.items()
    }
    first = METRICS[0]
    for label, values in found.items():
        gap = means[REFERENCE][first] - means[ASKED][first] if REFERENCE in found else 0.0
        share = (means[label][first] - means[ASKED][first]) / gap if gap > 0 else None
        p = randomisation(
            [values[first][id] for id in turns], [found[ASKED][first][id] for id in turns]
        )
        plain = label == ASKED
        yield [
            name,
            f"{len(turns):,}",
            model,
            label,
            *(f"{means[label][metric]:.3f}" for metric in METRICS),
            "" if plain or share is None else f"{share:.0%}",
            "" if plain else f"{p:.4f}",
        ]


HEADER = ["set", "turns", "model", "searched", *METRICS, "closed", "p"]


def compare(one: Set, options: argparse.Namespace) -> list[list[str]]:
    """Prints a row of retrieval for each method; returns rows of rewriting where people rewrote."""
    encoder = load_encoder()
    home = index_documents(options.runs / CACHE / "collections", one.documents, encoder)
    assert home
    encoder = CachingEncoder(encoder)
    index = open_index(home)
    asked = phrasings(one, Assistant(index).rewriter)
    for model in options.models.split(","):
        found = searched(
            one, asked, Assistant(index, Config.of({"retrieve": {"model": model}})).retriever
        )
        everything = [example.id for example in one.examples]
        referred = [example.id for example in one.examples if one.reference(example)]
        if len(referred) < len(everything):
            own = {label: values for label, values in found.items() if label != REFERENCE}
            show(rows(one.name, model, own, everything))
        show(rows(one.name, model, found, referred))
    index.close()
    return words(one.name, one.examples, asked) if one.examples[0].rewrites else []


def show(lines: Iterable[Sequence[str]]) -> None:
    for line in lines:
        print(f"| {' | '.join(line)} |", flush=True)


def words(
    name: str, examples: Sequence[Example], asked: Mapping[str, Sequence[Rewrite]]
) -> list[list[str]]:
    """Rows of the quality of rewrites, by the protocol of Li et al. (2025)."""
    found = []
    for label in (ASKED, OURS):
        report = rewrite_report(
            [made.text for made in asked[label]],
            [example.rewrites[0] for example in examples],
            [example.question for example in examples],
            [made.lang for made in asked[label]],
        )
        cells = [f"{100 * (report[metric] or 0):.1f}" for metric in WORDS]
        found.append([name, f"{len(examples):,}", label, *cells])
    return found


def retrieval(options: argparse.Namespace) -> None:
    show([HEADER, ["---"] * len(HEADER)])
    for name in (options.sets or ",".join((*MTRAG, *DIALDOC, "canard"))).split(","):
        compare(_limited(conversations(options.data, name), options.limit), options)


def languages(options: argparse.Namespace) -> None:
    show([HEADER, ["---"] * len(HEADER)])
    rewriting_rows: list[list[str]] = []
    for lang in (options.sets or "ar,de,es,fr,ja,ru,vi,zh").split(","):
        rewriting_rows += compare(
            _limited(synthetic_set(options.data, lang), options.limit), options
        )
    rewriting_rows += rewrite_zh(options)
    header = ["set", "turns", "question", *WORDS]
    print()
    show([header, ["---"] * len(header), *rewriting_rows])


def rewrite_zh(options: argparse.Namespace) -> list[list[str]]:
    """REWRITE's development set, which was not trained on."""
    found = open_dataset(options.data / "rewrite_zh" / "dev.txt").examples()
    examples = [_chinese(example) for example in islice(found, options.limit)]
    talks = [example.conversation for example in examples]
    asked = {
        ASKED: [Rewrite(talk.question.text, "zh") for talk in talks],
        OURS: rewritten(Assistant(None).rewriter, talks),
    }
    return words("REWRITE dev", examples, asked)


def own_talks(options: argparse.Namespace) -> None:
    """Our own conversations: their follow-ups, and their self-contained questions."""
    rewriter = Assistant(None).rewriter
    found: dict[str, list[Example]] = defaultdict(list)
    for example in written.conversations("report", TrainingText().conversations):
        found[example.conversation.question.lang or ""].append(example)
    header = ["talks", "turns", "question", *WORDS]
    show([header, ["---"] * len(header)])
    for lang in options.sets.split(",") if options.sets else sorted(found):
        for name, complete in ((f"{lang}, follow-ups", False), (f"{lang}, complete", True)):
            examples = [e for e in found[lang] if (e.rewrites[0] == e.question) == complete]
            asked = [example.conversation for example in examples[: options.limit]]
            made = {
                ASKED: [Rewrite(talk.question.text, lang) for talk in asked],
                OURS: rewritten(rewriter, asked),
            }
            show(words(name, examples[: options.limit], made))


def _chinese(example: Example) -> Example:
    *earlier, question = example.conversation.turns
    talk = replace(example.conversation, turns=(*earlier, replace(question, lang="zh")))
    return replace(example, conversation=talk)


def _limited(one: Set, limit: int | None) -> Set:
    return replace(one, examples=one.examples[:limit])


def labels(options: argparse.Namespace) -> None:
    """The ceiling of the linker: the human rewrites after conversion to labels and back."""
    from anaphora.models.backbone import Backbone
    from anaphora.rewrite.linking.model import CARD, SHIPPED
    from anaphora.train.rewriter.features import Labeller, context_words, folded, question_words

    card = json.loads((SHIPPED / CARD).read_text("utf-8"))
    labeller = Labeller(Backbone().tokenizer)
    closed = {lang: frozenset(texts) for lang, texts in card["languages"].items()}
    made, gold = [], []
    edits = whole = inserted = missed = 0
    for part in ("train", "tune", "report"):
        for example in corpora.canard_official(options.data, part):
            one = labeller(example, closed)
            if one is None:
                continue
            context = [word for said in context_words(one.layout) for word in said]
            question, rewrite = question_words(one.layout), folded(example.rewrites[0])
            made.append(paper_tokens(" ".join(apply(question, context, one.labels)), "en"))
            gold.append(paper_tokens(" ".join(rewrite), "en"))
            inserted += one.labels.inserted
            missed += one.labels.missed
            given = {each.gap: _inserted(each, context) for each in one.labels.insertions}
            for kind, gap, _, start, end in SequenceMatcher(
                None, question, rewrite, autojunk=False
            ).get_opcodes():
                if kind != "equal":
                    edits += 1
                    whole += given.get(gap, []) == rewrite[start:end]
    exact = fmean(one == other for one, other in zip(made, gold, strict=True))
    header = ["turns", "edits", "covered", "words inserted", "missed", "EM", "BLEU-1", "BLEU-2"]
    bleu = [f"{100 * (corpus_bleu(made, gold, order) or 0):.1f}" for order in (1, 2, 4)]
    line = [f"{len(made):,}", f"{edits:,}", f"{whole / edits:.1%}", f"{inserted:,}"]
    line += [f"{missed / inserted:.1%}", f"{100 * exact:.1f}", *bleu]
    header.append("BLEU-4")
    show([header, ["---"] * len(header), line])


def _inserted(insertion: Insertion, context: Sequence[str]) -> list[str]:
    """The words of one insertion."""
    return apply([], context, Labels((), (replace(insertion, gap=0),), 0, 0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = {"retrieval": retrieval, "languages": languages, "talks": own_talks, "labels": labels}
    parser.add_argument("what", choices=list(parts))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--sets", help="only these")
    parser.add_argument("--models", default="lmd,dense,hybrid")
    parser.add_argument("--limit", type=int, help="only so many turns of each set")
    options = parser.parse_args()
    parts[options.what](options)


if __name__ == "__main__":
    main()
