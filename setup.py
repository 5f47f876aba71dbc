"""The one compiled part: the postings kernel. Without a compiler its numpy twin does the same work."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "anaphora.index.local._kernel",
            ["src/anaphora/index/local/_kernel.c"],
            extra_compile_args=["-O3", "-fno-math-errno"],
            optional=True,
        )
    ]
)
