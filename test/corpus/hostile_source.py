"""The sources of `hostile_tools/`, and how each of them is made complete.

A source begins with what is to be known of it, one comment a line: `# contained` where the box, the broker or the case
bound what it does, so that to accept it is no mistake; `# must fail` where even without a validator no run of it may
pass; `# twice` where the second run is the attack; `# dangerous` where it may not run in a lax box; `# expect {...}`
where its case expects another result than the usual one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.toolsmith.limits import MEBIBYTE, Limits

FOLDER = Path(__file__).with_name("hostile_tools")

ANSWER = {"answer": 42}
"""What the case of a hostile tool expects; many return it, so that nothing but the attack speaks against them."""

DEPTH = 100_000

_MARKS = re.compile(r"# (contained|must fail|twice|dangerous|expect (?P<expected>.*))\n")
_FUNCTION = re.compile(r"^(?:async )?def ([^\W_]\w*)", re.MULTILINE)
_LIMIT = re.compile(r"^(TIME_LIMIT_S|MEMORY_MB) = ([\d.]+)$", re.MULTILINE)


@dataclass(frozen=True)
class HostileSource:
    """One hostile tool.

    Attributes:
        name: Of its file; begins with its class.
        text: Of its file, with words in place of canaries.
        marks: What is to be known of it.
        expect: Of its case.
    """

    name: str
    text: str
    marks: frozenset[str]
    expect: Any

    @property
    def kind(self) -> str:
        """Class of attack."""
        return self.name.partition("_")[0]

    @property
    def function(self) -> str:
        """The function to call where no validator says which."""
        found = _FUNCTION.findall(self.text)
        return found[-1] if found else self.name

    @property
    def limits(self) -> Limits:
        """What it asks for, where no validator says so."""
        asked = {name: float(value) for name, value in _LIMIT.findall(self.text)}
        time = asked.get("TIME_LIMIT_S", Limits().time)
        memory = int(asked.get("MEMORY_MB", Limits().memory / MEBIBYTE)) * MEBIBYTE
        try:
            return Limits(time, memory)
        except ValueError:
            return Limits()

    def filled(self, canaries: Mapping[str, object]) -> bytes:
        """The source as it is attacked with: literals in place of words, and bytes that no editor would keep."""
        data = self.text.encode()
        for word, value in sorted(canaries.items(), reverse=True):
            data = data.replace(word.encode(), repr(value).encode())
        for word, piece in _PIECES.items():
            data = data.replace(word.encode(), piece() if word.encode() in data else b"")
        return data


def hostile_sources() -> Sequence[HostileSource]:
    """All of them, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.py"))]


def _read(path: Path) -> HostileSource:
    text = path.read_text()
    marks, expect = set(), ANSWER
    while found := _MARKS.match(text):
        text = text[found.end() :]
        marks.add(found[1].partition(" {")[0])
        expect = json.loads(found["expected"]) if found["expected"] else expect
    return HostileSource(path.stem, text, frozenset(marks), expect)


def _blocks() -> bytes:
    return b"".join(b" " * depth + b"if 1:\n" for depth in range(1000)) + b" " * 1000 + b"pass"


_PIECES: dict[str, Callable[[], bytes]] = {
    "CANARY_BYTES_BOM": lambda: b"\xef\xbb\xbf",
    "CANARY_BYTES_BIDI": lambda: "\u202e\u2066".encode(),
    "CANARY_BYTES_NUL": lambda: b"\0",
    "CANARY_BYTES_CR": lambda: b"\r",
    "CANARY_BYTES_FF": lambda: b"\f",
    "CANARY_BYTES_LATIN": lambda: "grün".encode("latin-1"),
    "CANARY_BYTES_SURROGATE": lambda: "\ud800".encode(errors="surrogatepass"),
    "CANARY_BYTES_OVERLONG": lambda: b"\xc0\xaf",
    "CANARY_BYTES_UTF16": lambda: "def text_utf16() -> dict:\n    return {}\n".encode("utf-16"),
    "CANARY_BYTES_ZWJ": lambda: "\u200d".encode(),
    "CANARY_BYTES_LS": lambda: "\u2028".encode(),
    "CANARY_BYTES_FULLWIDTH_OPEN": lambda: "\uff4f\uff50\uff45\uff4e".encode(),
    "CANARY_BYTES_CYRILLIC": lambda: "\u0430nswer".encode(),
    "CANARY_DEEP_PARENTHESES": lambda: b"(" * 10 * DEPTH + b"1" + b")" * 10 * DEPTH,
    "CANARY_DEEP_BRACKETS": lambda: b"[" * DEPTH + b"]" * DEPTH,
    "CANARY_DEEP_MINUS": lambda: b"-" * 10 * DEPTH + b"1",
    "CANARY_DEEP_NOT": lambda: b"not " * DEPTH + b"1",
    "CANARY_DEEP_SUM": lambda: b"1+" * DEPTH + b"1",
    "CANARY_DEEP_ATTRIBUTES": lambda: b"a" + b".a" * DEPTH,
    "CANARY_DEEP_LAMBDAS": lambda: b"lambda:" * DEPTH + b"1",
    "CANARY_DEEP_F_STRINGS": lambda: b'f"{' * 200 + b"1" + b'}"' * 200,
    "CANARY_DEEP_BLOCKS": _blocks,
    "CANARY_DEEP_SHORT": lambda: b"-" * 19_000 + b"1",
    "CANARY_GIANT_INTEGER": lambda: b"9" * 15_000,
    "CANARY_GIANT_TEXT": lambda: b"x" * (10 << 20),
    "CANARY_MANY_LINES": lambda: b"\n" * DEPTH,
    "CANARY_CONTINUED_LINES": lambda: b"\\\n" * 9_000,
}
