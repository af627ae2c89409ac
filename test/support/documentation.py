"""Documentation pages and their code blocks."""

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
    """Fenced code block of a documentation page.

    Attributes:
        language: Language after the opening fence.
        text: Content of the block.
        mark: Text of the HTML comment directly above the block: "runs", "runs: in the graph", either with
            ", and is refused", "not run: WHY", or "file: NAME".
    """

    language: str
    text: str
    mark: str

    def commands(self) -> Iterator[str]:
        """Yields each command of the block on one line, without comments."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield shlex.join(words)


def blocks(page: Path) -> list[Block]:
    """Returns the fenced code blocks of a page, from top to bottom."""
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["language"], match["text"], match["mark"] or "") for match in found]


def marked(page: Path, mark: str) -> str:
    """Returns all code blocks of a page that have the given mark, joined into one script."""
    return "".join(block.text for block in blocks(page) if block.mark == mark)
