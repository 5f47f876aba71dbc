"""The commands that index documents, ask and search them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.cli.common import (
    DEFAULT_INDEX,
    ConfigOption,
    IndexOption,
    JsonOption,
    LangOption,
    SparseOption,
    language,
    number,
    open_assistant,
    parse_input,
    parsed,
    print_json,
    read_config,
    text_argument,
)
from anaphora.errors import AnaphoraError, UsageError

if TYPE_CHECKING:
    from anaphora.index import Engine, IndexWriter, Maintenance
    from anaphora.records import Turn


def index(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER... | list | remove PATH... | verify | repair",
            help="Files and folders to index; or list what the index holds, remove files and "
            "folders from it, check it, or repair it. A folder called 'list' is './list'.",
        ),
    ],
    index: IndexOption = DEFAULT_INDEX,
    lexical: Annotated[
        bool, typer.Option("--lexical", help="Lexical search only: no vectors, much faster.")
    ] = False,
    encoder: Annotated[
        str, typer.Option("--encoder", help="The encoder of the vectors: a name or a folder.")
    ] = "multilingual-e5-small",
    sparse: SparseOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Index files and folders; only what changed is read again."""
    from anaphora.cli.indexes import print_report, report_to_dict
    from anaphora.cli.terminal import Screen

    screen = Screen()
    engine = read_config(config).index
    if folders[0] == "remove":
        _remove(index, engine, folders[1:], as_json)
        return
    if folders[0] in _ON_THE_INDEX:
        if len(folders) > 1:
            raise UsageError(f"'index {folders[0]}' takes no folder; name the index with --index")
        _ON_THE_INDEX[folders[0]](index, engine, as_json)
        return
    from anaphora.ingest.update import update
    from anaphora.retrieve.encoders import first_encoder, load_encoder
    from anaphora.retrieve.sparse import load_sparse_encoder

    roots = [Path(folder) for folder in folders]
    model = None if lexical else load_encoder(encoder)
    # An index keeps its sparse weights: a SPLADE model takes long, and is seldom another one.
    sparse = sparse or ("" if lexical else _sparse_encoder(index, engine))
    first = None if lexical else first_encoder()
    weigher = load_sparse_encoder(sparse) if sparse else None
    with screen.progress() as progress:
        report = update(index, roots, model, progress, engine, sparse=weigher, first=first)
    if as_json:
        print_json(report_to_dict(index, report))
    else:
        print_report(screen.out, index, report)
    if not report.held or not (report.files or report.unchanged or report.removed):
        raise AnaphoraError(
            f"nothing to index was found in {', '.join(folders)}"
            + ("" if report.skipped else ": there are no files")
        )


def _sparse_encoder(folder: Path, engine: Engine) -> str:
    """The name of the encoder of an index's sparse weights; empty for none."""
    from anaphora.index import has_index, open_writer

    if not has_index(folder, engine):
        return ""
    with open_writer(folder, engine, create=False) as writer:
        return writer.sparse_encoder


def _list(folder: Path, engine: Engine, as_json: bool) -> None:
    from anaphora.cli.adapting import adapter_to_dict
    from anaphora.cli.indexes import print_contents
    from anaphora.cli.terminal import Screen
    from anaphora.index import Adapted, Upgradable, open_index
    from anaphora.ingest.contents import files

    index = open_index(folder, engine)
    upgrade = index.upgrade if isinstance(index, Upgradable) else None
    try:
        held = files(folder)
        if as_json:
            print_json(
                {
                    "index": str(folder),
                    **index.counts()._asdict(),
                    "languages": index.languages,
                    "encoder": index.encoder,
                    "without_vectors": index.without_vectors(),
                    "sparse_encoder": index.sparse_encoder,
                    "without_sparse_weights": index.without_sparse_weights(),
                    "upgrade": upgrade._asdict() if upgrade else None,
                    "adapter": adapter_to_dict(
                        index.adapter if isinstance(index, Adapted) else None
                    ),
                    "files": [asdict(file) for file in held],
                }
            )
        else:
            print_contents(Screen().out, index, held)
    finally:
        index.close()


def _remove(folder: Path, engine: Engine, paths: Sequence[str], as_json: bool) -> None:
    from anaphora.index import open_writer
    from anaphora.ingest.contents import remove

    if not paths:
        raise UsageError("'index remove' needs the files and folders to remove from the index")
    with open_writer(folder, engine, create=False) as writer:
        removed = remove(writer, [Path(path) for path in paths])
        counts = writer.counts()
    if as_json:
        files = [file.path for file in removed]
        print_json({"index": str(folder), "removed": files, **counts._asdict()})
        return
    documents = sum(file.documents for file in removed)
    print(
        f"Removed {number(len(removed), 'file')} with {number(documents, 'document')} from the "
        f"index in {folder}; {number(counts.documents, 'document')} and "
        f"{number(counts.passages, 'passage')} are left. The files themselves were not changed."
    )


def _verify(folder: Path, engine: Engine, as_json: bool) -> None:
    from anaphora.index import Counts, open_writer

    with open_writer(folder, engine, create=False) as writer:
        damage = _maintenance(writer).verify()
        counts = Counts(0, 0) if damage else writer.counts()
        missing = 0 if damage else writer.without_vectors()
        unweighed = 0 if damage else writer.without_sparse_weights()
    problems = list(damage)
    if missing:
        problems.append(f"{missing} of {counts.passages} passages have no vectors")
    if unweighed:
        problems.append(f"{unweighed} of {counts.passages} passages have no sparse weights")
    if as_json:
        form = {"index": str(folder), "problems": problems, **counts._asdict()}
        print_json({**form, "without_vectors": missing, "without_sparse_weights": unweighed})
    elif not problems:
        print(
            f"The index in {folder} is whole: {number(counts.documents, 'document')}, "
            f"{number(counts.passages, 'passage')}."
        )
    if damage:
        raise AnaphoraError(
            f"the index in {folder} is damaged: {'; '.join(damage)}; "
            f"run 'anaphora index repair --index {folder}'"
        )
    if problems:
        raise AnaphoraError(
            f"the index in {folder} is incomplete: {'; '.join(problems)}; "
            f"run 'anaphora index FOLDER... --index {folder}' on your documents again"
        )


def _repair(folder: Path, engine: Engine, as_json: bool) -> None:
    from anaphora.index import open_writer

    with open_writer(folder, engine, create=False) as writer:
        rebuilt = _maintenance(writer).repair()
        missing, unweighed = writer.without_vectors(), writer.without_sparse_weights()
    if as_json:
        lacking = {"without_vectors": missing, "without_sparse_weights": unweighed}
        print_json({"index": str(folder), "rebuilt": rebuilt, **lacking})
        return
    print(f"Rebuilt: {', '.join(rebuilt)}." if rebuilt else "Nothing was damaged.")
    for count, what in ((missing, "vectors"), (unweighed, "sparse weights")):
        if count:
            print(
                f"{count} passages have no {what} now: run 'anaphora index' on your documents "
                "again."
            )


_ON_THE_INDEX = {"list": _list, "verify": _verify, "repair": _repair}


def _maintenance(writer: IndexWriter) -> Maintenance:
    from anaphora.index import Maintenance

    if not isinstance(writer, Maintenance):
        raise UsageError(f"the engine of the index in {writer.folder} cannot verify or repair it")
    return writer


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: IndexOption = DEFAULT_INDEX,
    history: Annotated[
        Path | None,
        typer.Option("--history", help='Earlier turns, JSON lines {"role", "text"}.'),
    ] = None,
    config: ConfigOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer one question, with its sources."""
    from anaphora.cli.terminal import Screen
    from anaphora.serialization import answer_to_dict

    screen = Screen(index)
    question = text_argument(question)
    if not question.strip():
        raise UsageError("the question is empty")
    turns = _history(history)
    code = language(lang)
    assistant = open_assistant(index, config)
    screen.completeness(assistant.index)
    if as_json:
        print_json(answer_to_dict(question, assistant.ask(question, turns, code)))
    else:
        screen.stream(assistant.stream(question, turns, code))


def chat(
    index: IndexOption = DEFAULT_INDEX, config: ConfigOption = None, lang: LangOption = None
) -> None:
    """Ask questions and follow-up questions. /why shows how the last answer came about."""
    from anaphora.cli.chat import ChatSession
    from anaphora.cli.terminal import Screen

    ChatSession(open_assistant(index, config), Screen(index), language(lang)).run()


def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.")] = None,
    index: IndexOption = DEFAULT_INDEX,
    model: Annotated[
        str | None,
        typer.Option("--model", help="hybrid, dense, sparse, bm25, lmd or lmjm."),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many hits.")] = 10,
    queries: Annotated[
        Path | None, typer.Option("--queries", help='A batch, JSON lines {"_id", "text"}.')
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--run", help="Where a batch's TREC run file goes.")
    ] = None,
    passages: Annotated[
        bool, typer.Option("--passages", help="Passage ids in the run, not document ids.")
    ] = False,
    trec: Annotated[bool, typer.Option("--trec", help="Print hits as lines of a run.")] = False,
    config: ConfigOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search without answering; or run a batch of queries into a TREC run file."""
    from anaphora.cli.terminal import Screen
    from anaphora.records import Conversation, Query, Turn
    from anaphora.retrieve.runs import run_lines, write_run
    from anaphora.serialization import search_to_dict

    if (query is None) == (queries is None):
        raise UsageError("give either a query or --queries FILE")
    if queries is not None and run is None:
        raise UsageError("--queries FILE needs --run OUT to write to")
    if queries is None and run is not None:
        raise UsageError("--run OUT needs --queries FILE")
    query = None if query is None else text_argument(query)
    if query is not None and not query.strip():
        raise UsageError("the query is empty")
    lang = language(lang)
    screen = Screen()
    assistant = open_assistant(index, config, model)
    if model not in ("bm25", "lmd", "lmjm"):
        screen.completeness(assistant.index)
    if queries is not None and run is not None:
        batch = _queries(queries, lang)
        with screen.progress() as progress:
            write_run(run, assistant.retriever, batch, k, passages, progress)
        screen.notify(f"{len(batch)} queries, written to {run}")
        return
    assert query is not None
    conversation = Conversation((Turn("user", query, lang),))
    found_lang = assistant.understander.understand([conversation])[0].lang
    hits = assistant.retriever.retrieve([Query(query, found_lang, id="1")], k)[0]
    if as_json:
        print_json(search_to_dict(query, found_lang, hits))
    elif trec:
        for line in run_lines("1", hits, k, passages):
            print(line)
    else:
        screen.hits(hits)


def rewrite(
    index: IndexOption = DEFAULT_INDEX,
    config: ConfigOption = None,
    best: Annotated[
        int, typer.Option("--best", min=1, help="With --json: so many rewrites of each question.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Make questions self-contained: conversations in (JSON lines), rewrites out.

    The term statistics of the index are used where there is one.
    """
    from anaphora.assistant import Assistant, open
    from anaphora.index import has_index
    from anaphora.pipeline import rewrite_all
    from anaphora.rewrite.linking.rewriter import LinkingRewriter
    from anaphora.serialization import (
        courtesy_to_dict,
        parse_conversation,
        rewrite_to_dict,
    )

    settings = read_config(config)
    if has_index(index, settings.index):
        assistant = open(index, settings)
    else:
        assistant = Assistant(None, settings)
    rewriter = assistant.rewriter
    linking = getattr(rewriter, "rewriter", None)
    linking = linking if isinstance(linking, LinkingRewriter) else None
    if best > 1 and not (linking and as_json):
        raise UsageError("--best needs --json and the rewriter 'linking'")
    for conversation in parse_input(parse_conversation):
        ((understanding, result),) = rewrite_all(assistant.understander, rewriter, [conversation])
        if not as_json:
            print(result.text if result else conversation.question.text, flush=True)
        elif result is None:
            print_json(courtesy_to_dict(understanding))
        else:
            others = (
                linking.n_best(understanding.conversation, best) if linking and best > 1 else []
            )
            print_json(rewrite_to_dict(conversation.id, result, others))


def _history(path: Path | None) -> Sequence[Turn]:
    from anaphora.serialization import parse_turn

    return parsed(path, parse_turn) if path else ()


def _queries(path: Path, lang: str | None) -> Sequence[Any]:
    from dataclasses import replace

    from anaphora.language import identify
    from anaphora.serialization import parse_query

    return [
        replace(query, lang=lang or identify(query.text)) for query in parsed(path, parse_query)
    ]
