"""The node-linking rewriter of Li et al., "Dialogue-RAG: Enhancing Retrieval for LLMs via
Node-Linking Utterance Rewriting", on one data set, with any encoder and the probing features.

`python -m research.node_linking SET OUT` trains and reports; the figures are in
docs/models/linking-research.md.
"""
