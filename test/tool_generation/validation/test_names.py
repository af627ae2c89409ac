import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.validation.names import require_free_name, skeleton

TAKEN = ("take_photo", "move_head", "speak", "look_at", "turn_step_1")


def refusal(name: str) -> str:
    with pytest.raises(AgentError) as caught:
        require_free_name(name, TAKEN)
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    return caught.value.message


@pytest.mark.parametrize(
    "name", ["count_cups", "take_photos", "turn_step_11", "turn_step_2", "look_up", "a1b", "x" * 41]
)
def test_accepts_unused_tool_name(name: str) -> None:
    require_free_name(name, TAKEN)
    with pytest.raises(AgentError, match="there is already a tool"):
        require_free_name(name, [*TAKEN, name])


@pytest.mark.parametrize(
    "name",
    ["", "ab", "x" * 42, "1st", "_hidden", "Nod", "nod-twice", "nod twice", "../nod", "nod/twice", "nod\n", "n\u043ed",
     "\uff4eod", "nod\x00", "nod.py", "con:", "..."],
)  # fmt: skip
def test_error_for_invalid_tool_name_states_naming_rule(name: str) -> None:
    assert "3 to 41 characters (a to z" in refusal(name)


@pytest.mark.parametrize(
    "name", ["print", "match", "lambda", "open", "type", "async", "exec", "numpy", "random", "reachy_mini"]
)
def test_rejects_tool_name_reserved_in_python(name: str) -> None:
    assert "already has a meaning in Python" in refusal(name)


@pytest.mark.parametrize("name", ["take_photo", "speak", "say", "analyze_scene"])
def test_rejects_tool_name_of_existing_tool(name: str) -> None:
    assert f"there is already a tool {name}" in refusal(name)


@pytest.mark.parametrize(
    "name",
    ["takephoto", "take__photo", "take_photo_", "take_phot0", "t4ke_photo", "takke_photo", "take_photoo", "rnove_head",
     "move_h3ad", "speeak", "look_att", "l00k_at", "iook_at", "say_"],
)  # fmt: skip
def test_rejects_tool_name_that_resembles_existing_tool(name: str) -> None:
    assert "looks like the tool" in refusal(name)


@pytest.mark.slow
@given(st.from_regex(r"[a-z][a-z0-9_]{2,40}", fullmatch=True))
def test_tool_name_comparison_ignores_underscores_and_doubled_letters(name: str) -> None:
    assert skeleton(name) == skeleton(name.replace("_", "__")) == skeleton(f"{name}_")
    assert skeleton(name) == skeleton(name[0] + name)


@given(st.text(max_size=50))
def test_any_text_is_accepted_or_rejected_as_tool_name(name: str) -> None:
    try:
        require_free_name(name, TAKEN)
    except AgentError:
        return
    assert name.isascii()
    assert name.isidentifier()
