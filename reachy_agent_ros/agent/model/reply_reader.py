"""Reading the reply out of a JSON step while it is still being written, so that it can be spoken meanwhile."""

from __future__ import annotations

import json
import re

_BEGINNING = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"reply"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF_CHARACTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")


class ReplyReader:
    """Decodes the value of `"reply"`, where that is the first key of the object.

    Attributes:
        complete: Whether the reply's closing quote has come.
    """

    def __init__(self) -> None:
        self.complete = False
        self._inside = False
        self._rest = ""

    def feed(self, text: str) -> str:
        """Takes the next piece of the JSON text; returns what it adds to the reply."""
        if self.complete:
            return ""
        self._rest += text
        if not self._inside:
            beginning = _BEGINNING.match(self._rest)
            if beginning is None:
                return ""
            self._inside = True
            self._rest = self._rest[beginning.end() :]
        match = _WHOLE.match(self._rest)
        end = match.end() if match else 0
        self.complete = self._rest[end : end + 1] == '"'
        half = None if self.complete else _HALF_CHARACTER.search(self._rest, max(0, end - 6), end)
        end = half.start() if half else end
        ready, self._rest = self._rest[:end], self._rest[end:]
        return well_formed(json.loads(f'"{ready}"', strict=False))


def well_formed(text: str) -> str:
    """The text with lone surrogates replaced: JSON can hold them, but neither a message nor a database can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
