"""Each rewriter as it is configured, and through the command line."""

from __future__ import annotations

import json
import re
import shutil
import socket

import pytest
from support import tiny_seq2seq

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import ModelUnavailable, UsageError
from anaphora.index import open_index
from anaphora.records import Conversation, Turn
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.follow_ups import FollowUpRewriter
from anaphora.rewrite.history import HistoryRewriter, NoRewriter
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.rewrite.llm import LLMRewriter
from anaphora.rewrite.pronouns import PronounRewriter
from anaphora.rewrite.seq2seq import Seq2SeqRewriter

ZAPPA = (
    "Who were The Mothers of Invention?",
    "An American rock band led by Frank Zappa.",
    "When did they disband?",
)
WHOLE = "When did The Mothers of Invention disband?"


def configured(**settings):
    """The rewriter of these settings, without an index."""
    return Assistant(None, Config.of({"rewrite": settings})).rewriter


def line(*texts, id="a"):
    """A conversation as `anaphora rewrite` reads it: turns in alternation, the user's last."""
    first = len(texts) % 2
    turns = [
        {"role": "user" if (n + first) % 2 else "assistant", "text": text}
        for n, text in enumerate(texts)
    ]
    return json.dumps({"id": id, "turns": turns}, ensure_ascii=False)


@pytest.fixture
def toml(tmp_path):
    """Writes a file of settings: `toml(method="llm", …)`."""

    def write(**settings):
        path = tmp_path / "settings.toml"
        rows = (f"{key} = {json.dumps(value)}" for key, value in settings.items())
        path.write_text("\n".join(["[rewrite]", *rows]), "utf-8")
        return path

    return write


@pytest.fixture
def dead():
    """An address at which nobody answers."""
    with socket.socket() as taken:
        # Bound and never listening: nothing else can begin to answer there.
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.fixture
def rewrite(anaphora, tmp_path):
    """Runs `anaphora rewrite` without an index."""

    def run(config, *lines):
        options = ("--json", "--config", config, "--index", tmp_path / "none")
        return anaphora("rewrite", *options, stdin="\n".join(lines))

    return run


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"method": "none"}, NoRewriter),
        ({"method": "history"}, HistoryRewriter),
        ({"method": "context"}, ContextRewriter),
        ({"method": "pronouns"}, PronounRewriter),
        ({"method": "seq2seq", "model": "folder/of/mine"}, Seq2SeqRewriter),
        ({"method": "llm", "model": "m", "endpoint": "https://llm.example/v1"}, LLMRewriter),
        ({}, LinkingRewriter),
    ],
    ids=lambda value: value.get("method", "default") if isinstance(value, dict) else "",
)
def test_every_method_is_made(settings, kind):
    made = configured(**settings)
    if isinstance(made, FollowUpRewriter):
        made = made.rewriter
    assert type(made) is kind


def test_the_settings_reach_the_rewriter():
    checkpoint = configured(method="seq2seq", model="folder/of/mine")
    assert checkpoint.name == "folder/of/mine"
    settings = {
        "method": "llm",
        "model": "m",
        "endpoint": "http://localhost:8000/v1",
        "order": "oldest",
        "shots": 3,
        "timeout": 2,
        "parallel": 7,
    }
    asked = configured(**settings)
    assert (asked.model.model, asked.model.base_url) == ("m", "http://localhost:8000/v1")
    assert (asked.model.timeout, asked.parallel) == (2.0, 7)
    assert (asked.order, asked.shots) == ("oldest", 3)
    assert type(asked.fallback.rewriter) is LinkingRewriter


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "expansion"}, "needs an index"),
        ({"method": "llm", "model": "m", "endpoint": "localhost:8000/v1"}, "must be an address"),
        ({"method": "llm", "model": "m", "endpoint": "http://"}, "must be an address"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence(settings, said):
    with pytest.raises(UsageError, match=said) as caught:
        configured(**settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"method": "llm"}, "'rewrite.endpoint' and 'rewrite.model'"),
        ({"method": "llm", "model": "m", "endpoint": "localhost:8000"}, "must be an address"),
        ({"method": "seq2seq"}, "'rewrite.model'"),
        ({"method": "llm", "shots": 2}, "'rewrite.shots'"),
        ({"method": "llm", "parallel": 0}, "'rewrite.parallel'"),
        ({"method": "llm", "timeout": 0.0}, "'rewrite.timeout'"),
    ],
)
def test_the_command_line_says_what_is_missing(rewrite, toml, settings, said):
    ran = rewrite(toml(**settings), line(*ZAPPA))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


PRONOUNS = {
    "en": (*ZAPPA, WHOLE),
    "fr": (
        "Qui a écrit Germinal ?",
        "Un romancier.",
        "Quand est-il paru ?",
        "Quand Germinal est-il paru ?",
    ),
    "es": (
        "¿Quién era Miguel de Cervantes?",
        "Un escritor.",
        "¿Dónde nació él?",
        "¿Dónde nació Miguel de Cervantes?",
    ),
    "vi": (
        "Ai viết Truyện Kiều?",
        "Một nhà thơ.",
        "Nó có bao nhiêu câu?",
        "Truyện Kiều có bao nhiêu câu?",
    ),
    "zh": ("故宫是谁建的？", "明成祖朱棣。", "它在哪里？", "故宫在哪里？"),
    "ja": (
        "東京タワーはどこですか？",
        "港区です。",
        "それはいつ建てられましたか？",
        "東京タワーはいつ建てられましたか？",
    ),
    "ko": (
        "경복궁은 누가 지었나요?",
        "태조입니다.",
        "그것은 어디에 있나요?",
        "경복궁은 어디에 있나요?",
    ),
    "th": ("วัดพระแก้วอยู่ที่ไหน", "กรุงเทพฯ", "มันสร้างเมื่อไร", "วัดพระแก้วสร้างเมื่อไร"),
    "hi": ("ताजमहल किसने बनवाया?", "शाहजहाँ ने।", "वह कहाँ है?", "ताजमहल कहाँ है?"),
    "tr": ("Ayasofya nerede?", "İstanbul'da.", "Onu kim yaptırdı?", "Ayasofya'yı kim yaptırdı?"),
}


def test_pronouns_in_several_languages_through_the_command_line(rewrite, toml):
    lines = [line(*texts[:3], id=lang) for lang, texts in PRONOUNS.items()]
    ran = rewrite(toml(method="pronouns"), *lines)
    assert (ran.code, ran.err) == (0, "")
    assert {form["id"]: form["rewrite"] for form in ran.lines} == {
        lang: texts[3] for lang, texts in PRONOUNS.items()
    }
    for form in ran.lines:
        assert form["lang"] == form["id"]
        assert form["edits"]
        assert form["variants"] == [PRONOUNS[form["id"]][2]]


def test_an_llm_through_the_command_line(rewrite, toml, endpoint, monkeypatch):
    monkeypatch.setenv("ANAPHORA_API_KEY", "secret")
    texts = [["它", "故宫在哪里？"], ["طلابها", "كم عدد طلاب جامعة القاهرة؟"]]
    server = endpoint({"do": "repeat", "texts": texts})
    talks = [
        line(*PRONOUNS["zh"][:3], id="zh"),
        line("متى تأسست جامعة القاهرة؟", "عام 1908.", "كم عدد طلابها؟", id="ar"),
        line("Who led The Mothers?", id="first"),
    ]
    ran = rewrite(toml(method="llm", endpoint=server.url, model="m", shots=3), *talks)
    assert (ran.code, ran.err) == (0, "")
    answers = [text for _, text in texts]
    assert [form["rewrite"] for form in ran.lines] == [*answers, "Who led The Mothers?"]
    assert [form["edits"][0]["source_turn"] for form in ran.lines[:2]] == [0, 0]
    assert len(server.requests) == 2
    for request in server.requests:
        assert request["body"]["model"] == "m"
        assert request["headers"]["authorization"] == "Bearer secret"
        assert len(request["body"]["messages"]) == 2 * 3 + 1
    assert "secret" not in ran.out


def by_default(rewrite, toml, *lines):
    return [form["rewrite"] for form in rewrite(toml(), *lines).lines]


def test_when_the_endpoint_is_dead_the_default_rewriter_answers(rewrite, toml, dead):
    talks = [line(*ZAPPA), line(*PRONOUNS["zh"][:3])]
    expected = by_default(rewrite, toml, *talks)
    config = toml(method="llm", endpoint=dead, model="m", timeout=0.4)
    for talk, text in zip(talks, expected, strict=True):
        ran = rewrite(config, talk)
        assert ran.code == 0
        assert ran.json["rewrite"] == text != json.loads(talk)["turns"][-1]["text"]
        assert ran.json["confidence"] <= 0.5
        (said,) = ran.err.splitlines()
        assert dead in said
        assert said.endswith("; 1 of 1 questions were rewritten without the model")


def test_when_the_endpoint_is_slow_the_default_rewriter_answers(rewrite, toml, endpoint):
    server = endpoint({"do": "answer", "text": WHOLE, "after": 20})
    (expected,) = by_default(rewrite, toml, line(*ZAPPA))
    config = toml(method="llm", endpoint=server.url, model="m", timeout=0.5)
    ran = rewrite(config, line(*ZAPPA))
    assert (ran.code, ran.json["rewrite"]) == (0, expected)
    (said,) = ran.err.splitlines()
    assert "no answer within 0.5 seconds" in said


@pytest.fixture
def index(anaphora, tmp_path):
    (tmp_path / "boiler.md").write_text(
        "# Boiler\n\nThe boiler stands in the cellar. Ms Okafor installed the boiler in 2014.\n",
        "utf-8",
    )
    folder = tmp_path / "index"
    ran = anaphora("index", tmp_path / "boiler.md", "--lexical", "--index", folder)
    assert ran.code == 0, ran.err
    return folder


BOILER = ("Where does the boiler stand?", "In the cellar.", "Who installed it?")


def test_a_turn_with_a_dead_endpoint_is_answered(anaphora, toml, dead, index, tmp_path):
    history = tmp_path / "history.jsonl"
    turns = json.loads(line(*BOILER))["turns"]
    history.write_text("\n".join(map(json.dumps, turns[:-1])), "utf-8")
    config = toml(method="llm", endpoint=dead, model="m", timeout=0.4)
    options = ("--history", history, "--config", config, "--index", index, "--json")
    ran = anaphora("ask", BOILER[-1], *options)
    assert ran.code == 0
    assert "boiler" in ran.json["rewrite"]
    assert "Okafor" in ran.json["answer"]
    (said,) = ran.err.splitlines()
    assert dead in said


def test_rewriting_over_an_index_says_so_too(anaphora, toml, dead, index):
    config = toml(method="llm", endpoint=dead, model="m", timeout=0.4)
    options = ("--json", "--config", config, "--index", index)
    ran = anaphora("rewrite", *options, stdin=line(*BOILER))
    assert "boiler" in ran.json["rewrite"]
    (said,) = ran.err.splitlines()
    assert dead in said


def test_the_fallback_weighs_words_by_the_index(index):
    assistant = Assistant(
        open_index(index),
        Config.of({"rewrite": {"method": "llm", "endpoint": "http://localhost", "model": "m"}}),
    )
    talk = Conversation(tuple(Turn(**turn) for turn in json.loads(line(*BOILER))["turns"]))
    assert assistant.rewriter.fallback.rewrite([talk]) == (
        Assistant(assistant.index).rewriter.rewrite([talk])
    )
    assistant.index.close()


def test_measuring_says_that_an_endpoint_is_dead(anaphora, dead, tmp_path):
    data = tmp_path / "turns.jsonl"
    data.write_text(json.dumps({**json.loads(line(*ZAPPA)), "rewrite": WHOLE}), "utf-8")
    settings = f"rewrite.method=llm,rewrite.endpoint={dead},rewrite.model=m,rewrite.timeout=0.4"
    ran = anaphora("eval", "rewrite", data, "-p", f"llm: {settings}", "--out", tmp_path / "runs")
    assert ran.code == 0, ran.err
    assert [said for said in ran.err.splitlines() if dead in said]


def test_a_checkpoint_through_the_command_line(rewrite, toml, tmp_path):
    folder = tiny_seq2seq.make(tmp_path / "tiny", [*ZAPPA, "[CTX] [TURN]"])
    ran = rewrite(toml(method="seq2seq", model=str(folder)), line(*ZAPPA))
    assert ran.code == 0
    # A random model writes nothing that would be taken.
    assert (ran.json["rewrite"], ran.json["confidence"]) == (ZAPPA[-1], 0.0)
    assert f"loading {folder}" in ran.err


def test_a_checkpoint_that_cannot_be_loaded(rewrite, toml, tmp_path):
    (tmp_path / "empty").mkdir()
    ran = rewrite(toml(method="seq2seq", model=str(tmp_path / "empty")), line(*ZAPPA))
    assert (ran.code, ran.out) == (1, "")
    assert "Traceback" not in ran.err
    assert str(tmp_path / "empty") in ran.err.splitlines()[-1]


def test_linking_takes_weights_from_the_folder_that_is_named(tmp_path):
    from anaphora.rewrite.linking.model import SHIPPED

    missing = f"there are no weights of the rewriter in {tmp_path / 'none'}"
    with pytest.raises(ModelUnavailable, match=re.escape(missing)):
        configured(method="linking", model=str(tmp_path / "none"))
    own = shutil.copytree(SHIPPED, tmp_path / "weights")
    (own / "heads.npz").write_bytes(b"")
    with pytest.raises(ModelUnavailable, match="are damaged"):
        configured(method="linking", model=str(own))
