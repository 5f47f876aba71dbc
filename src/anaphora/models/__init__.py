"""Models: pretrained weights, their conversion and cache, tokenizers, and chat endpoints."""
