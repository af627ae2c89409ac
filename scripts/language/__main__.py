"""Finds unidiomatic English in documentation, code, console and prompts. Prints `path:line: reason`.

Checks the paths that `[tool.language]` in pyproject.toml lists, or those on the command line. `--statistics` prints how
frequent the findings are instead, by default in the whole repository. `scripts/language/patterns.py` has the banned
patterns.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Self

from scripts.language.patterns import reasons
from scripts.language.texts import SUFFIXES, Text, read

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("prose", "docstring", "details", "comment", "error", "string", "test name", "console")


@dataclass(frozen=True)
class Settings:
    """Section `[tool.language]` of pyproject.toml.

    Attributes:
        checked: Files and folders that must be free of findings.
        skip: Files and folders that are never read: generated pages and data.
        longest_sentence: Maximum words in a sentence of the documentation.
    """

    checked: tuple[str, ...]
    skip: tuple[str, ...]
    longest_sentence: int

    @classmethod
    def load(cls) -> Self:
        """Reads the section."""
        section = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["language"]
        return cls(tuple(section["checked"]), tuple(section["skip"]), section["longest-sentence"])

    def files(self, paths: Iterable[str] = ()) -> list[Path]:
        """Returns the tracked and new files below the given paths, or all of these files if no path is given.

        Paths are relative to the repository.
        """
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *paths]
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()  # noqa: S603 - a fixed program
        return [
            ROOT / name
            for name in names
            if PurePath(name).suffix in SUFFIXES
            and (PurePath(name).suffix or name.startswith("scripts/"))
            and not any(PurePath(name).is_relative_to(skipped) for skipped in self.skip)
            and (ROOT / name).is_file()
        ]


def statistics(texts: list[Text], found: list[Text]) -> str:
    """Returns how often each kind of text has a finding.

    Args:
        texts: All texts.
        found: The texts with a finding, each once.
    """
    lines = []
    for kind in KINDS:
        of_kind = [text for text in texts if text.kind == kind]
        hits = Counter(text.kind for text in found)[kind]
        words = sum(len(text.text.split()) for text in of_kind)
        lines.append(
            f"{kind:9} {len(of_kind):6} texts {words:7} words {hits:5} with a finding:"
            f" {100 * hits / max(len(of_kind), 1):6.2f} %, {1000 * hits / max(words, 1):6.2f} in 1,000 words"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. Returns 1 if a text must be rewritten."""
    parser = argparse.ArgumentParser(prog="python -m scripts.language", description=__doc__)
    parser.add_argument("paths", nargs="*", help="files and folders to check (default: those of pyproject.toml)")
    parser.add_argument("--statistics", action="store_true", help="print how frequent findings are, by kind of text")
    options = parser.parse_args(arguments)
    settings = Settings.load()
    paths = options.paths or (() if options.statistics else settings.checked)
    texts = [text for path in settings.files(paths) for text in read(path)]
    findings = [(text, reason) for text in texts for reason in reasons(text.text, text.kind, settings.longest_sentence)]
    if options.statistics:
        print(statistics(texts, list(dict.fromkeys(text for text, _ in findings))))
        return 0
    for text, reason in findings:
        print(f"{text.path.relative_to(ROOT)}:{text.line}: {reason}: {text.text[:100]!r}")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
