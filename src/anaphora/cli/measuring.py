"""The commands that measure pipelines on data sets and say which stage failed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.cli.common import JsonOption, SparseOption, print_json
from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.evaluate.answers import AnswerEvaluation
    from anaphora.evaluate.systems import System

STAGES = ("rewrite", "retrieve", "read")

RANKING = ("nDCG@10", "MAP", "MRR@10", "P@5", "R@5", "R@20", "R@100")

RunsArgument = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="The data's format: a name, or package.module:NAME.")
]

data = typer.Typer(help="Public data sets: what they are, and whether a file is whole.")


@data.command("list")
def list_formats(as_json: JsonOption = False) -> None:
    """The formats that can be read: what each is, its licence, where it is to be had."""
    from anaphora.datasets.check import listing, listing_text

    if as_json:
        print_json(listing())
    else:
        print(listing_text())


@data.command()
def check(
    path: Annotated[Path, typer.Argument(help="A file or folder.")],
    format: FormatOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a file or folder is, what it holds, and whether it is whole."""
    from anaphora.datasets.check import check as checked
    from anaphora.datasets.check import check_text, check_to_dict

    result = checked(path, format)
    if as_json:
        print_json(check_to_dict(result))
    else:
        print(check_text(result))
    if result.problems:
        raise typer.Exit(1)


def evaluate(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="[rewrite | retrieve | read] DATA | answers FILE...",
            help="The last stage to try, by default reading, and a data set's file or folder; or "
            "files of questions with the facts that answers show.",
        ),
    ],
    pipelines: Annotated[
        list[str] | None,
        typer.Option(
            "--pipeline",
            "-p",
            metavar="[NAME:]FILE|FOLDER|SETTINGS",
            help="A TOML file, a folder of them, or settings such as "
            "retrieve.model=lmd,rewrite.method=none; any number.",
        ),
    ] = None,
    shared: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="SETTINGS",
            help="Settings for every pipeline that has them, such as read.model=gemma.",
        ),
    ] = "",
    out: Annotated[Path, typer.Option("--out", help="The folder that runs are kept in.")] = Path(
        "runs"
    ),
    index: Annotated[
        Path | None,
        typer.Option("--index", help="Search this index, not the data set's own passages."),
    ] = None,
    lexical: Annotated[
        bool, typer.Option("--lexical", help="Index the data set's passages without vectors.")
    ] = False,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="NAME",
            help="The encoder of these vectors: a name, or the folder of a trained one.",
        ),
    ] = None,
    sparse: SparseOption = None,
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", help="What to measure; any number.")
    ] = None,
    success: Annotated[
        str | None,
        typer.Option("--success", help="What makes a turn right, such as 'nDCG@5>=0.5'."),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference", help="Whose automatic rewrites in the data stand in for human ones."
        ),
    ] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Hits of the first stage.")] = 100,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first turns.")
    ] = None,
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Read the relevant passages, not those found.")
    ] = False,
    answer_grade: Annotated[
        int | None,
        typer.Option(
            "--answer-grade", min=1, help="Passages from this grade on are the right answers."
        ),
    ] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--documents",
            metavar="NAME=FOLDER",
            help="With answers: a collection's documents; any number.",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", help="With answers: only this part, such as report.")
    ] = None,
    grounding: Annotated[
        bool,
        typer.Option("--grounding", help="With answers: check them against their citations."),
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="MODEL@URL",
            help="With answers: have a model behind an endpoint judge them.",
        ),
    ] = None,
    format: FormatOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure pipelines on a data set: a folder for each run, and a report on all of them."""
    from anaphora.evaluate.systems import parse_systems

    if data[0] == "answers" and len(data) > 1:
        others = {
            "--index": index,
            "--encoder": encoder,
            "--sparse": sparse,
            "--metric": metrics,
            "--success": success,
            "--reference": reference,
            "--format": format,
            "--oracle": oracle,
            "--answer-grade": answer_grade,
        }
        _refuse(others, "is not an option of 'eval answers'")
        files = [Path(file) for file in data[1:]]
        evaluation = _answer_evaluation(
            files, documents or (), split, out, lexical, limit, grounding, judge
        )
        _evaluate_answers(evaluation, parse_systems(pipelines or ["default"], shared), as_json)
        return
    for_answers = {
        "--documents": documents,
        "--split": split,
        "--grounding": grounding,
        "--judge": judge,
    }
    _refuse(for_answers, "is an option of 'eval answers FILE...'")
    if encoder and (index or lexical):
        other = "--index, which has its own" if index else "--lexical, which has no vectors"
        raise UsageError(f"--encoder cannot be used with {other}")
    if sparse and index:
        raise UsageError("--sparse cannot be used with --index, which has its own weights")
    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.evaluate.harness import Harness
    from anaphora.evaluate.report import text_summary
    from anaphora.evaluate.run_folder import REPORT, read_figures
    from anaphora.evaluate.scoring import Success, checked
    from anaphora.retrieve.encoders import DEFAULT

    *stage, path = data
    if stage and (len(stage) > 1 or stage[0] not in STAGES):
        raise UsageError(f"{' '.join(stage)!r} is not a stage; there are {', '.join(STAGES)}")
    screen = Screen()
    harness = Harness(
        out,
        last=stage[0] if stage else "read",  # type: ignore[arg-type]
        index=index,
        lexical=lexical,
        encoder=encoder or DEFAULT,
        sparse=sparse,
        metrics=[checked(name) for name in metrics or ()],
        success=Success.parse(success) if success else None,
        depth=depth,
        limit=limit,
        reference=reference,
        oracle=oracle,
        answer_grade=answer_grade,
    )
    systems = parse_systems(pipelines or ["default"], shared)
    dataset = open_dataset(Path(path), format)
    with screen.progress() as progress:
        done = harness.run(dataset, systems, progress)
    if as_json:
        forms = [{"run": str(home), "name": run.name, **read_figures(home)} for home, run in done]
        print_json(forms)
    else:
        screen.out.print(text_summary([run for _, run in done]))
    screen.notify(f"written: {', '.join(str(folder) for folder, _ in done)}")
    page = done[0][0] if len(done) == 1 else out / dataset.name
    screen.notify(f"report: {page / REPORT}")


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Raises an error that names the first of the options that is given."""
    given = next((name for name, value in options.items() if value), None)
    if given:
        raise UsageError(f"{given} {why}")


def _answer_evaluation(
    files: Sequence[Path],
    documents: Sequence[str],
    split: str | None,
    out: Path,
    lexical: bool,
    limit: int | None,
    grounding: bool,
    judge: str | None,
) -> AnswerEvaluation:
    from anaphora.datasets.answer_turns import load_answer_turns
    from anaphora.evaluate.answers import AnswerEvaluation
    from anaphora.evaluate.llm_judge import LLMJudge
    from anaphora.models.endpoint import ChatModel

    folders = {}
    for text in documents:
        name, equals, folder = text.partition("=")
        if not (equals and name and folder):
            raise UsageError(f"--documents {text!r} is not NAME=FOLDER")
        folders[name] = Path(folder)
    model, at, url = (judge or "").rpartition("@")
    if judge and not (model and at and url):
        raise UsageError(f"--judge {judge!r} is not MODEL@URL")
    turns = load_answer_turns(files)
    if split:
        splits = sorted({turn.split for turn in turns if turn.split})
        turns = [turn for turn in turns if turn.split == split]
        if not turns:
            known = ", ".join(splits) or "none"
            raise UsageError(f"no turn is of the split {split!r}; there are {known}")
    checker = None
    if grounding:
        from anaphora import registry
        from anaphora.assistant import Assistant
        from anaphora.config import Config

        checker = registry.build(Config().check, Assistant(None, Config()))
    return AnswerEvaluation(
        turns,
        folders,
        out,
        lexical,
        limit,
        checker,
        LLMJudge(ChatModel(url, model)) if judge else None,
    )


def _evaluate_answers(
    evaluation: AnswerEvaluation, systems: Sequence[System], as_json: bool
) -> None:
    from anaphora.cli.terminal import Screen
    from anaphora.evaluate.answer_figures import figures, groups_table, summary_table
    from anaphora.evaluate.tables import as_text

    with Screen().progress() as progress:
        results = evaluation.run(systems, progress)
    found = {name: figures(one) for name, one in results.items()}
    if as_json:
        print_json([{"name": name, **one} for name, one in found.items()])
    else:
        print(as_text(summary_table(found)))
        print(as_text(groups_table(found)), end="")


def compare(
    runs: RunsArgument,
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", help="What to compare; any number.")
    ] = None,
    phrasing: Annotated[
        str, typer.Option("--phrasing", help="original, rewritten or human.")
    ] = "rewritten",
    test: Annotated[
        str, typer.Option("--test", help="randomisation or bootstrap.")
    ] = "randomisation",
    correction: Annotated[
        str, typer.Option("--correction", help="holm, bonferroni, bh or none.")
    ] = "holm",
    as_json: JsonOption = False,
    style: Annotated[str, typer.Option("--as", help="text, csv, latex or html.")] = "text",
    full: Annotated[
        bool, typer.Option("--full", help="A row a metric and run: intervals, p, wins and losses.")
    ] = False,
) -> None:
    """Compare runs turn by turn with the first one, with tests of significance."""
    from anaphora.evaluate.compare import compare as compared
    from anaphora.evaluate.compare import comparison_to_dict
    from anaphora.evaluate.results import PHRASINGS
    from anaphora.evaluate.run_folder import read_scores
    from anaphora.evaluate.scoring import checked
    from anaphora.evaluate.tables import RENDERERS, details
    from anaphora.evaluate.tables import summary as summary_table

    if style not in RENDERERS:
        raise UsageError(f"there is no form {style!r}; there are {', '.join(RENDERERS)}")
    if phrasing not in PHRASINGS:
        raise UsageError(f"there is no phrasing {phrasing!r}; there are {', '.join(PHRASINGS)}")
    names = _names(runs)
    scores = {
        name: read_scores(run).get(phrasing, {}) for name, run in zip(names, runs, strict=True)
    }
    wanted = [checked(name) for name in metrics or ()]
    for name, run in zip(names, runs, strict=True):
        unmeasured = [metric for metric in wanted if metric not in scores[name]]
        if unmeasured:
            known = ", ".join(scores[name])
            raise UsageError(f"{run} has no {phrasing} {unmeasured[0]}; it has {known or 'none'}")
    if wanted:
        scores = {
            run: {name: values[name] for name in wanted if name in values}
            for run, values in scores.items()
        }
    found = compared(scores, test, correction)  # type: ignore[arg-type]
    if as_json:
        print_json(comparison_to_dict(found))
    else:
        table = details(found) if full else summary_table(found)
        print(RENDERERS[style](table), end="")  # type: ignore[index]
    for warning in found.warnings:
        print(f"anaphora: {warning}", file=sys.stderr)


def _names(runs: Sequence[Path]) -> list[str]:
    """What the runs are called, or their paths where two are called the same."""
    from anaphora.evaluate.run_folder import read_about

    names = [str(read_about(run)["name"]) for run in runs]
    return names if len(set(names)) == len(names) else [str(run) for run in runs]


def score(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="TREC run files: query Q0 id rank score.")
    ],
    qrels: Annotated[
        Path, typer.Option("--qrels", help="Judgements: query 0 id grade, or BEIR's three columns.")
    ],
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", help="What to measure; any number.")
    ] = None,
    level: Annotated[
        int, typer.Option("--level", min=1, help="The grade from which a passage is relevant.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Score TREC run files of any program against judgements, and compare them with the first."""
    from anaphora.datasets.qrels import read_qrels, read_run
    from anaphora.evaluate.compare import compare as compared
    from anaphora.evaluate.metrics.retrieval import score_run
    from anaphora.evaluate.tables import Cell, Table, as_text
    from anaphora.evaluate.tables import summary as summary_table

    judged = read_qrels(qrels)
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        names = [str(run) for run in runs]
    scores = {}
    for name, run in zip(names, runs, strict=True):
        found = score_run(read_run(run), judged, metrics or RANKING, level)
        scores[name] = found.values
        for warning in found.warnings:
            print(f"anaphora: {run}: {warning}", file=sys.stderr)
    if as_json:
        means = {
            name: {metric: fmean(values.values()) for metric, values in one.items()}
            for name, one in scores.items()
        }
        print_json([{"run": name, "scores": one} for name, one in means.items()])
    elif len(scores) > 1:
        print(as_text(summary_table(compared(scores))), end="")
    else:
        [one] = scores.values()
        rows = [(Cell(metric), Cell(fmean(values.values()))) for metric, values in one.items()]
        turns = len(next(iter(one.values())))
        print(as_text(Table(("metric", f"mean of {turns:,}"), tuple(rows))), end="")


def blame(
    run: Annotated[Path | None, typer.Argument(metavar="[RUN]", help="A run's folder.")] = None,
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores", help='JSON lines {"id","original","rewritten","human","unchanged"}.'
        ),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Of a run: by which metric.")
    ] = None,
    thresholds: Annotated[
        list[str] | None,
        typer.Option("--threshold", help="What is right: '=1', '>0', '>=0.5'; any number."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Attribute failed turns to rewriting or question answering, and in a run to each stage."""
    from anaphora.evaluate import breakdown_tables
    from anaphora.evaluate.breakdown import breakdown_to_dict
    from anaphora.evaluate.breakdown import read_scores as read_turns
    from anaphora.evaluate.scoring import checked

    if run is not None and scores is None:
        turns, name = breakdown_tables.run_scores(run, checked(metric) if metric else None)
    elif scores is not None and run is None:
        if metric:
            raise UsageError("--metric is of a run; --scores FILE holds one score a phrasing")
        turns, name = read_turns(scores), ""
    else:
        raise UsageError("give either a run's folder or --scores FILE")
    found = breakdown_tables.breakdowns(turns, thresholds or ())
    if as_json:
        for threshold, one in found:
            which = {"threshold": str(threshold)} if len(found) > 1 else {}
            print_json({**which, **breakdown_to_dict(one)})
        return
    if run is not None and metric is None:
        print(breakdown_tables.causes_text(*breakdown_tables.cause_counts(run)), end="\n\n")
    print(breakdown_tables.table_text(found, name))


def report(
    runs: RunsArgument,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one page that needs no network.")
    ] = None,
) -> None:
    """Show runs: in the terminal, or as a page."""
    from anaphora.cli.terminal import Screen
    from anaphora.errors import AnaphoraError
    from anaphora.evaluate.report import html_report, text_report
    from anaphora.evaluate.run_folder import read_run

    screen = Screen()
    read: list[Any] = [read_run(folder) for folder in runs]
    if html is None:
        screen.out.print(text_report(read))
        return
    try:
        html.write_text(html_report(read), "utf-8")
    except OSError as error:
        raise AnaphoraError(f"{html} cannot be written: {error.strerror}") from error
    screen.notify(f"written: {html}")
