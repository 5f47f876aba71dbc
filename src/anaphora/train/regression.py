"""Weighted logistic regression."""

from __future__ import annotations

import numpy as np

from anaphora.protocols import FloatArray

_STEPS = 50


def logistic_regression(
    x: FloatArray, y: FloatArray, weights: FloatArray, ridge: float, ridge_of_constant: float
) -> list[float]:
    """The constant and the coefficients [1 + k] for features x [n, k] and outcomes y [n] in 0..1,
    by Newton's method with an L2 penalty."""
    x = np.column_stack([np.ones(len(x)), x])
    penalty = np.diag([ridge_of_constant, *[ridge] * (x.shape[1] - 1)])
    found = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + penalty
        found = found + np.linalg.solve(hessian, x.T @ (weights * (y - p)) - penalty @ found)
    values: list[float] = found.tolist()
    return values
