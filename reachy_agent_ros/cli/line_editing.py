"""Line editing for `input`, with a persistent history and Tab completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LENGTH = 1000
"""Maximum number of lines in the history."""

Candidates = Callable[[str], list[str]]
"""Function that returns all possible last words of a line, given the line up to the cursor without its last word."""


@contextmanager
def line_editing(history: Path, candidates: Candidates) -> Iterator[None]:
    """Enables a history and Tab completion for `input` in a `with` block.

    Args:
        history: File of the history, created on first use. If it cannot be read, the history starts empty. If it cannot
            be written, an error is printed.
        candidates: Possible last words of a line.
    """
    import readline

    with suppress(OSError):
        readline.read_history_file(history)
    readline.set_history_length(LENGTH)
    readline.set_completer_delims(" ")
    readline.set_completer(_Completer(candidates).complete)
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)
        try:
            readline.write_history_file(history)
        except OSError as error:
            print(f"Cannot write {history}: {error.strerror}.", file=sys.stderr)


class _Completer:
    """Completer for readline, which calls `complete` once per match with increasing indexes."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._found: list[str] = []

    def complete(self, word: str, number: int) -> str | None:
        import readline

        if number == 0:
            begun = readline.get_line_buffer()[: readline.get_begidx()]
            self._found = matches(self._candidates(begun), word)
        return self._found[number] if number < len(self._found) else None


def matches(candidates: list[str], word: str) -> list[str]:
    """Returns the candidates that begin with a word, ignoring case. Appends a space if only one candidate matches."""
    found = sorted({one for one in candidates if one.casefold().startswith(word.casefold())})
    return [f"{found[0]} "] if len(found) == 1 else found
