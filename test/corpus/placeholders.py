"""Placeholders in hostile tools. They stand for very long texts and for bytes that a text file cannot contain."""

from __future__ import annotations

from collections.abc import Callable

_DEPTH = 100_000


def with_bytes(data: bytes) -> bytes:
    """Replaces the placeholders with their values."""
    for word, piece in _PIECES.items():
        if word in data:
            data = data.replace(word, piece())
    return data


def _nested_blocks() -> bytes:
    return b"".join(b" " * depth + b"if 1:\n" for depth in range(1000)) + b" " * 1000 + b"pass"


_PIECES: dict[bytes, Callable[[], bytes]] = {
    b"CANARY_BYTES_BOM": lambda: b"\xef\xbb\xbf",
    b"CANARY_BYTES_BIDI": lambda: "\u202e\u2066".encode(),
    b"CANARY_BYTES_NUL": lambda: b"\0",
    b"CANARY_BYTES_CR": lambda: b"\r",
    b"CANARY_BYTES_FF": lambda: b"\f",
    b"CANARY_BYTES_LATIN": lambda: "grün".encode("latin-1"),
    b"CANARY_BYTES_SURROGATE": lambda: "\ud800".encode(errors="surrogatepass"),
    b"CANARY_BYTES_OVERLONG": lambda: b"\xc0\xaf",
    b"CANARY_BYTES_UTF16": lambda: "def text_utf16() -> dict:\n    return {}\n".encode("utf-16"),
    b"CANARY_BYTES_ZWJ": lambda: "\u200d".encode(),
    b"CANARY_BYTES_LS": lambda: "\u2028".encode(),
    b"CANARY_BYTES_FULLWIDTH_OPEN": lambda: "\uff4f\uff50\uff45\uff4e".encode(),
    b"CANARY_BYTES_CYRILLIC": lambda: "\u0430nswer".encode(),
    b"CANARY_DEEP_PARENTHESES": lambda: b"(" * 10 * _DEPTH + b"1" + b")" * 10 * _DEPTH,
    b"CANARY_DEEP_BRACKETS": lambda: b"[" * _DEPTH + b"]" * _DEPTH,
    b"CANARY_DEEP_MINUS": lambda: b"-" * 10 * _DEPTH + b"1",
    b"CANARY_DEEP_NOT": lambda: b"not " * _DEPTH + b"1",
    b"CANARY_DEEP_SUM": lambda: b"1+" * _DEPTH + b"1",
    b"CANARY_DEEP_ATTRIBUTES": lambda: b"a" + b".a" * _DEPTH,
    b"CANARY_DEEP_LAMBDAS": lambda: b"lambda:" * _DEPTH + b"1",
    b"CANARY_DEEP_F_STRINGS": lambda: b'f"{' * 200 + b"1" + b'}"' * 200,
    b"CANARY_DEEP_BLOCKS": _nested_blocks,
    b"CANARY_DEEP_SHORT": lambda: b"-" * 19_000 + b"1",
    b"CANARY_GIANT_INTEGER": lambda: b"9" * 15_000,
    b"CANARY_GIANT_TEXT": lambda: b"x" * (10 << 20),
    b"CANARY_MANY_LINES": lambda: b"\n" * _DEPTH,
    b"CANARY_CONTINUED_LINES": lambda: b"\\\n" * 9_000,
}
