"""Builds the compiled kernel of search. Without a compiler its reference in numpy is used."""

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
