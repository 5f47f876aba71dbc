"""Runs a compiled kernel on random input and compares it with the reference in numpy.

`fuzz_kernel.py KERNEL CASES SEED`, where KERNEL is the file of the extension module. It prints the
number of comparisons.
"""

import importlib.util
import sys
from dataclasses import replace

import numpy as np

NAME = "anaphora.index.local._kernel"


def load(path):
    spec = importlib.util.spec_from_file_location(NAME, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    import anaphora.index.local

    anaphora.index.local._kernel = module
    return module


def search(rng, kernel, postings_of, term_scores, modes):
    n = int(rng.choice([1, 2, 127, 128, 129, 300, 4096, 4097, 9000]))
    words = [f"w{number}" for number in range(int(rng.integers(1, 9)))]
    longest = int(rng.choice([0, 1, 3, 40]))
    texts = [rng.choice(words, rng.integers(0, longest + 1)).tolist() for _ in range(n)]
    postings, statistics, lengths = postings_of(texts)
    if rng.random() < 0.3:  # as in a segment with more than 65,536 codes
        wide = postings.codes.astype(np.uint32), postings.fronts.astype(np.uint32)
        postings = replace(postings, codes=wide[0], fronts=wide[1])
    live = (rng.random(n) < rng.choice([0, 0.1, 0.9])).astype(np.uint8)
    terms = len(postings.starts) - 1
    numbers = rng.permutation(terms)[: rng.integers(0, terms + 1)].tolist()
    df = np.diff(postings.starts)[numbers][:, np.newaxis]
    ttf = postings.ttf[numbers].astype(np.int64)[:, np.newaxis]
    mode = modes[rng.integers(len(modes))]
    frequencies = postings.code_tf.astype(np.int64)
    tables = term_scores(mode, statistics, df, ttf, frequencies, lengths).astype(np.float32)
    for alive in (None, live):
        for k in (1, 10, n + 5):
            for floor in (0.0, float(rng.random() * 3)):
                arguments = (postings, numbers, tables, alive, k, floor)
                ordinals, scores = kernel.search(*arguments)
                expected = kernel.search_numpy(*arguments)
                assert ordinals.tolist() == expected[0].tolist(), (n, numbers, mode, k, floor)
                assert scores.tolist() == expected[1].tolist()
    for number, term in enumerate(postings.terms()):
        assert postings.find(term) == number
        assert postings.find(term + b"x") == -1
    assert postings.find(b"") == -1
    return 12


def nearest(rng, kernel):
    n, d = int(rng.choice([0, 1, 2, 17, 300])), int(rng.choice([1, 2, 15, 16, 31, 384, 4096]))
    rows = rng.integers(-127, 128, (n, d)).astype(np.int8)
    factors = np.where(rng.random(n) < 0.9, rng.random(n), 0).astype(np.float32)
    query = rng.standard_normal(d).astype(np.float32)
    whole = np.rint(query * (min(8191, (2**31 - 1) // (128 * d)) / np.abs(query).max()))
    whole = whole.astype(np.int16)
    scale = 1 / (float(np.linalg.norm(whole.astype(np.float64))) or 1.0)
    live = (rng.random(n) < 0.7).astype(np.uint8)
    first, last = sorted(rng.integers(0, n + 1, 2).tolist())
    for alive in (None, live):
        for k in (1, 10, n + 5):
            _, scores = kernel.nearest(rows, factors, query, alive, first, last, k)
            _, expected = kernel.nearest_numpy(rows, factors, whole, scale, alive, first, last, k)
            np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-4)
    return 6


def main(path, cases, seed):
    load(path)
    from segments import make_segment, statistics

    from anaphora.index import BM25, LMDirichlet, LMJelinekMercer
    from anaphora.index.local import kernel
    from anaphora.index.local.similarity import term_scores

    assert kernel._kernel.__file__ == path
    modes = [BM25(), BM25(1.2, 0.75), LMDirichlet(), LMDirichlet(20), LMJelinekMercer(0.7)]

    def postings_of(texts):
        segment = make_segment(texts)
        return segment.postings, statistics([segment]), segment.code_length

    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(cases):
        compared += search(rng, kernel, postings_of, term_scores, modes)
        compared += nearest(rng, kernel)
    print(compared)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
