"""Text gate: the first check of a source. It examines only bytes and characters and does not parse the source."""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator

from reachy_agent_ros.tool_generation.verdict import Complaint, SourceRejectedError, VerificationStage

LARGEST = 20_000
"""Maximum size of a source, bytes."""

MOST_LINES = 400

DEEPEST = 40
"""Maximum nesting depth of brackets and blocks. Python's parser exhausts its stack at about a hundred."""

LONGEST_RUN = 20
"""Maximum number of consecutive unary operators, each of which is a level for the parser."""

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")

_COOKIE = re.compile(r"[ \t]*#.*?coding[:=][ \t]*([-\w.]+)")
"""Encoding declaration of a source file (PEP 263)."""

_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")

_HARMLESS = "\t\n\u200c\u200d"
"""Tabs, line endings, and the joiners that are part of emoji and of Persian words."""


def read_text(data: bytes) -> str:
    r"""Returns the text of a source, with `\n` at the end of each line.

    Raises:
        SourceRejectedError: The source is too long, nested too deeply, not UTF-8, or contains deceptive characters,
            another encoding declaration, or names that are not ASCII.
    """
    if len(data) > LARGEST:
        raise _rejection(1, f"the source has {len(data)} bytes, more than {LARGEST}; shorten it, or write two tools")
    try:
        text = data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise _rejection(data.count(b"\n", 0, error.start) + 1, _not_utf8(data[error.start :])) from None
    complaints = [*_lines(text), *_characters(text), *_cookies(text)] or [*_tokens(text)]
    if complaints:
        raise SourceRejectedError(VerificationStage.TEXT, complaints)
    return text


def deceptive_character(text: str) -> str:
    """Returns the first deceptive character of a text.

    A character is deceptive if it is invisible, if it reorders text, or if only some programs treat it as a line break.

    The result contains the code point and name of the character; "" if there is none.
    """
    for character in text:
        if character not in _HARMLESS and unicodedata.category(character) in _CATEGORIES:
            name = unicodedata.name(character, "a control character")
            return f"U+{ord(character):04X} ({name.lower()})"
    return ""


def _not_utf8(rest: bytes) -> str:
    if rest[:1] == b"\xed" and rest[1:2] >= b"\xa0":  # a lone surrogate, as JSON can hold it
        return "this text contains a lone surrogate (half of a character); use the whole character, or remove it"
    return f"the byte 0x{rest[0]:02x} is not valid UTF-8; save the source as UTF-8"


def _rejection(line: int, message: str) -> SourceRejectedError:
    return SourceRejectedError(VerificationStage.TEXT, [Complaint(line, message)])


def _lines(text: str) -> Iterator[Complaint]:
    count = text.count("\n")
    if count > MOST_LINES:
        yield Complaint(MOST_LINES + 1, f"the source has {count} lines, more than {MOST_LINES}; shorten it")


def _characters(text: str) -> Iterator[Complaint]:
    for number, line in enumerate(text.split("\n"), 1):
        if character := deceptive_character(line):
            yield Complaint(number, f"{character} is not allowed in a source; remove it")


def _cookies(text: str) -> Iterator[Complaint]:
    for number, line in enumerate(text.split("\n", 2)[:2], 1):
        cookie = _COOKIE.match(line)
        if cookie and cookie[1].lower() not in ("utf-8", "utf8"):
            yield Complaint(number, f"the encoding {cookie[1]} is not allowed; remove this line and use UTF-8")


def _tokens(text: str) -> Iterator[Complaint]:
    depth = run = 0
    for token in _tokenized(text):
        line = token.start[0]
        if token.string in _OPENING or token.type == tokenize.INDENT:
            depth += 1
        elif token.string in _CLOSING or token.type == tokenize.DEDENT:
            depth -= 1
        run = run + 1 if token.string in ("-", "+", "~", "not") else 0
        if token.type == tokenize.NAME and not token.string.isascii():
            yield Complaint(line, f"the name {token.string!a:.60} is not ASCII; use a to z, 0 to 9 and _")
        if depth > DEEPEST or run > LONGEST_RUN:
            yield Complaint(line, "this is nested too deeply; assign parts to variables, or write helper functions")
            return


def _tokenized(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return  # the parser runs next and reports it better
