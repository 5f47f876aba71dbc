"""The page on clients: what it says to run works with a server over the guide."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import anyio
import pytest

pytest.importorskip("uvicorn")

from support.server import served

from tools.pages import GUIDE, blocks, table

BLOCKS = {block.kind: block.text for block in blocks(GUIDE / "clients.md")}


def test_an_agent_starts_the_command_of_the_example(place):
    mcp = pytest.importorskip("mcp")
    described = json.loads(BLOCKS["json"])["mcpServers"]["documents"]
    assert described["command"] == "anaphora"
    command = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "anaphora.cli", *described["args"]],
        env=dict(os.environ),
        cwd=str(place),
    )

    async def talk():
        async with mcp.Client(command) as agent:
            tools = await agent.list_tools()
            answer = await agent.call_tool("ask", {"question": "How do I check an index?"})
            return tools.tools, answer.structured_content

    tools, answer = anyio.run(talk)
    assert [tool.name for tool in tools] == list(table(GUIDE / "clients.md", "Agents"))
    assert "anaphora index verify" in answer["answer"]


def test_the_program_and_the_commands_of_the_page_run(place, tmp_path):
    pytest.importorskip("openai")
    pytest.importorskip("llm")

    def here(text: str) -> str:
        return text.replace("http://127.0.0.1:8765", server.address).replace("KEY", server.key)

    def run(*command: str, **environment: str) -> str:
        ran = subprocess.run(
            [sys.executable, *command],
            env={**os.environ, "NO_PROXY": "*", **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    with served([], place) as server:
        program = tmp_path / "ask.py"
        program.write_text(here(BLOCKS["python"]), "utf-8")
        printed = run(str(program))
        assert "anaphora index verify" in printed
        assert f"{server.address}/source?index=anaphora&passage=docs" in printed

        (tmp_path / "extra-openai-models.yaml").write_text(here(BLOCKS["yaml"]), "utf-8")
        for line in BLOCKS["sh"].split("\n"):
            program, *words = shlex.split(line)
            assert program == "llm"
            if words[:2] == ["keys", "set"]:
                words += ["--value", server.key]
            printed = run("-m", "llm", *words, LLM_USER_PATH=str(tmp_path))
        assert "anaphora index repair" in printed
