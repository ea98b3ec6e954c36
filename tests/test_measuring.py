"""Memory of a call: what the number is."""

import torch

from helpers import measuring


def test_the_peak_counts_what_lives_at_one_time():
    def one_after_the_other():
        torch.zeros(1000)
        torch.zeros(1000)
        return torch.zeros(250)

    def together():
        first, second = torch.zeros(1000), torch.zeros(1000)
        return first[:250] + second[:250]

    assert measuring.peak_bytes(one_after_the_other) <= 1.1 * 4000
    assert measuring.peak_bytes(together) == 2 * 4000 + 1000
    assert measuring.peak_bytes(lambda: torch.zeros(500).reshape(5, 100)) == 2000
