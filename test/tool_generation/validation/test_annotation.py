import ast
import json
from typing import Any, Literal, Optional, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from reachy_agent_ros.core.arguments import WholeNumber
from reachy_agent_ros.tool_generation.validation.annotation import described_annotation, fits
from reachy_agent_ros.tool_generation.validation.program import type_of


def described(text: str) -> Any:
    return described_annotation(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", WholeNumber),
        ("float", float),
        ("typing.Any", Any),
        ("None", None),
        ("list", list[Any]),
        ("list[int]", list[WholeNumber]),
        ("List['float']", list[float]),
        ("'list[str]'", list[str]),
        ("dict[str, list[float]]", dict[str, list[float]]),
        ("Dict[str, Any]", dict[str, Any]),
        ("tuple[float, float]", tuple[float, float]),
        ("tuple[float, ...]", tuple[float, ...]),
        ("Optional[str]", Optional[str]),  # noqa: UP045 - what models write
        ("str | None", Optional[str]),  # noqa: UP045 - what models write
        ("typing.Union[str, float]", Union[str, float]),  # noqa: UP007 - what models write
        ("Literal['a', 2, True]", Literal["a", 2, True]),
        ("Sequence[float]", list[float]),
    ],
)
def test_converts_annotation_to_pydantic_type(text: str, expected: Any) -> None:
    description = described(text)
    assert json.loads(json.dumps(description)) == description
    found = type_of(description)
    assert (get_origin(found), get_args(found)) == (get_origin(expected), get_args(expected))


@pytest.mark.parametrize(
    "text",
    [
        "np.ndarray",
        "set[int]",
        "bytes",
        "dict[int, str]",
        "list[int, int]",
        "Callable",
        "print('x')",
        "'print('",
        "[int]",
        "int if x else str",
        "(lambda: int)()",
        "Literal[1.5]",
        "Literal[x]",
        "Optional[int, str]",
        "int & str",
        "''",
        "1",
        "__import__('os').system('ls')",
        "'exec(1)'",
        "f'int'",
        "list[__import__('os')]",
        "x[0]()",
        "Foo",
        "list[cache()]",
    ],
)
def test_rejects_unsupported_annotations(text: str) -> None:
    with pytest.raises(ValueError, match=r"use int, float|not a valid|a list must|keys of|Literal must|Optional takes"):
        described(text)


@pytest.mark.parametrize("description", [None, [], {}, "os", ["list"], ["literal"], ["union"], ["literal", [1]], 3])
def test_rejects_invalid_type_description(description: Any) -> None:
    with pytest.raises(ValueError, match="does not describe a type"):
        type_of(description)


PLAIN = st.sampled_from(["any", "bool", "float", "none", "str"]) | st.just(["literal", "a", 2, True])
DESCRIPTIONS = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["list", "dict", "tuple_of"]), inner).map(list),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: ["union", *parts]),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: ["tuple", *parts]),
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)


@pytest.mark.slow
@given(DESCRIPTIONS, VALUES)
def test_fits_function_agrees_with_pydantic_validation(description: Any, value: Any) -> None:
    adapter = TypeAdapter(type_of(description))
    try:
        adapter.validate_json(json.dumps(value), strict=True)
        accepted = True
    except ValidationError:
        accepted = False
    assert fits(value, description) == accepted


@pytest.mark.parametrize("value", ["a", 2, True])
def test_literal_annotation_accepts_only_listed_values(value: Any) -> None:
    assert fits(value, ["literal", "a", 2, True])
    assert not any(fits(other, ["literal", value]) for other in ("b", 3, False, 1, None))


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}])
def test_none_annotation_accepts_only_null(value: Any) -> None:
    assert fits(value, "none") is (value is None)


def test_invalid_type_description_accepts_no_value() -> None:
    assert not fits("os", "os")


def test_error_for_array_annotation_suggests_list() -> None:
    with pytest.raises(ValueError, match="arguments are passed as JSON: use list") as caught:
        described("np.ndarray")
    assert "ndarray is not a valid argument type" in str(caught.value)
    with pytest.raises(ValueError, match="bytes is not a valid argument type") as caught:
        described("bytes")
    assert "JSON" not in str(caught.value)
