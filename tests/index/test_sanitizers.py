"""The C kernel under the address and undefined-behaviour sanitizers, on random input."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from anaphora.index import local

SUPPORT = Path(__file__).parents[1] / "support"
SOURCE = Path(local.__file__).with_name("_kernel.c")
CASES = 100


@pytest.fixture(scope="module")
def instrumented(tmp_path_factory):
    """The kernel's extension module with sanitizers, and their runtime libraries."""
    compiler = shutil.which("gcc")
    if sys.platform != "linux" or not compiler:
        pytest.skip("needs gcc on Linux")
    libraries = []
    for name in ("libasan.so", "libubsan.so"):
        asked = [compiler, f"-print-file-name={name}"]
        library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        if not os.path.isabs(library):
            pytest.skip(f"gcc has no {name}")
        libraries.append(library)
    built = tmp_path_factory.mktemp("kernel") / "_kernel.so"
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        pytest.skip("needs the header files of Python")
    sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    options = ["-shared", "-fPIC", "-O1", "-g", *sanitize, f"-I{include}"]
    subprocess.run([compiler, *options, str(SOURCE), "-o", str(built)], check=True)
    return built, libraries


def run(instrumented, command, *arguments):
    built, libraries = instrumented
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join(path for path in (str(SUPPORT), *sys.path) if path),
        "OPENBLAS_NUM_THREADS": "1",
    }
    return subprocess.run(
        [sys.executable, *command, str(built), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_random_input_gives_no_report_and_the_reference_results(instrumented):
    ran = run(instrumented, [str(SUPPORT / "fuzz_kernel.py")], str(CASES), "1")
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert int(ran.stdout) == 18 * CASES


def test_a_read_behind_the_end_is_reported(instrumented):
    # An offset behind the end of the terms shows that the sanitizer is active.
    code = (
        "import sys; from fuzz_kernel import load; import numpy as np;"
        "load(sys.argv[1]).find(b'abc', np.array([0, 200]), b'x' * 200)"
    )
    ran = run(instrumented, ["-c", code])
    assert ran.returncode != 0
    assert "AddressSanitizer" in ran.stderr
