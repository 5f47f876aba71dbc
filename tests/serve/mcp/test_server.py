"""The tools and resources, as the SDK's own client sees them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client as Agent
from mcp import MCPError
from support.serving import ANSWERS, NAMES, QUESTIONS

from anaphora.records import Passage
from anaphora.serve.mcp.server import Desk, create_server, document_uri, joined, parse_uri
from anaphora.serve.problems import Problem
from anaphora.serve.security.clients import SCOPES, Client

LOCAL = Client("local", frozenset(SCOPES))


@pytest.fixture
def talk(services) -> Callable[..., Any]:
    """Runs a conversation of an agent with a server in this process."""

    def run(conversation: Callable[[Agent], Awaitable[Any]], client: Client = LOCAL) -> Any:
        async def talking() -> Any:
            server = create_server(Desk(services.indexes, services.turns), client)
            async with Agent(server) as agent:
                try:
                    return await conversation(agent)
                except MCPError as error:
                    failure = error  # raised below, outside of the agent's task group
            raise failure

        return anyio.run(talking)

    return run


@pytest.fixture
def call(talk) -> Callable[..., Any]:
    """Calls one tool."""

    def run(name: str, client: Client = LOCAL, **arguments: Any) -> Any:
        return talk(lambda agent: agent.call_tool(name, arguments), client)

    return run


def check_failure(result, words):
    assert result.is_error
    (content,) = result.content
    assert words in content.text
    assert "\n" not in content.text


def test_each_tool_is_described_with_its_arguments_and_its_result(talk):
    tools = {tool.name: tool for tool in talk(lambda agent: agent.list_tools()).tools}
    assert set(tools) == {"search", "ask", "read_passage"}
    for tool in tools.values():
        assert tool.description
        assert tool.annotations.read_only_hint
        assert tool.output_schema["type"] == "object"
    arguments = tools["ask"].input_schema
    assert arguments["required"] == ["question"]
    assert set(arguments["properties"]) == {"question", "history", "lang", "index"}


@pytest.mark.parametrize("lang", QUESTIONS)
def test_ask_cites_its_sources_in_every_script(call, services, lang):
    result = call("ask", question=QUESTIONS[lang])
    answer = result.structured_content
    assert json.loads(result.content[0].text) == answer
    assert ANSWERS[lang] in answer["answer"]
    assert (answer["lang"], answer["abstained"]) == (lang, False)
    assert [one["number"] for one in answer["citations"]] == [
        number for number in range(1, 9) if f"[{number}]" in answer["answer"]
    ]
    with services.indexes.use() as assistant:
        for cited in answer["citations"]:
            (passage,) = assistant.index.passages([cited["passage_id"]]).values()
            assert passage.text[cited["start"] : cited["end"]] == cited["quote"]
            assert (cited["doc_id"], cited["title"]) == (passage.doc_id, passage.heading)
            assert parse_uri(cited["uri"]) == ("harbour", passage.doc_id)


def test_a_follow_up_is_understood_by_the_history_that_is_given(call):
    history = [
        {"role": "user", "text": "When does the last ferry leave in winter?"},
        {"role": "assistant", "text": "From November to March the last ferry leaves at 16:30."},
    ]
    answer = call("ask", question="And in summer?", history=history).structured_content
    assert "21:15" in answer["answer"]
    assert "ferry" in answer["rewrite"]


def test_an_abstention_says_so_and_names_the_nearest_sections(call):
    answer = call("ask", question="How tall is the Eiffel tower?").structured_content
    assert answer["abstained"]
    assert answer["citations"]


@pytest.mark.parametrize("lang", NAMES)
def test_a_hit_can_be_read_by_its_id_and_its_document_as_a_resource(talk, lang):
    name = NAMES[lang]

    async def read(agent):
        found = await agent.call_tool("search", {"query": name.removesuffix(".md"), "k": 50})
        hit = next(one for one in found.structured_content["hits"] if one["doc_id"].endswith(name))
        passage = await agent.call_tool("read_passage", {"passage_id": hit["passage_id"]})
        document = await agent.read_resource(hit["uri"])
        return hit, passage.structured_content, document.contents[0]

    hit, passage, document = talk(read)
    assert passage["text"] == hit["text"]
    assert hit["text"] in document.text
    assert document.mime_type == "text/plain"


def test_a_passage_names_those_before_and_after_it(call):
    (hit,) = call("search", query="day ticket for the ferry", k=1).structured_content["hits"]
    passage = call("read_passage", passage_id=hit["passage_id"]).structured_content
    before = call("read_passage", passage_id=passage["before"]).structured_content
    after = call("read_passage", passage_id=passage["after"]).structured_content
    assert before["end"] <= passage["start"] < passage["end"] <= after["start"]
    assert (before["after"], after["before"]) == (passage["passage_id"],) * 2


def test_every_document_is_a_resource(talk, services):
    resources = talk(lambda agent: agent.list_resources()).resources
    with services.indexes.use() as assistant:
        documents = assistant.index.documents()
    assert [parse_uri(str(one.uri)) for one in resources] == [
        ("harbour", one.doc_id) for one in documents
    ]
    (template,) = talk(lambda agent: agent.list_resource_templates()).resource_templates
    assert template.uri_template == "anaphora://documents/{index}/{doc_id}"


def test_the_list_of_documents_continues_from_index_to_index(talk, services, shared_index):
    folders = {"harbour": shared_index, "second": shared_index}
    services.indexes.change(folders, services.indexes.configs)

    async def pages(agent):
        first = await agent.list_resources()
        second = await agent.list_resources(cursor=first.next_cursor)
        return first.resources, second.resources, second.next_cursor

    first, second, end = talk(pages)
    assert [parse_uri(str(one.uri))[0] for one in (first[0], second[0])] == ["harbour", "second"]
    assert (len(first), end) == (len(second), None)
    (tool, *_) = talk(lambda agent: agent.list_tools()).tools
    assert "The indexes are harbour, second." in tool.description


def test_wrong_arguments_are_one_sentence(call):
    check_failure(call("ask"), "'question'")
    check_failure(call("ask", question=""), "'question'")
    check_failure(call("ask", question="?", lang="klingon"), "'klingon' is not a language code")
    check_failure(call("ask", question="?", index="harbor"), "there is no index 'harbor'")
    check_failure(call("ask", question="?", history=[{"role": "x", "text": ""}]), "history.0.role")
    check_failure(call("search", query="x", k=51), "'k'")
    check_failure(call("search", query="x", path="/etc/passwd"), "'path'")
    check_failure(call("read_passage", passage_id="no#1"), "holds no passage 'no#1'")


def test_a_resource_that_does_not_exist_is_an_error_of_the_protocol(talk):
    for uri in (document_uri("harbour", "../../etc/passwd"), "file:///etc/passwd", "anaphora://x"):
        with pytest.raises(MCPError, match=r"there is no resource|holds no document"):
            talk(lambda agent, uri=uri: agent.read_resource(uri))


def test_an_unknown_tool_is_an_error_of_the_protocol(call):
    with pytest.raises(MCPError, match="there is no tool 'rm'"):
        call("rm")


def test_a_key_may_do_what_its_scopes_say(call, talk):
    asking = Client("7", frozenset({"ask"}))
    assert not call("ask", asking, question=QUESTIONS["zh"]).is_error
    check_failure(call("search", asking, query="ferry"), "lacks the scope 'search'")
    with pytest.raises(MCPError, match="lacks the scope"):
        talk(lambda agent: agent.list_resources(), asking)
    searching = Client("8", frozenset({"search"}))
    check_failure(call("ask", searching, question="?"), "lacks the scope 'ask'")


def test_an_address_names_an_index_and_a_document():
    for doc_id in NAMES.values():
        assert parse_uri(document_uri("bến tàu/1", f"a b/{doc_id}?x#1")) == (
            "bến tàu/1",
            f"a b/{doc_id}?x#1",
        )
    assert parse_uri("anaphora://documents/harbour/docs/a.md") == ("harbour", "docs/a.md")
    for uri in ("anaphora://documents/harbour", "anaphora://documents/harbour/", "http://x/y"):
        with pytest.raises(Problem, match="there is no resource"):
            parse_uri(uri)


def test_passages_are_joined_with_the_space_that_was_between_them():
    def passage(text, start):
        return Passage(str(start), "a", "A", text, "en", (), start, start + len(text))

    assert joined([passage("One.", 3), passage("Two.", 8), passage("Three.", 20)]) == (
        "One. Two.\n\nThree."
    )


def test_the_figures_name_its_route(client):
    client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert 'route="/mcp"' in client.get("/metrics").text
