"""Extraction of English texts from files: prose, docstrings, comments, messages, test names and labels."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

SUFFIXES = (".md", ".py", ".ts", ".tsx", ".msg", ".srv", ".action", ".yaml", "")
"""Types of files that are read. Files without a suffix are shell scripts."""

_SENTENCE = re.compile(r"[A-Za-z']+[,;:]?(?: \S+){3,}")
"""A string literal is checked if it has at least four words: shorter ones are keys and names."""
_TYPESCRIPT = re.compile(
    r"(?P<comment>/\*.*?\*/|(?<![:/])//[^\n]*)"
    r"|\b(?:test|it)\((?P<test>\"[^\"]*\"|`[^`]*`)"
    r"|(?P<string>\"[^\"\n]*\"|`[^`]*`)"
    r"|>(?P<label>[^<>{}=;]*[a-z]{2,} [^<>{}=;]*)<",
    re.DOTALL,
)


@dataclass(frozen=True)
class Text:
    """Text to check, with its path and line.

    Attributes:
        path: File.
        line: Line number.
        kind: `prose`, `docstring` (its summary), `details` (its other paragraphs), `comment`, `error`, `string`,
            `test name` or `console`.
        text: The text, on one line.
    """

    path: Path
    line: int
    kind: str
    text: str


def read(path: Path) -> Iterator[Text]:
    """Yields the texts of a file. The file type determines how they are extracted."""
    source = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".md":
            yield from _markdown(path, source)
        case ".py":
            yield from _python(path, source)
        case ".ts" | ".tsx":
            yield from _typescript(path, source)
        case _:
            numbered = enumerate(source.splitlines(), 1)
            yield from _comments(
                path,
                [(number, found[1]) for number, line in numbered if (found := re.search(r"(?:^|\s)#([^!].*)", line))],
            )


def _markdown(path: Path, source: str) -> Iterator[Text]:
    """Yields headings, paragraphs, list items and table cells, without code."""
    plain = re.sub(r"^ *```.*?^ *```$|<!--.*?-->", lambda found: "\n" * found[0].count("\n"), source, flags=re.M | re.S)
    start, paragraph = 1, list[str]()
    for number, line in enumerate([*plain.splitlines(), ""], 1):
        if paragraph and (not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.) ?", line)):
            yield Text(path, start, "prose", _without_code(" ".join(paragraph)))
            paragraph = []
        if line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.split("|")]
            yield from (Text(path, number, "prose", _without_code(cell)) for cell in cells if cell)
        elif line.strip():
            start = start if paragraph else number
            paragraph.append(line.strip())


def _without_code(text: str) -> str:
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "X", text)).strip("#-*> ")


def _python(path: Path, source: str) -> Iterator[Text]:
    tree = ast.parse(source)
    seen = set[ast.AST]()
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _docstring(path, node, seen)
            case ast.Call() if (getattr(node.func, "id", "") or getattr(node.func, "attr", "")).endswith("Error"):
                message = "".join(_literal(argument) for argument in node.args)
                seen.update(node.args)
                if len(message.split()) > 2:
                    yield Text(path, node.lineno, "error", message)
            case ast.Constant() | ast.JoinedStr() if node not in seen and not path.stem.startswith("test_"):
                seen.update(ast.walk(node))
                literal = " ".join(_literal(node).split())
                if _SENTENCE.match(literal):
                    yield Text(path, node.lineno, "string", literal)
            case _:
                pass
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from _comments(
        path, [(token.start[0], token.string[1:]) for token in tokens if token.type == tokenize.COMMENT]
    )


def _docstring(
    path: Path, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, seen: set[ast.AST]
) -> Iterator[Text]:
    name = getattr(node, "name", "")
    if name.startswith("test_"):
        yield Text(path, getattr(node, "lineno", 1), "test name", name.removeprefix("test_").replace("_", " "))
    summary, *others = (ast.get_docstring(node) or "").split("\n\n")
    if summary:
        statement = node.body[0]
        seen.update(ast.walk(statement))
        yield Text(path, statement.lineno, "docstring", " ".join(summary.split()))
        for paragraph in others:
            yield Text(path, statement.lineno, "details", _without_code(" ".join(paragraph.split())))


def _literal(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_literal(value) or "X" for value in values)
    return ""


def _comments(path: Path, lines: list[tuple[int, str]]) -> Iterator[Text]:
    """Yields comments. A block of successive comment lines is one text."""
    for _, block in groupby(enumerate(lines), key=lambda item: item[1][0] - item[0]):
        numbered = [line for _, line in block]
        text = " ".join(line.strip("# ") for _, line in numbered if not line.lstrip().startswith(("!", "type:")))
        yield Text(path, numbered[0][0], "comment", _without_code(re.sub(r"noqa: [A-Z0-9, ]+(?: - )?", "", text)))


def _typescript(path: Path, source: str) -> Iterator[Text]:
    for found in _TYPESCRIPT.finditer(source):
        kind = {"comment": "comment", "test": "test name"}.get(found.lastgroup or "", "console")
        text = " ".join(line.strip('*/"` ') for line in found[found.lastgroup or 0].splitlines())
        if kind != "console" or " " in text.strip():
            yield Text(path, source.count("\n", 0, found.start()) + 1, kind, " ".join(text.split()))
