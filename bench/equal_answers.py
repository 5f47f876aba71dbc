"""Compare the answers of two versions of Anaphora, such as before and after a refactoring.

    python -m bench.equal_answers --before CHECKOUT --after CHECKOUT --data DATA --work WORK
        [--python PY] [--only PART...] [--documented PART:FIELD...] [--quick]

DATA is the folder of public data sets (XQuAD, MTRAG, CANARD, Cranfield), WORK keeps indexes and
answers between runs, and PY is an interpreter with Anaphora's dependencies. Both checkouts are run
through their command line alone. Both get the same files: the data sets, and the guide of the
checkout before. The exit code is 1 where anything differs.

A process for each question takes most of the time; `--quick` asks all of them in one process.

The parts are

- `index`: the reports on five collections, indexed anew;
- `passages`: every passage of the guide;
- `search`: run files of XQuAD in Chinese and of Cranfield, with each model;
- `ask`: 300 questions on the guide in five languages, XQuAD in seven languages and MTRAG with the
  turns before, and small talk;
- `rewrite`: the 677 turns of CANARD on articles not used in training;
- `rerank`, `read`: questions of XQuAD with six paragraphs each;
- `old`: an index that the checkout before made, opened, searched and updated by the other one.

Texts, ids and order must be the same, and numbers must agree to 1e-6, relative above 1. Timings are
not compared. A field that only the checkout after prints is not a difference, as docs/json.md
allows new fields; it is listed. Two kinds of differences are counted apart, as documented: those in
a field that `--documented` names, such as `rewrite:reason` or `ask:hits[].title`, and small talk
that the checkout before declined without a search, such as a joke, and the other one searches.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.equal_checkout import FAILED, WHOLE, Checkout, CommandFailedError, Results
from bench.equal_inputs import make_inputs
from bench.table import format_table, machine, save

PARTS = ("index", "passages", "search", "ask", "rewrite", "rerank", "read", "old")
TOLERANCE = 1e-6
NOT_COMPARED = frozenset({"timings"})
CLOSED = frozenset({"sources"})
"""Objects whose keys are names of stages: a new key is a difference."""
LINES_EACH = 3
"""Differing fields of one result that are printed."""
LONGEST = 70
SAVED = 1000
NOTHING = "(nothing)"
COLUMNS = ("part", "compared", "equal", "different", "documented")


@dataclass(frozen=True)
class Difference:
    """A field with two values; `field` is a path such as `hits[2].score`."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Finding:
    """All differences of one result."""

    part: str
    id: str
    differences: Sequence[Difference]
    documented: bool


def differences(
    before: Any, after: Any, added: Counter[str] | None = None, field: str = ""
) -> Iterator[Difference]:
    """Yield the fields in which two JSON values differ.

    `added` counts the fields that only `after` has.

    >>> [one.field for one in differences({"a": [1, 2.0]}, {"a": [1, 2.1], "b": 0})]
    ['a[1]']
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name, value in before.items():
            path = f"{field}.{name}" if field else str(name)
            if name in NOT_COMPARED:
                continue
            if name in after:
                yield from differences(value, after[name], added, path)
            else:
                yield Difference(path, value, NOTHING)
        for name in after.keys() - before.keys():
            path = f"{field}.{name}" if field else str(name)
            if field.rpartition(".")[2] in CLOSED:
                yield Difference(path, NOTHING, after[name])
            elif added is not None:
                added[_general(path)] += 1
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield Difference(field, f"{len(before)} items", f"{len(after)} items")
        for place, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from differences(one, other, added, f"{field}[{place}]")
    elif not _same(before, after):
        yield Difference(field, before, after)


def _same(before: Any, after: Any) -> bool:
    if not (_is_number(before) and _is_number(after)):
        return type(before) is type(after) and bool(before == after)
    # Run files hold six decimals: of two scores that nearly agree the last one may differ by 1.
    allowed = TOLERANCE * max(1.0, abs(before), abs(after)) * (1 + 1e-6)
    return bool(before == after or abs(before - after) <= allowed)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _general(path: str) -> str:
    """Return the field's name as docs/json.md has it: `hits[2].score` is `hits[].score`."""
    return re.sub(r"\[\d+\]", "[]", path)


def compare(
    before: Results, after: Results, documented: Sequence[str] = ()
) -> tuple[list[list[Any]], list[Finding], Counter[str]]:
    """Return a row for each part, what differs, and the fields that only `after` has.

    A row is what COLUMNS names.
    """
    rows: list[list[Any]] = []
    findings: list[Finding] = []
    added: Counter[str] = Counter()
    for part, results in before.items():
        others = after.get(part, {})
        new: Counter[str] = Counter()
        found = [*_findings(part, results, others, documented, new)]
        added.update({f"{part}: {field}": count for field, count in new.items()})
        findings += found
        excused = sum(one.documented for one in found)
        failed = any(one.id == WHOLE for one in found)
        different = len(results) if failed else len(found) - excused
        compared = len(results.keys() | (others.keys() - {WHOLE}))
        rows.append([part, compared, compared - different - excused, different, excused])
    return rows, findings, added


def _findings(
    part: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    documented: Sequence[str],
    added: Counter[str],
) -> Iterator[Finding]:
    if WHOLE in after:
        yield Finding(part, WHOLE, [Difference("", f"{len(before)} results", after[WHOLE])], False)
        return
    for name in [*before, *(name for name in after if name not in before)]:
        one, other = before.get(name, NOTHING), after.get(name, NOTHING)
        if isinstance(other, dict) and FAILED in other:
            one, other = "an answer", other[FAILED]
        found = [*differences(one, other, added)]
        if found:
            named = all(_documented(part, each.field, documented) for each in found)
            yield Finding(part, name, found, named or _small_talk(part, one, other))


def _documented(part: str, field: str, documented: Sequence[str]) -> bool:
    """Whether the field, or one that holds it, is named as PART:FIELD."""
    full = f"{_part(part)}:{_general(field)}"
    return any(full == one or full.startswith((f"{one}.", f"{one}[")) for one in documented)


def _small_talk(part: str, before: Any, after: Any) -> bool:
    """Whether it was declined without a search, as jokes were, and is searched now.

    Greetings and thanks are no such case: they get a reply that is no abstention.
    """
    if _part(part) != "ask" or not (isinstance(before, dict) and isinstance(after, dict)):
        return False
    declined = before.get("abstained") is True and not before.get("hits")
    searched = "retrieve" in after.get("timings", {})
    return declined and "retrieve" not in before.get("timings", {}) and searched


def line(finding: Finding, difference: Difference) -> str:
    """Return one difference as a line with both values."""
    before, after = (_text(one) for one in (difference.before, difference.after))
    start = 0
    if max(len(before), len(after)) > LONGEST:
        unlike = (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
        first = next(unlike, min(len(before), len(after)))
        start = max(0, first - LONGEST // 3)
    mark = " (documented)" if finding.documented else ""
    shown = f"{_cut(before, start)} | {_cut(after, start)}"
    return f"{finding.part}, {finding.id}, {difference.field or 'all'}{mark}: {shown}"


def _text(value: Any) -> str:
    if value == NOTHING:
        return NOTHING
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str, start: int) -> str:
    cut = text[start : start + LONGEST]
    return ("…" if start else "") + cut + ("…" if start + LONGEST < len(text) else "")


def report(rows: Sequence[Sequence[Any]], findings: Sequence[Finding], show: int) -> None:
    """Print what differs, at most `show` lines, and the table."""
    lines = []
    for finding in sorted(findings, key=lambda one: one.documented):
        lines += [line(finding, one) for one in finding.differences[:LINES_EACH]]
        more = len(finding.differences) - LINES_EACH
        if more > 0:
            lines.append(f"{finding.part}, {finding.id}: {more} more fields")
    print("\n".join(lines[:show]))
    if len(lines) > show:
        print(f"{len(lines) - show} more lines; --show prints more")
    total = ["all", *(sum(row[place] for row in rows) for place in range(1, len(COLUMNS)))]
    print(format_table(COLUMNS, [*rows, total]), end="\n\n")


def run(options: argparse.Namespace) -> int:
    """Answer with both checkouts, compare, print, save; return the exit code."""
    options.work.mkdir(parents=True, exist_ok=True)
    inputs = make_inputs(options.data, options.before / "docs", options.work)
    given = (inputs, options.work, options.python)
    before = Checkout("before", options.before, *given, quick=options.quick)
    parts = [part for part in PARTS if part in options.only]
    print(f"before: {_name(before)}", flush=True)
    answers = before.answer(parts)
    failed = [f"{part}, {id}" for part, id in _failures(answers)]
    if failed:
        print(f"the checkout before failed, there is nothing to compare with: {failed[0]}")
        return 1
    if options.after is None:
        print(f"answered: {sum(map(len, answers.values())):,} results in {before.folder}")
        return 0
    after = Checkout("after", options.after, *given, before, options.quick)
    print(f"after: {_name(after)}", flush=True)
    if before.about["compiled kernel"] != after.about["compiled kernel"]:
        print("one checkout has the compiled kernel of search, the other one has not")
    others = after.answer(parts)
    chosen = {part: one for part, one in answers.items() if _part(part) in parts}
    rows, findings, added = compare(chosen, others, options.documented)
    print()
    report(rows, findings, options.show)
    for field, count in sorted(added.items()):
        print(f"new field: {field}, in {count} places")
    result = {
        "machine": machine(),
        "before": before.about,
        "after": after.about,
        "inputs": inputs.name,
        "quick": options.quick,
        "parts": [dict(zip(COLUMNS, row, strict=True)) for row in rows],
        "new fields": dict(added),
        "differences": [asdict(one) for one in findings[:SAVED]],
    }
    different = any(not one.documented for one in findings)
    print("they differ" if different else "no difference")
    print(f"written: {save('equal-answers', result)}")
    return int(different)


def _name(checkout: Checkout) -> str:
    about = checkout.about
    edited = ", edited" if about["edited"] else ""
    return f"{checkout.root} ({about['commit'] or 'no commit'}{edited}), kept in {checkout.folder}"


def _part(name: str) -> str:
    """Return the part of PARTS that a part of the results belongs to."""
    return re.split("[, ]", name)[0]


def _failures(results: Results) -> Iterator[tuple[str, str]]:
    for part, values in results.items():
        for id, value in values.items():
            if isinstance(value, dict) and FAILED in value:
                yield part, id


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, required=True, help="a checkout")
    parser.add_argument("--after", type=Path, help="another one; without it only the first answers")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--documented", nargs="+", default=[], metavar="PART:FIELD")
    parser.add_argument("--quick", action="store_true", help="one process for all questions")
    parser.add_argument("--show", type=int, default=60, help="lines of differences")
    options = parser.parse_args()
    try:
        code = run(options)
    except CommandFailedError as error:
        raise SystemExit(f"failed: {error}") from error
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was answered is kept") from None
    raise SystemExit(code)


if __name__ == "__main__":
    main()
