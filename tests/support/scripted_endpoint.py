"""A chat completions endpoint that does as it is told, run as a process of its own:

    python scripted_endpoint.py LOG '[{"do": "answer", "text": "…"}, …]'

Prints its port. Request n gets step n; those after the last step get the last one. Each request is
a line of LOG: its path, headers and body, and how many waited for their reply when it came.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

LOG = Path(sys.argv[1])
STEPS: list[dict[str, Any]] = json.loads(sys.argv[2])
LOCK = threading.Lock()
STATE = {"requests": 0, "under way": 0}


class Endpoint(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """The list of models, as the first step has it."""
        models = STEPS[0].get("models")
        if models is None or not self.path.endswith("/models"):
            self.reply(404, b"{}")
        else:
            self.reply(200, json.dumps({"object": "list", "data": models}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with LOCK:
            step = STEPS[min(STATE["requests"], len(STEPS) - 1)]
            STATE["requests"] += 1
            STATE["under way"] += 1
            headers = {name.lower(): value for name, value in self.headers.items()}
            record = {"path": self.path, "headers": headers, "body": body, **STATE}
            with LOG.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        time.sleep(step.get("after", 0))
        with LOCK:
            # Before the reply: the client may send its next request as soon as it has this one.
            STATE["under way"] -= 1
        # In some tests the client has given up.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            getattr(self, step["do"])(step, body)

    def answer(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": step["text"]}
        choice = {"index": 0, "message": message, "finish_reason": step.get("finish", "stop")}
        self.reply(200, json.dumps({"choices": [choice]}).encode())

    def repeat(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Answers by what is asked: the first text whose key stands in the last message."""
        asked = body["messages"][-1]["content"]
        self.answer({"text": next(text for key, text in step["texts"] if key in asked)}, body)

    def status(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        said = json.dumps({"error": {"message": step.get("message", "no")}}).encode()
        self.reply(step["code"], said, step.get("headers", {}))

    def strict(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Does not take the parameter named."""
        if step["without"] in body:
            self.status({"code": 400, "message": f"unknown: '{step['without']}'"}, body)
        else:
            self.answer(step, body)

    def stream(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Answers in parts, as server-sent events; a reply of JSON lines where "raw" has them."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for part in step["parts"]:
            delta = part if isinstance(part, dict) else {"content": part}
            self.event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            time.sleep(step.get("pause", 0))
        for line in step.get("raw", []):
            self.wfile.write(line.encode("latin-1"))
            self.wfile.flush()
        if step.get("stall"):
            time.sleep(step["stall"])
        if step.get("cut"):
            return
        finish = {"index": 0, "delta": {}, "finish_reason": step.get("finish", "stop")}
        usage = {"prompt_tokens": step.get("prompt_tokens", 900)}
        self.event({"choices": [finish], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def flood(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Sends the text again and again, `times` times."""
        self.stream({"parts": [step["text"]] * step["times"]}, body)

    def event(self, value: Any) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")
        self.wfile.flush()

    def choose(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Does the first of several steps whose key is in the last message."""
        asked = body["messages"][-1]["content"]
        chosen = next(one for key, one in step["steps"] if key in asked)
        getattr(self, chosen["do"])(chosen, body)

    def garbage(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        self.reply(200, step["text"].encode())

    def trickle(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Sends a byte now and then, for a good while."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(300):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def close(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        """Hangs up in the middle of an answer."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"choices": [')

    def hang_up(self, step: dict[str, Any], body: dict[str, Any]) -> None:
        self.close_connection = True

    def reply(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        server.daemon_threads = True
        print(server.server_port, flush=True)
        server.serve_forever()
