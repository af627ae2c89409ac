"""The pages that people read, and the commands in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support import ROOT

DOCS = ROOT / "docs"
WORKAROUNDS = "reachy_agent_ros/ros/rclpy_ext/README.md"
BESIDE = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "QUALITY_DECLARATION.md", "SECURITY.md", WORKAROUNDS)
]
PAGES = [*BESIDE, *sorted(DOCS.rglob("*.md"))]
TUTORIALS = sorted(page for folder in ("get_started", "tutorials") for page in (DOCS / folder).glob("*.md"))

_BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^>]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        language: As after the fence.
        text: Its lines.
        mark: What the comment right above it says, which readers do not see: "runs", "runs: in the graph",
            the same with ", and is refused", "not run: WHY", "file: NAME".
    """

    language: str
    text: str
    mark: str

    def commands(self) -> Iterator[str]:
        """Each command, without comments, on one line."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield shlex.join(words)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, from top to bottom."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["language"], match["text"], match["mark"] or "") for match in found]


def marked(page: Path, mark: str) -> str:
    """All blocks of a page with a mark, as one script."""
    return "".join(block.text for block in blocks(page) if block.mark == mark)
