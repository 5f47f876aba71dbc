"""The documentation is true: its commands, examples, settings and JSON forms are tried.

`python tests/test_docs.py` makes the transcript in README.md anew.
"""

import ast
import functools
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from anaphora import assistant, cli, config
from anaphora.evaluate import harness, stages
from anaphora.evaluate.metrics import ANSWER_METRICS, FAULTS, REWRITE_METRICS
from anaphora.language import identify
from anaphora.retrieve import encoders

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
LANGUAGES = ("en", "fr", "es", "vi", "zh")
PAGES = (
    "start",
    "documents",
    "search",
    "conversation",
    "settings",
    "python",
    "measuring",
    "training",
)
MEASURING = ROOT / "docs" / "en" / "measuring.md"
GUIDE = [ROOT / "docs" / lang / f"{page}.md" for page in PAGES for lang in LANGUAGES]

INPUTS = {
    "history.jsonl": [
        {"role": "user", "text": "How do I check an index?"},
        {"role": "assistant", "text": "With anaphora index verify."},
    ],
    "queries.jsonl": [
        {"_id": "q1", "text": "damaged index"},
        {"_id": "q2", "text": "Où l'index est-il conservé ?"},
    ],
    "conversations.jsonl": [
        {
            "id": "c1",
            "turns": [
                {"role": "user", "text": "What is LM-Dirichlet?"},
                {"role": "assistant", "text": "A language model."},
                {"role": "user", "text": "And its parameter?"},
            ],
            "title": "Formulas",
        }
    ],
    "asked.jsonl": [
        {
            "id": "q1",
            "question": "When was the lighthouse at Cape Orrin built?",
            "lang": "en",
            "passages": [
                {"_id": "p1", "title": "Ferry", "text": "The ferry leaves at noon.", "lang": "en"},
                {
                    "_id": "p2",
                    "title": "Cape Orrin",
                    "text": "The lighthouse at Cape Orrin was built in 1874.",
                    "lang": "en",
                },
            ],
        }
    ],
    "turns.jsonl": [
        {
            "id": "en-2",
            "turns": [
                {"role": "user", "text": "Who runs the lighthouse at Cape Orrin?"},
                {"role": "assistant", "text": "The harbour guild."},
                {"role": "user", "text": "When was it built?"},
            ],
            "title": "Cape Orrin",
            "rewrite": "When was the lighthouse at Cape Orrin built?",
            "answer": "in 1874",
            "relevant": {"p1": 0, "p2": 2},
            "answerable": True,
            "lang": "en",
            "tags": {"dialogue": "en", "topic_switch": "no", "question_type": "when"},
        },
        {
            "id": 2,
            "turns": [
                {"role": "user", "text": "青禾茶馆在哪里？"},
                {"role": "assistant", "text": "在河边的旧仓库里。"},
                {"role": "user", "text": "它什么时候开业的？"},
            ],
            "rewrites": ["青禾茶馆是什么时候开业的？", "青禾茶馆哪一年开业？"],
            "answers": ["1998年", "一九九八年"],
            "relevant": ["p3"],
        },
        {
            "id": "vi-1",
            "turns": [{"role": "user", "text": "Bảo tàng gốm Lam Sơn mở cửa lúc mấy giờ?"}],
            "rewrite": "Bảo tàng gốm Lam Sơn mở cửa lúc mấy giờ?",
            "answer": "tám giờ sáng",
            "relevant": ["p4"],
            "lang": "vi",
        },
        {
            "id": "ar-1",
            "turns": [{"role": "user", "text": "من يملك مكتبة الساحل؟"}],
            "rewrite": "من يملك مكتبة الساحل؟",
            "answer": "بلدية المدينة",
            "relevant": ["p5"],
            "lang": "ar",
        },
        {
            "id": "fr-1",
            "turns": [{"role": "user", "text": "Quelle est la profondeur du lac de Morvane ?"}],
            "rewrite": None,
            "answerable": False,
            "lang": "fr",
        },
    ],
    "passages.jsonl": [
        {"_id": "p1", "title": "Cape Orrin", "text": "The harbour guild runs the lighthouse."},
        {"_id": "p2", "title": "Cape Orrin", "text": "The lighthouse was built in 1874."},
        {"_id": "p3", "text": "青禾茶馆于1998年开业，位于河边的旧仓库里。", "lang": "zh"},
        {"_id": "p4", "text": "Bảo tàng gốm Lam Sơn mở cửa lúc tám giờ sáng."},
        {"_id": "p5", "text": "تملك بلدية المدينة مكتبة الساحل."},
    ],
    "questions.jsonl": [
        {
            "id": "es-2",
            "turns": [
                {"role": "user", "text": "¿Qué es la búsqueda híbrida?"},
                {"role": "assistant", "text": "BM25 y la búsqueda densa."},
                {"role": "user", "text": "¿Y sin vectores?"},
            ],
            "rewrite": "¿Qué hace la búsqueda híbrida sin vectores?",
            "answer": "emplea solo las palabras",
        }
    ],
    "scores.jsonl": [
        {"id": "t1", "original": 0, "rewritten": 0.4, "human": 1, "unchanged": False},
        {"id": "t2", "original": 1, "rewritten": 1, "human": 1.0, "unchanged": True},
        {"id": "t3", "original": 0.5, "rewritten": 0.5},
    ],
}
"""The files that the commands of the guide read, by name."""


@dataclass(frozen=True)
class Block:
    """A fenced block: the word after the fence, the text, and the heading it stands under."""

    kind: str
    text: str
    heading: str


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def blocks(page: Path) -> list[Block]:
    found, heading, kind, lines = [], "", None, []
    for line in page.read_text("utf-8").split("\n"):
        if line.startswith("```"):
            if kind is None:
                kind, lines = line[3:].strip(), []
            else:
                found.append(Block(kind, "\n".join(lines), heading))
                kind = None
        elif kind is not None:
            lines.append(line)
        elif line.startswith("#"):
            heading = line.lstrip("# ")
    assert kind is None, f"{page} has a block that does not end"
    return found


def headings(page: Path) -> list[int]:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [len(mark) for mark in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]


def commands(page: Path) -> list[str]:
    """What the page tells its reader to type, as far as it begins with `anaphora`."""
    return [
        line.removeprefix("$ ")
        for block in blocks(page)
        if block.kind in ("sh", "console")
        for line in block.text.split("\n")
        if line.removeprefix("$ ").startswith("anaphora ")
    ]


def rows(page: Path, heading: str) -> dict[str, list[str]]:
    """The rows of the table under a heading: what is in the first cell's backticks -> the rest."""
    section = page.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert section, f"{page} has no section {heading!r}"
    found = {}
    for line in section.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            found[cells[0].strip("`")] = cells[1:]
    return found


def run(command: str, stdin: io.TextIOBase | None = None) -> Done:
    """Runs a command line of the guide in this process, with `< file` as a shell has it."""
    words = shlex.split(command)[1:]
    if "<" in words:
        at = words.index("<")
        stdin = io.StringIO(Path(words[at + 1]).read_text("utf-8"))
        words = words[:at] + words[at + 2 :]
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["anaphora", *words], stdin or io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            cli.main()
        code = 0
    except SystemExit as leaving:
        code = leaving.code or 0
    finally:
        sys.argv, sys.stdin = before
    return Done(code, out.getvalue(), err.getvalue())


@contextmanager
def workplace(folder: Path) -> Iterator[None]:
    """In a folder with the guide and what its commands read; the encoder is loaded only once."""
    with pytest.MonkeyPatch.context() as patch:
        load = functools.lru_cache(lambda name=encoders.DEFAULT: encoder(name))
        encoder = encoders.load_encoder
        for module in (assistant, encoders, harness, stages):
            patch.setattr(module, "load_encoder", lambda name=encoders.DEFAULT: load(name))
        patch.delenv("ANAPHORA_INDEX", raising=False)
        patch.chdir(folder)
        shutil.copytree(ROOT / "docs", "docs")
        for name, records in INPUTS.items():
            text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
            Path(name).write_text(text, "utf-8")
        Path("settings.toml").write_text("[read]\nsentences = 1\n", "utf-8")
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guide")
    with workplace(folder):
        done = run("anaphora index docs")
        assert done.code == 0, done.err
        shutil.copytree(".anaphora", "example-index")
        several = next(line for line in commands(MEASURING) if line.count(" -p ") > 1)
        done = run(several)
        assert done.code == 0, done.err
        yield folder


def varied(command: str) -> list[str]:
    """The command without what differs between languages: quoted text, and --lang's code."""
    words = shlex.split(re.sub(r'"[^"]*"', "TEXT", command))
    return ["CODE" if before == "--lang" else word for before, word in zip(["", *words], words)]  # noqa: B905


@pytest.mark.parametrize("page", PAGES)
def test_the_languages_have_the_same_sections_commands_and_settings(page):
    first, *others = [ROOT / "docs" / lang / f"{page}.md" for lang in LANGUAGES]
    for other in others:
        assert headings(other) == headings(first), other
        assert list(map(varied, commands(other))) == list(map(varied, commands(first))), other
        assert [block.kind for block in blocks(other)] == [block.kind for block in blocks(first)]
        for mine, theirs in zip(blocks(other), blocks(first), strict=True):
            if mine.kind == "toml":
                assert mine.text == theirs.text, other
            elif mine.kind == "python":
                assert code(mine.text) == code(theirs.text), other


def code(text: str) -> str:
    """The program without its strings, which are in the reader's language."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_is_in_its_language(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for paragraph in re.findall(
        r"^[^#|\n].{200,}$", text.replace("\n", " ").replace("##", "\n"), re.M
    ):
        assert identify(paragraph) == page.parent.name, paragraph


@pytest.mark.parametrize(
    "command",
    list(dict.fromkeys(line for page in [README, *GUIDE] for line in commands(page))),
)
def test_a_command_of_the_guide_works(place, command):
    done = run(command)
    assert done.code == 0, done.err
    if "--json" in command:
        for line in done.out.splitlines():
            json.loads(line)


@pytest.mark.parametrize(
    "page",
    [page for page in GUIDE if any(block.kind == "python" for block in blocks(page))],
    ids=lambda page: page.parent.name,
)
def test_the_python_examples_run(place, page):
    names = {"__name__": "example"}
    for block in blocks(page):
        if block.kind == "python":
            exec(compile(block.text, str(page), "exec"), names)
    names["assistant"].index.close()
    names["lexical"].index.close()


def test_settings_examples_load(tmp_path):
    file = tmp_path / "settings.toml"
    examples = [
        block for page in [README, *GUIDE] for block in blocks(page) if block.kind == "toml"
    ]
    assert examples
    for block in examples:
        file.write_text(block.text, "utf-8")
        config.load(file)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_setting_is_listed_with_its_default(lang):
    page = ROOT / "docs" / lang / "settings.md"
    listed = {
        key: config.tomllib.loads(f"value = {default.strip('`')}")["value"]
        for key, default in re.findall(
            r"^\| `(\w+\.\w+)` \| (`.*?`) \|", page.read_text("utf-8"), re.M
        )
    }
    assert listed == {
        f"{table.name}.{setting.name}": getattr(getattr(config.Config(), table.name), setting.name)
        for table in fields(config.Config)
        for setting in fields(getattr(config.Config(), table.name))
    }


def test_every_option_of_the_command_line_is_in_the_guide(place):
    import typer

    text = "".join(page.read_text("utf-8") for page in GUIDE if page.parent.name == "en")

    def walk(name, command):
        assert f"`{name}`" in text or f"anaphora {name}" in text
        for inner, subcommand in getattr(command, "commands", {}).items():
            walk(f"{name} {inner}", subcommand)
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-") and option != "--help":
                    assert option in text, f"{name} {option}"

    for name, command in typer.main.get_command(cli.app).commands.items():
        walk(name, command)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_metric_of_answers_and_rewrites_is_in_the_guide(lang):
    text = (ROOT / "docs" / lang / "measuring.md").read_text("utf-8")
    assert [name for name in {**ANSWER_METRICS, **FAULTS} if f"`{name}`" not in text] == []
    assert set(REWRITE_METRICS) < set(ANSWER_METRICS)


TYPES = {
    "string": str,
    "string or null": (str, type(None)),
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "list": list,
    "list or null": (list, type(None)),
    "list of strings": list,
    "object": dict,
    "integer or null": (int, type(None)),
    "number or null": (int, float, type(None)),
    "boolean or null": (bool, type(None)),
}
OPEN = re.compile(
    r"(.+\.)?(timings|sources|languages|culprits|seconds|relevant|tags)|\[\]\.scores(\.\*)?"
    r"|\[\]\.rewriting(\.\*)?|\[\]\.groups(\.\*(\.\*\.scores)?)?"
)
"""Objects whose keys are names: of stages, languages, metrics, …"""


def shape(value, name: str = "") -> Iterator[tuple[str, object]]:
    """Every field in a JSON value, as docs/json.md names them, and an example of its values."""
    if name and not name.endswith("*"):
        yield name.removesuffix("[]"), value
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                for key, inner in item.items():
                    yield from shape(inner, f"{name}[].{key}")
    elif isinstance(value, dict):
        names = OPEN.fullmatch(name)
        for key, inner in value.items():
            if not names:
                yield from shape(inner, f"{name}.{key}" if name else key)
            elif isinstance(inner, dict):
                yield from shape(inner, f"{name}.*")


@pytest.mark.parametrize(
    ("heading", "command"),
    [
        ("Output of ask", 'anaphora ask "Which languages are supported?" --json'),
        ("Output of search", 'anaphora search "supported languages" --json'),
        ("Output of rewrite", "anaphora rewrite --json --best 3 < conversations.jsonl"),
        ("Output of rerank", "anaphora rerank --json < asked.jsonl"),
        ("Output of read", "anaphora read --json < asked.jsonl"),
        ("Output of index", "anaphora index docs picture.png --index other --lexical --json"),
        ("Output of index verify", "anaphora index verify --json"),
        ("Output of index repair", "anaphora index repair --json"),
        ("Output of data list", "anaphora data list --json"),
        ("Output of data check", "anaphora data check turns.jsonl --json"),
        ("Output of eval", "anaphora eval turns.jsonl --json"),
        (
            "Output of score",
            "anaphora score runs/records-turns/default/rewritten.run --json "
            "--qrels runs/records-turns/default/qrels.txt",
        ),
        ("Output of blame", "anaphora blame --scores scores.jsonl --threshold '=1' --json"),
    ],
)
def test_json_has_the_documented_fields(place, heading, command):
    Path("picture.png").write_bytes(b"\x89PNG")
    documented = rows(ROOT / "docs" / "json.md", heading)
    done = run(command)
    assert done.code == 0, done.err
    printed = list(shape(json.loads(done.out)))
    assert list(dict.fromkeys(name for name, _ in printed)) == list(documented)
    for name, value in printed:
        assert isinstance(value, TYPES[documented[name][0]]), (name, value)
        assert isinstance(value, bool) <= ("boolean" in documented[name][0]), (name, value)


@pytest.mark.parametrize("question", ["Good morning", "What is the capital of Mongolia?"])
def test_json_of_ask_without_an_answer_has_the_same_fields(place, question):
    documented = rows(ROOT / "docs" / "json.md", "Output of ask")
    form = json.loads(run(f'anaphora ask "{question}" --json').out)
    assert list(form) == [name for name in documented if "[" not in name]
    assert form["citations"] == []


@pytest.mark.parametrize(
    ("heading", "name", "command"),
    [
        ("Input: earlier turns", "history.jsonl", 'anaphora ask "Hello" --history {}'),
        ("Input: queries", "queries.jsonl", "anaphora search --queries {} --run o.run"),
        ("Input: conversations", "conversations.jsonl", "anaphora rewrite < {}"),
        ("Input: questions with passages", "asked.jsonl", "anaphora rerank < {}"),
        ("Input: questions with passages", "asked.jsonl", "anaphora read < {}"),
    ],
)
def test_input_needs_the_documented_fields(place, heading, name, command):
    documented = rows(ROOT / "docs" / "json.md", heading)
    whole = INPUTS[name][0]
    assert {field for field, _ in shape(whole)} == set(documented)
    for field, (kind, *_) in documented.items():
        part = json.loads(json.dumps(whole))
        outer, _, inner = field.rpartition("[].")
        del (part[outer][0] if outer else part)[inner]
        Path("part.jsonl").write_text(json.dumps(part), "utf-8")
        done = run(command.format("part.jsonl"))
        assert done.code == (0 if kind.endswith("optional") else 2), (field, done.err)


DATA = {
    field: kind for field, (kind, *_) in rows(ROOT / "docs" / "json.md", "Input: data sets").items()
}


def data_check(record) -> int:
    Path("part.jsonl").write_text(json.dumps(record), "utf-8")
    return run("anaphora data check part.jsonl --format records --json").code


@pytest.mark.parametrize("whole", INPUTS["turns.jsonl"][:2], ids=["one", "several"])
def test_a_data_set_needs_the_documented_fields(place, whole):
    assert {field for field, _ in shape(whole)} <= set(DATA)
    assert data_check(whole) == 0
    for field, kind in DATA.items():
        outer, _, inner = field.rpartition("[].")
        if inner in (whole[outer][0] if outer else whole):
            without, null = (json.loads(json.dumps(whole)) for _ in range(2))
            del (without[outer][0] if outer else without)[inner]
            (null[outer][0] if outer else null)[inner] = None
            expected = 0 if kind.endswith("optional") else 1
            assert (data_check(without), data_check(null)) == (expected, expected), field


def test_every_field_of_a_data_set_is_tried():
    assert {field for record in INPUTS["turns.jsonl"] for field, _ in shape(record)} == set(DATA)


@pytest.mark.parametrize(
    "change",
    [
        {"comment": ""},
        {"id": "two words"},
        {"id": 1.5},
        {"turns": []},
        {"turns": [{"role": "user", "text": "Who?"}, {"role": "assistant", "text": "They."}]},
        {"turns": [{"role": "user", "text": " "}]},
        {"turns": [{"role": "system", "text": "Be brief."}, {"role": "user", "text": "Who?"}]},
        {"rewrites": ["beside the other"]},
        {"answers": ["beside the other"]},
        {"answerable": False},
        {"answerable": "yes"},
        {"relevant": {"p2": 0.5}},
        {"relevant": {"p2": True}},
        {"relevant": "p2"},
        {"relevant": ["not among the passages"]},
        {"tags": {"depth": 2}},
    ],
    ids=str,
)
def test_a_data_set_against_the_documented_rules_is_refused(place, change):
    assert data_check({**INPUTS["turns.jsonl"][0], **change}) == 1


def test_scores_need_the_documented_fields(place):
    documented = rows(ROOT / "docs" / "json.md", "Input: scores")
    whole, _, least = INPUTS["scores.jsonl"]
    assert set(whole) == set(documented)
    for record in (whole, least):
        for field, (kind, *_) in documented.items():
            if field in record:
                part = {key: value for key, value in record.items() if key != field}
                Path("part.jsonl").write_text(json.dumps(part), "utf-8")
                done = run("anaphora blame --scores part.jsonl")
                assert done.code == (0 if kind.endswith("optional") else 1), (field, done.err)


def test_documents_as_json_lines_need_the_documented_fields(place):
    documented = rows(ROOT / "docs" / "json.md", "Input: documents")
    whole = {
        "_id": "d1",
        "text": "It opens at nine.",
        "title": "Hours",
        "lang": "en",
        "metadata": {},
    }
    assert set(whole) == set(documented)
    for field, (kind, *_) in documented.items():
        part = {key: value for key, value in whole.items() if key != field}
        Path("part.jsonl").write_text(json.dumps(part), "utf-8")
        done = run(f"anaphora index part.jsonl --lexical --index only-{field} --json")
        assert done.code in (0, 1), done.err
        optional = kind.endswith("optional")
        form = json.loads(done.out)
        assert (form["documents"], len(form["skipped"])) == ((1, 0) if optional else (0, 1)), field


def test_run_files_are_as_documented(place):
    run("anaphora search --queries queries.jsonl --run out.run -k 5")
    lines = Path("out.run").read_text("utf-8").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"q[12] Q0 docs/\S+\.md [1-5] [\d.]+ anaphora", line), line


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("anaphora --version", 0),
        ("anaphora index verify", 0),
        ("anaphora ask Question --index nowhere", 1),
        ("anaphora search Query --model bm52", 2),
        ("anaphora ask Question --histories x", 2),
        ("anaphora ask Question --history nowhere.jsonl", 2),
        ("anaphora eval nowhere.jsonl", 2),
        ("anaphora blame nowhere", 2),
        ("anaphora blame --scores scores.jsonl --threshold 1", 2),
    ],
)
def test_the_installed_program_has_the_documented_exit_codes(place, command, code):
    program = Path(sysconfig.get_path("scripts")) / "anaphora"
    done = subprocess.run(
        [str(program), *shlex.split(command)[1:]],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert bool(done.stderr) == bool(code)
    assert "Traceback" not in done.stderr


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


def marked(mark: str) -> list[str]:
    """The lines of the README's block after `<!-- mark -->`."""
    _, found, rest = README.read_text("utf-8").partition(f"\n<!-- {mark} -->\n```")
    assert found, f"README.md has no block after {mark!r}"
    return rest.partition("\n```")[0].split("\n")[1:]


def test_the_setup_commands_are_one_line_and_their_anaphora_works(place):
    (test,) = marked("test")
    assert test.endswith(" -m pytest")
    (setup,) = marked("run")
    own = [part for part in setup.split(" && ") if part.startswith(".venv/bin/anaphora ")]
    assert [shlex.split(part)[1] for part in own] == ["index", "ask"]
    for part in own:
        done = run(part)
        assert done.code == 0, done.err


@pytest.mark.skipif(shutil.which("awk") is None, reason="needs awk")
def test_ci_runs_the_test_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    program = script.partition("awk '")[2].partition("' README.md")[0]
    found = subprocess.run(
        ["awk", program, str(README)], capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.splitlines() == marked("test")


class Typed(io.StringIO):
    """Lines as somebody types them into the chat: each one shows on the screen when it is read."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            print(f"> {line}")
            yield line


def session(lines: list[str]) -> list[tuple[str, list[str]]]:
    """The commands of a transcript, and what is typed into the chat of each."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> "):
            found[-1][1].append(line[2:])
    return found


def test_the_transcript_of_the_readme_still_runs(place):
    asked = session(marked("transcript"))
    languages = set()
    for command, typed in asked:
        done = run(command, Typed(typed))
        assert done.code == 0, done.err
        assert all(f"> {line}" in done.out for line in typed)
        if typed or " ask " in command:
            assert "[1]" in done.out
        languages |= {identify(line) for line in typed}
    assert len(languages) > 1


def renew_transcript() -> None:
    old = marked("transcript")
    shown: list[str] = []
    with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)):
        for command, typed in session(old):
            done = run(command, Typed(typed))
            assert done.code == 0, done.err
            shown.append(f"$ {command}")
            for line in done.out.rstrip().split("\n"):
                shown += textwrap.wrap(line, 98, break_on_hyphens=False) or [""]
            shown.append("")
        os.chdir(ROOT)
    text = README.read_text("utf-8")
    README.write_text(text.replace("\n".join(old), "\n".join(shown).rstrip()), "utf-8")


if __name__ == "__main__":
    renew_transcript()
