"""The linker as the papers study it: on one data set, with any encoder, with and without probes.

`python -m anaphora.train.linking SET OUT` trains and reports; nothing of it is shipped.
"""
