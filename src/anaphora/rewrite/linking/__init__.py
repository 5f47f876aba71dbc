"""The node-linking rewriter over the shared encoder layers: Li et al. (2025), "Dialogue-RAG:
Enhancing Retrieval for LLMs via Node-Linking Utterance Rewriting", section 3.2."""
