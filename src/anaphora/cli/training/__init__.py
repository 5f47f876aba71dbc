"""The commands that train the models that come with Anaphora."""

from __future__ import annotations

import typer

from anaphora.cli.training import (
    encoder,
    judge,
    reader,
    reranker,
    retriever,
    rewriter,
    seq2seq,
    support,
)

train = typer.Typer(
    help="Train the models that come with Anaphora, from public data sets and written text.",
    no_args_is_help=True,
)
for command in (
    rewriter.rewriter,
    judge.judge,
    support.support,
    encoder.encoder,
    seq2seq.seq2seq,
    reader.reader,
    retriever.retriever,
    reranker.reranker,
):
    train.command()(command)
