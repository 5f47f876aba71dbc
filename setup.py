"""The one compiled part, the kernel of search; without a compiler its numpy twin does its work."""

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
