from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.verification.dry_run import difference, is_kind_of

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=8
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)


@pytest.mark.slow
@given(JSON)
def test_every_tool_result_matches_itself(value: Any) -> None:
    assert difference(value, value) is None


@pytest.mark.slow
@given(OBJECTS.filter(bool), OBJECTS)
def test_result_matches_with_additional_keys_but_not_with_missing_keys(
    expected: dict[str, Any], more: dict[str, Any]
) -> None:
    assert difference(expected, {**more, **expected}) is None
    missing = next(iter(expected))
    found = difference(expected, {key: value for key, value in expected.items() if key != missing})
    assert found is not None
    assert "is missing" in found


@pytest.mark.parametrize(
    ("expected", "got", "message"),
    [
        ({"n": 1}, {"n": True}, 'result["n"]: expected a number, 1, got a boolean, true'),
        ({"ok": True}, {"ok": 1}, 'result["ok"]: expected a boolean, true, got a number, 1'),
        ({"n": 5}, {"n": "5"}, 'result["n"]: expected a number, 5, got a text, "5"'),
        ({"a": [{"x": 1}]}, {"a": [{"x": 2}]}, 'result["a"][0]["x"]: expected 1, got 2'),
        ({"a": [1, 2]}, {"a": [1]}, 'result["a"]: expected 2 items, [1, 2], got 1, [1]'),
        ({"a": None}, {"a": 0}, 'result["a"]: expected null, null, got a number, 0'),
        ({"x": 1}, {"y": 1}, "result[\"x\"] is missing; found keys: 'y'"),
        ({"x": 1}, {}, 'result["x"] is missing; found keys: none'),
        ({"x": 100.0}, {"x": 100.01}, 'result["x"]: expected 100.0, got 100.01'),
        (5, {"x": 5}, 'result: expected a number, 5, got an object, {"x": 5}'),
    ],
)
def test_result_difference_states_location(expected: Any, got: Any, message: str) -> None:
    assert difference(expected, got) == message


@pytest.mark.parametrize(("expected", "got"), [(5, 5.0), (0.0, 1.2e-16), (1e9, 1e9 + 1.0), (0.1 + 0.2, 0.3), (0, -0.0)])
def test_numbers_in_results_match_within_tolerance(expected: float, got: float) -> None:
    assert difference({"x": expected}, {"x": got}) is None


@pytest.mark.parametrize(
    ("raised", "wanted", "is_one"),
    [
        ("ValueError", "ValueError", True),
        ("KeyError", "LookupError", True),
        ("ConnectionError", "OSError", True),
        ("HTTPError", "HTTPError", True),
        ("AnythingElse", "Exception", True),
        ("ValueError", "TypeError", False),
        ("Exception", "ValueError", False),
        ("", "Exception", False),
        ("print", "ValueError", False),
        ("int", "len", False),
    ],
)
def test_exception_matches_name_of_its_type_and_base_classes(raised: str, wanted: str, is_one: bool) -> None:
    assert is_kind_of(raised, wanted) is is_one
