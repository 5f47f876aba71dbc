"""The report as one HTML file that loads nothing else: no network, no fonts, no other file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from anaphora.errors import AnaphoraError
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.grouping import language
from anaphora.evaluate.report import figures, labels, plots
from anaphora.evaluate.report.turns import turns_data
from anaphora.evaluate.results import NEAR, Run
from anaphora.evaluate.sweep import sweep

if TYPE_CHECKING:
    from jinja2 import Environment


def html_report(runs: Sequence[Run]) -> str:
    """The report on one run, or on several side by side, as an HTML document.

    It can be encoded as UTF-8 whatever the data contain.

    Raises:
        ValueError: there is no run.
        AnaphoraError: Jinja2 is not installed.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    page = _environment().get_template("page.html")
    return figures.encodable(page.render(_view(runs)))


def _view(runs: Sequence[Run]) -> dict[str, Any]:
    """What the templates use: the runs, and functions that compute figures from them."""
    warnings: dict[str, list[str]] = {}
    for run in runs:
        for warning in run.warnings:
            warnings.setdefault(warning, []).append(run.name)
    return {
        "runs": runs,
        "datasets": {run.dataset: run for run in runs},
        "title": figures.title(runs),
        "subtitle": figures.subtitle(runs),
        "headline": partial(figures.headline, runs),
        "warnings": warnings,
        "all_verdicts": {one for run in runs for one in figures.verdicts(run, run.outcomes)},
        "turns_data": turns_data(runs),
    }


def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise AnaphoraError('a report needs Jinja2: pip install "anaphora[eval]"') from error
    environment = Environment(
        loader=PackageLoader("anaphora.evaluate.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "f": format,
        "percent": plots.percent,
        "rate": labels.rate,
        "seconds": labels.seconds,
        "threshold": lambda one: labels.threshold_name(str(one)),
    }
    environment.globals |= {
        "FORMS": labels.FORMS,
        "NEAR": NEAR,
        "GROUPED_BY": labels.GROUPED_BY,
        "VERDICTS": labels.VERDICTS,
        "about": lambda run: json.dumps(run.about, ensure_ascii=False, indent=2, default=str),
        "contents": figures.contents,
        "counted": counted,
        "failures": figures.failures,
        "group_estimates": figures.group_estimates,
        "groupings": figures.groupings,
        "judged_metrics": figures.judged_metrics,
        "layers": plots.layers,
        "line_plot": plots.line_plot,
        "link": figures.turns_link,
        "only_language": lambda run: language(run.outcomes[0]) if run.outcomes else "unknown",
        "own_threshold": lambda run: labels.parsed(run.success[1]).value,
        "phrasing_tables": figures.phrasing_tables,
        "phrasings_of": figures.phrasings,
        "shares": figures.shares,
        "similarities": figures.similarities,
        "sweep": sweep,
        "timings": figures.timings,
        "verdicts": figures.verdicts,
    }
    return environment
