from __future__ import annotations

import ast

import pytest

from corpus.honest_tools import HonestTool, honest_tools
from reachy_agent_ros.tool_generation.line_breaks import with_line_breaks


@pytest.mark.parametrize("tool", honest_tools(), ids=lambda tool: tool.name)
def test_valid_source_stays_unchanged(tool: HonestTool) -> None:
    assert with_line_breaks(tool.source) == tool.source


@pytest.mark.parametrize("tool", honest_tools(), ids=lambda tool: tool.name)
def test_restores_source_whose_line_breaks_are_escaped(tool: HonestTool) -> None:
    meant = ast.unparse(ast.parse(tool.source))  # without comments, which only a line break ends
    if "\\" not in meant:
        assert ast.dump(ast.parse(with_line_breaks(meant.replace("\n", "\\n")))) == ast.dump(ast.parse(meant))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("return {}\n\\n   ", "return {}\n\n   "),
        ('say("a\\nb")\\n', 'say("a\\nb")\n'),
        (r"""x = '\'\n'\n""", "x = '\\'\\n'\n"),
        ("x = 1  # not \\n\n", "x = 1  # not \\n\n"),
        ('"""open\\n', '"""open\n'),
        ("x = 1 \\\n + 2", "x = 1 \\\n + 2"),
        ("", ""),
    ],
)
def test_only_outside_of_texts_and_comments(written: str, meant: str) -> None:
    assert with_line_breaks(written) == meant
