import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.storage.packed_arrays import read_arrays


def packed(**arrays: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


WHOLE = packed(weights=np.arange(6.0).reshape(2, 3), seed=np.arange(3))


def test_packed_arrays_are_read_by_name() -> None:
    found = read_arrays(WHOLE)
    assert list(found) == ["weights", "seed"]
    assert np.array_equal(found["weights"], np.arange(6.0).reshape(2, 3))


def test_rejects_file_with_single_unnamed_array() -> None:
    content = io.BytesIO()
    np.save(content, np.arange(3))
    with pytest.raises(ValueError, match="does not hold arrays"):
        read_arrays(content.getvalue())


def test_rejects_pickled_objects() -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        read_arrays(packed(thing=np.array([object()], dtype=object)))


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), st.integers(0, len(WHOLE)))
def test_corrupt_or_truncated_file_is_read_or_raises_value_error(place: int, value: int, length: int) -> None:
    content = bytearray(WHOLE)
    content[place] = value
    try:
        found = read_arrays(bytes(content[:length]))
    except ValueError:
        return
    assert all(isinstance(array, np.ndarray) for array in found.values())
