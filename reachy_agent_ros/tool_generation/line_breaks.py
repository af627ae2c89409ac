"""A source that was escaped once too often: a text in a text, as a model writes it in the arguments of a call."""

from __future__ import annotations

import re

_TEXTS = r'"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_PARTS = re.compile(rf"(?P<kept>{_TEXTS}|#[^\n]*)|\\n", re.DOTALL)


def with_line_breaks(source: str) -> str:
    r"""The source with a line break where it has a backslash and an `n` outside of its texts and comments.

    There these two characters are no Python, and can mean nothing else. A small model writes them, and does so again
    when it is told of it.
    """
    return _PARTS.sub(lambda part: part["kept"] or "\n", source)
