"""Sends generated requests to a server and checks every response against its OpenAPI document.

    python -m bench.api_fuzz --examples 250

The server holds the English guide. Schemathesis fails on a status of 5xx, on a status or a content
type that the document does not name, and on a body that does not fit its schema. With 250 examples
for each operation it sends over 10,000 requests. It is in the extra `clients`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from anaphora.ingest.update import update
from anaphora.retrieve.encoders import load_encoder
from anaphora.serve.settings import ServeSettings
from anaphora.serve.store.store import Store
from bench.api_fuzz_ids import ADDRESS, KEY
from tools.pages import GUIDE

SETTINGS = """
[serve]
folder = "{}"
requests_per_minute = 0
"""
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--examples", type=int, default=250, help="requests for each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression of addresses")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        update(folder / "guide", [GUIDE], load_encoder())
        settings = ServeSettings(folder=folder / "data")
        store = Store.open(settings)
        key = store.keys.add("fuzz", ["ask", "search", "ingest", "admin"])
        store.close()
        (folder / "settings.toml").write_text(SETTINGS.format(settings.folder), "utf-8")
        command = [sys.executable, "-m", "anaphora.cli", "serve", "--port", "0"]
        command += ["--index", str(folder / "guide"), "--config", str(folder / "settings.toml")]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
            try:
                return run(server, key, options)
            finally:
                server.terminate()
                server.wait()
                errors = [line for line in (folder / "log").open() if '"level": "error"' in line]
                print(f"{len(errors)} errors in the server's log")
                print("".join(dict.fromkeys(errors[:3])))


def run(server: subprocess.Popen[str], key: str, options: argparse.Namespace) -> int:
    assert server.stdout
    found = None
    while not found:
        found = re.search(r"(http://\S+)/start", server.stdout.readline())
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run"),
        f"{found[1]}/api/v1/openapi.json",
        *("--header", f"Authorization: Bearer {key}"),
        *("--checks", ",".join(CHECKS)),
        *("--max-examples", str(options.examples), "--seed", str(options.seed)),
        *("--phases", "examples,coverage,fuzzing", "--generation-database", "none"),
        *("--continue-on-failure", "--request-timeout", "120"),
        *("--suppress-health-check", "all"),
    ]
    if options.only:
        command += ["--include-path-regex", options.only]
    names = {ADDRESS: found[1], KEY: key, "SCHEMATHESIS_HOOKS": "bench.api_fuzz_ids"}
    return subprocess.run(command, check=False, env=os.environ | names).returncode


if __name__ == "__main__":
    raise SystemExit(main())
