"""Page of the format of tools in Python, with the reference and the examples that language models receive."""

from __future__ import annotations

from reachy_agent_ros.tool_generation.write_tool import examples, reference
from scripts.reference_pages.markdown import page

_INTRODUCTION = """\
This page lists the functions and modules that a [tool in Python](../guides/writing_tools.md) can use and the rules for
its source, with complete examples and test cases. Language models get this text when they write a tool.
"""


def tool_format_page() -> str:
    """Returns the page of the tool format."""
    return page("Tool format", _INTRODUCTION, f"## Reference\n\n{reference()}", f"## Examples\n\n{examples()}")
