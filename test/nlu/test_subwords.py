"""Tests of the parts that small networks share."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.nlu.subwords import BUCKETS, GatedRecurrentUnit, parts_of


@given(st.integers(1, 9), st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**31))
@settings(deadline=None)
def test_recurrent_unit_computes_states_of_torch(length: int, width: int, size: int, seed: int) -> None:
    torch.manual_seed(seed)
    layer = torch.nn.GRU(width, size, batch_first=True, bidirectional=True)
    inputs = torch.randn(1, length, width)
    weights = {f"gru.{name}": value.detach().numpy() for name, value in layer.named_parameters()}
    with torch.no_grad():
        expected = layer(inputs)[0][0].numpy()
    read = inputs.numpy().transpose(1, 0, 2)
    states = GatedRecurrentUnit(weights, "gru").states(read, np.ones((length, 1, 1), np.float32))
    np.testing.assert_allclose(states[:, 0], expected, atol=1e-5)


@given(st.text(max_size=60))
def test_bucket_numbers_of_any_word_are_within_table(word: str) -> None:
    assert all(0 <= part < BUCKETS for part in parts_of(word))
