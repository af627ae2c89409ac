import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError, VerificationStage
from support.tool_generation.validation_sources import HONEST, validate

PIECES = st.sampled_from(
    [
        "def f(",
        "):",
        "x",
        " = ",
        "1",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "\n",
        "\n    ",
        "lambda ",
        "import os",
        "class A:",
        "await ",
        "yield ",
        "return ",
        "f'{",
        "}'",
        "'",
        '"""',
        ".",
        "__class__",
        "@",
        "->",
        "match x:",
        "case ",
        "*",
        "**",
        "\\",
        "#",
        "async ",
        "-",
        "not ",
        "1e999",
        "0x",
        "\u0430",
        "\ufb01",
        "try:",
        "except ",
        "with ",
        "if ",
        "else:",
    ]
)


def verdict(text: str) -> Program | SourceRejectedError:
    try:
        return validate(text)
    except SourceRejectedError as rejection:
        return rejection


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_validator_reaches_verdict_on_arbitrary_text(text: str) -> None:
    found = verdict(text)
    assert found.stage is VerificationStage.SYNTAX if isinstance(found, SourceRejectedError) else found.name


@pytest.mark.slow
@given(st.integers(0, len(HONEST) - 1), st.data())
def test_validator_accepts_or_rejects_any_fragment_of_valid_tool(chosen: int, data: st.DataObject) -> None:
    source = HONEST[chosen]
    first, last = sorted(data.draw(st.tuples(st.integers(0, len(source)), st.integers(0, len(source)))))
    found = verdict(source[:first] + source[last:])
    assert found.complaints if isinstance(found, SourceRejectedError) else found.name
