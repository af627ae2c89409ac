from __future__ import annotations

import datetime
import json
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.guest.execution import plain
from reachy_agent_ros.tool_generation.guest.reachy_agent import AwaitableDict, AwaitableText

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_result_conversion_does_not_change_json_values(value: Any) -> None:
    assert plain(value) == value
    json.dumps(plain(value), allow_nan=False)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.arange(3), [0, 1, 2]),
        (np.eye(2), [[1.0, 0.0], [0.0, 1.0]]),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array(7), 7),
        ((1, (2.0,)), [1, [2.0]]),
        (AwaitableDict(a=AwaitableText("b")), {"a": "b"}),
    ],
)
def test_result_conversion_converts_numpy_values_and_tuples(value: Any, expected: Any) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def deep(levels: int) -> dict[str, Any]:
    return {"a": deep(levels - 1)} if levels else {}


@pytest.mark.parametrize(
    ("value", "kind", "hint"),
    [
        ({"a": {1, 2}}, TypeError, r"result\['a'\] is a set, which is not a JSON value: make it a sorted list"),
        ({"a": [float("nan")]}, ValueError, r"result\['a'\]\[0\] is nan: numbers must be finite"),
        ({"a": np.array([1.0, np.inf])}, ValueError, r"result\['a'\]\[1\] is inf"),
        ({1: 2}, TypeError, "has the key 1: keys must be strings"),
        ({"a": b"x"}, TypeError, "decode it"),
        ({"a": datetime.date(2026, 1, 1)}, TypeError, "isoformat"),
        ({"a": Decimal(1)}, TypeError, "float"),
        ({"a": 1j}, TypeError, "return numbers, strings, lists and dicts"),
        ({"a": "\ud800"}, ValueError, "half a character"),
        (deep(100), ValueError, "nested more than"),
    ],
)
def test_error_for_value_that_json_cannot_represent_states_remedy(value: Any, kind: type[Exception], hint: str) -> None:
    with pytest.raises(kind, match=hint):
        plain(value)


def test_result_conversion_rejects_recursive_list() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested"):
        plain(endless)
