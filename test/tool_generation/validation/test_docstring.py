import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.validation.docstring import read_docstring

WHOLE = """Count the cups
    in view.

    A second paragraph: with a colon.

    Args:
        speak (bool): Whether to say it,
            which takes a second.
        x, y: Where: in metres.
        `label`: What to count.

    Returns:
        dict: {"count": int}

    Raises:
        ValueError: Never.
    """


def test_docstring_parser_parses_all_sections() -> None:
    docstring = read_docstring(WHOLE)
    assert docstring.summary == "Count the cups in view."
    assert docstring.arguments == {
        "speak": "Whether to say it, which takes a second.",
        "x": "Where: in metres.",
        "y": "Where: in metres.",
        "label": "What to count.",
    }
    assert docstring.returns == 'dict: {"count": int}'
    assert not docstring.brief


def test_docstring_with_single_paragraph_becomes_summary() -> None:
    assert read_docstring("Count\n    the cups.").brief
    assert not read_docstring("Count.\n\n    More.").brief
    assert not read_docstring("Count.\n\n    Returns: it").brief


def test_docstring_section_can_start_on_line_of_its_heading() -> None:
    assert read_docstring("Count.\n\nReturns: the count\n    of cups.").returns == "the count of cups."


@pytest.mark.parametrize("nasty", [" ", "x ", "x, ", "(", "x (", "`", ":", "a:", "x\u00a0"])
def test_docstring_parser_parses_long_lines_quickly(nasty: str) -> None:
    assert read_docstring(f"Count.\n\nArgs:\n    x{nasty * 10_000}-\n").summary == "Count."


@given(st.text() | st.text(alphabet="Args:Returns \n\tx,()`*"))
def test_docstring_parser_accepts_any_text(text: str) -> None:
    docstring = read_docstring(text)
    assert "\n" not in docstring.summary + docstring.returns
