"""GELU against the error function of the standard library."""

from math import erf, sqrt

import numpy as np

from plcfrs.networks.kernel import gelu


def test_gelu():
    rows = np.linspace(-12, 12, 600, dtype=np.float32).reshape(100, 6)
    expected = [x / 2 * (1 + erf(x / sqrt(2))) for x in rows.ravel().tolist()]
    gelu(rows)
    np.testing.assert_allclose(rows.ravel(), expected, atol=2e-6)
