"""The node-linking rewriter (dialogue-rag-node-linking §3.2) over the shared backbone."""
