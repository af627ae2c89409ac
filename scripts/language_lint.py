#!/usr/bin/env python3
"""Finds unidiomatic English in the documentation, the code and the console.

Checks Markdown prose, docstrings, comments, messages, test names and console texts against a list of patterns, each
with the reason why it is banned. `--statistics` prints the frequency of the patterns instead.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("reachy_agent_ros", "test", "scripts", "bench", "evaluation", "launch", "training", "console/src", "docs")
GENERATED = ("docs/reference/cli.md", "docs/reference/rest", "docs/reference/ros/", "docs/reference/vocabulary.md")
_KINDS = (".md", ".py", ".ts", ".tsx")
LONGEST_SENTENCE = 45
"""Maximum words of a sentence in the documentation. Longer sentences need a second reading."""

_VERB = r"(?:is|are|was|were|has|have|does|do|can|may|will|wants?|needs?|asks?|gives?|makes?|takes?|stands?|comes?)"


@dataclass(frozen=True)
class Pattern:
    """Banned pattern.

    Attributes:
        expression: Regular expression, matched without regard to case.
        reason: Reason for the ban, with a replacement.
    """

    expression: re.Pattern[str]
    reason: str


def _pattern(expression: str, reason: str) -> Pattern:
    return Pattern(re.compile(expression, re.IGNORECASE), reason)


PATTERNS = (
    _pattern(
        r"(?<!\bthere )\b(?:is|are|was|were|be) (?:no|none)\b"
        r"(?! (?:longer|more|less|fewer|worse|better|different|need|reason|later|one\b))(?<!None)",
        "negated noun: write 'is not a ...'",
    ),
    _pattern(
        r"(?:^|[.;:] )(?:Who|Whoever|What) (?!(?:it|this) does\b)"
        rf"(?!(?:is|are|was|does|do|did|can|happens)\b[^.]*\?)[^.?]*?\b{_VERB}\b[^?]*$",
        "clause without a subject: name who or what acts",
    ),
    _pattern(
        r"\b(?:is|are|was|were) told\b(?! (?:to|about)\b)|\btells? (?:that|what|how far|by)\b",
        "'told': write reported, printed or shown",
    ),
    _pattern(
        r"\b(?:anew|mend(?:s|ed|ing)?|likewise|in vain|all the same|moreover|thereby|therein|wherein|whereby)\b",
        "archaic word: write again, repair, also, without result, still",
    ),
    _pattern(r"(?:^|[.;,] )besides\b(?=[.,;]|$)", "archaic word: write also"),
    _pattern(r"\bof (?:others|yours|somebody else|whoever)\b", "possessive: write third-party or your"),
    _pattern(r"\b(?:the|its|robot's) (?:ears|eye|mind)\b(?! of)", "coined part: write microphone, camera or agent"),
    _pattern(r"\b(?:the|a|its|lesser) box(?:es)?\b(?=[^.]*\b(?:tool|run|prov)|[.,;])", "coined term: write sandbox"),
    _pattern(r"\b(?:gave|given|gives|grants?) leave\b|\bleave (?:that|was) \w*given\b", "archaic: write permission"),
    _pattern(
        r"\bwords that want to be\b|\bbroken on purpose\b|\bwho gets in\b(?![-\w]*\))", "use the term of the field"
    ),
    _pattern(r"\b(?:that|which|what) (?:it|they|he|she) (?:has|have) not\b", "unusual negation: write 'does not have'"),
)
_SUMMARY_START = re.compile(r"(?:What|Who|Whoever|Where|That|It|Its)\b")
_SUMMARY_REASON = "docstring summary without a subject: begin with a verb or a noun"


@dataclass(frozen=True)
class Text:
    """Piece of text to check.

    Attributes:
        path: File.
        line: Line number.
        kind: `prose`, `docstring`, `comment`, `message`, `test name` or `console`.
        text: The text, on one line.
    """

    path: Path
    line: int
    kind: str
    text: str


@dataclass(frozen=True)
class Finding:
    """Text that needs to be rewritten, with the reason."""

    text: Text
    reason: str

    def __str__(self) -> str:
        return f"{self.text.path.relative_to(ROOT)}:{self.text.line}: {self.reason}: {self.text.text[:100]!r}"


def check(text: Text) -> Iterator[Finding]:
    """Yields the findings in a text."""
    for pattern in PATTERNS:
        if pattern.expression.search(text.text):
            yield Finding(text, pattern.reason)
    if text.kind == "docstring" and _SUMMARY_START.match(text.text):
        yield Finding(text, _SUMMARY_REASON)
    if text.kind == "prose":
        longest = max((len(sentence.split()) for sentence in re.split(r"(?<=[.!?:;])\s", text.text)), default=0)
        if longest > LONGEST_SENTENCE:
            yield Finding(text, f"sentence of {longest} words: split it")


def read(path: Path) -> Iterator[Text]:
    """Yields the texts of a file by its type."""
    source = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".md":
            yield from _prose(path, source)
        case ".py":
            yield from _python(path, source)
        case ".ts" | ".tsx":
            for number, line in enumerate(source.splitlines(), 1):
                for found in re.findall(r'"([A-Z][^"]{15,})"|>([A-Z][^<>{}]{15,})<|(?://|\*) (.+)', line):
                    yield Text(path, number, "console", " ".join(filter(None, found)))
        case _:
            pass


def _prose(path: Path, source: str) -> Iterator[Text]:
    """Yields paragraphs, list items and table cells, without code."""
    plain = re.sub(r"^```.*?^```$|<!--.*?-->", lambda found: "\n" * found[0].count("\n"), source, flags=re.M | re.S)
    number, lines = 1, list[str]()
    for count, line in enumerate([*plain.splitlines(), ""], 1):
        if lines and (not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.) ?", line)):
            yield Text(path, number, "prose", _without_code(" ".join(lines)))
            lines = []
        if line.lstrip().startswith("|"):
            yield from (
                Text(path, count, "prose", _without_code(cell.strip())) for cell in line.split("|") if cell.strip()
            )
        elif line.strip():
            number = number if lines else count
            lines.append(line.strip())


def _without_code(text: str) -> str:
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", text)).strip("#-* ")


def _python(path: Path, source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if summary := (ast.get_docstring(node) or "").split("\n\n")[0]:
                yield Text(path, getattr(node, "lineno", 1), "docstring", " ".join(summary.split()))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield Text(path, node.lineno, "test name", node.name.removeprefix("test_").replace("_", " "))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error"):
            message = "".join(_parts(argument) for argument in node.args)
            if len(message) > 15:
                yield Text(path, node.lineno, "message", message)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("#!", "# type", "# noqa")):
            yield Text(path, token.start[0], "comment", token.string.strip("# "))


def _parts(argument: ast.expr) -> str:
    match argument:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in values)
    return ""


def files(folders: tuple[str, ...] = FOLDERS) -> Iterator[Path]:
    """Yields the checked files in folders, and the pages beside them."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "QUALITY_DECLARATION.md")]
    yield from (page for page in pages if folders == FOLDERS)
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.suffix in _KINDS and not name.startswith(GENERATED) and "corpus" not in path.parts:
                yield path


def statistics(texts: list[Text], findings: list[Finding]) -> str:
    """Returns the frequency of the patterns: hits in 1,000 words of prose, and the share of the other texts."""
    found = Counter(finding.text.kind for finding in findings if "sentence of" not in finding.reason)
    lines = []
    for kind in ("prose", "docstring", "message", "test name", "comment", "console"):
        of_kind = [text for text in texts if text.kind == kind]
        words = sum(len(text.text.split()) for text in of_kind)
        figure = f"{1000 * found[kind] / max(words, 1):.2f} in 1,000 words"
        lines.append(
            f"{kind:10} {len(of_kind):6} texts, {found[kind]:4} hits, {figure}, "
            f"{100 * found[kind] / max(len(of_kind), 1):.2f} % of the texts"
        )
    return "\n".join(lines)


def main() -> int:
    """Runs the program. Returns 1 if a text needs to be rewritten."""
    parser = argparse.ArgumentParser(prog="scripts/language_lint.py", description=__doc__)
    parser.add_argument("folders", nargs="*", help="folders to check (default: all)")
    parser.add_argument("--statistics", action="store_true", help="print how frequent the patterns are")
    arguments = parser.parse_args()
    texts = [text for path in files(tuple(arguments.folders) or FOLDERS) for text in read(path)]
    findings = [finding for text in texts for finding in check(text)]
    if arguments.statistics:
        print(statistics(texts, findings))
        return 0
    for finding in findings:
        print(finding)
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
