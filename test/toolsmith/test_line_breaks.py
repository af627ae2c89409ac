from __future__ import annotations

import ast
from pathlib import Path

import pytest

from reachy_agent_ros.toolsmith.line_breaks import with_line_breaks

SOURCES = sorted(Path(__file__).parents[2].joinpath("bench", "legitimate_tools").glob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_what_is_python_stays_as_it_is(path: Path) -> None:
    source = path.read_text()
    assert with_line_breaks(source) == source


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_source_without_a_single_line_break_is_what_it_was_meant_to_be(path: Path) -> None:
    meant = ast.unparse(ast.parse(path.read_text()))  # without comments, which nothing ends then
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
