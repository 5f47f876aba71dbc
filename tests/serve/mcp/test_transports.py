"""Both transports, with a server in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import anyio
import pytest

pytest.importorskip("mcp")

import httpx2
from mcp import Client as Agent
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from support.server import served
from support.serving import ANSWERS, QUESTIONS

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n'
)


async def check_answers(agent):
    for lang in ("zh", "ar", "th"):
        result = await agent.call_tool("ask", {"question": QUESTIONS[lang]})
        assert ANSWERS[lang] in result.structured_content["answer"]
    found = await agent.call_tool("search", {"query": "ferry", "k": 0})
    assert found.is_error


def test_over_standard_input_and_output(shared_index):
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "anaphora.cli", "mcp", "--index", str(shared_index)],
        env=dict(os.environ),
    )

    async def talk():
        async with Agent(command) as agent:
            assert agent.server_info.name == "anaphora"
            await check_answers(agent)

    anyio.run(talk)


def test_over_http_with_a_key(shared_index, tmp_path):
    async def talk(server, mode):
        headers = {"Authorization": f"Bearer {server.key}"}
        async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
            transport = streamable_http_client(f"{server.address}/mcp", http_client=http)
            async with Agent(transport, mode=mode) as agent:
                await check_answers(agent)

    with served(["--index", str(shared_index)], tmp_path) as server:
        anyio.run(talk, server, "auto")
        anyio.run(talk, server, "legacy")
        code, err = server.stop()
        assert code == 0
        assert {json.loads(line)["level"] for line in err.splitlines()} == {"info"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer nothing"}, 401),
        ({"Host": "attacker.example"}, 421),
    ],
    ids=["no key", "wrong key", "another host"],
)
def test_over_http_a_stranger_is_refused(stranger, headers, status):
    response = stranger.post("/mcp", content=INITIALIZE, headers=headers)
    assert response.status_code == status
    assert response.json()["detail"]


def test_standard_output_holds_nothing_but_the_protocol(shared_index):
    ran = subprocess.run(
        [sys.executable, "-m", "anaphora.cli", "mcp", "--index", str(shared_index)],
        input=b"what?\n" + INITIALIZE,
        capture_output=True,
        check=True,
    )
    lines = ran.stdout.decode().splitlines()
    assert all(line.startswith('{"jsonrpc":"2.0"') for line in lines)
    assert any('"serverInfo"' in line for line in lines)


def test_without_an_index_there_is_one_line_and_no_protocol(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "anaphora.cli", "mcp", "--index", str(tmp_path / "none")],
        input=INITIALIZE,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode().startswith("anaphora: there is no index in ")
