import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tool_generation.validation.text_gate import LARGEST, MOST_LINES, read_text
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError, VerificationStage


def refusal(data: bytes) -> str:
    with pytest.raises(SourceRejectedError) as caught:
        read_text(data)
    assert caught.value.stage is VerificationStage.TEXT
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    return caught.value.message


def test_text_check_normalizes_line_endings() -> None:
    assert read_text(b"a = 1\r\nb = 2\r\n") == "a = 1\nb = 2\n"


def test_text_check_accepts_all_languages_in_strings_and_comments() -> None:
    text = 'x = "こんにちは 👩‍🚀 Grüße"  # می‌خواهم\n'
    assert read_text(text.encode()) == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = 1\nb = '\xff'\n", "line 2: the byte 0xff is not valid UTF-8"),
        ("a = 1\nb = '\ud83e'\n".encode(errors="surrogatepass"), "line 2: this text contains a lone surrogate"),
        (b"a = '\xed'\n", "line 1: the byte 0xed is not valid UTF-8"),
        (b"a = '\xff\xa0'\n", "line 1: the byte 0xff is not valid UTF-8"),
        (b"\xef\xbb\xbfa = 1\n", "line 1: U+FEFF"),
        (b"a = 1\rb = 2\n", "line 1: U+000D"),
        (b"a = 1\n\x0cb = 2\n", "line 2: U+000C"),
        (b"a = 1\x00\n", "line 1: U+0000"),
        ("a = '\u202e'\n".encode(), "U+202E (right-to-left override)"),
        ("a = 1  # \u2066\n".encode(), "U+2066"),
        ("a = 'x\u200by'\n".encode(), "U+200B"),
        ("a = 'x\u2028y'\n".encode(), "U+2028"),
        ("a = '\U000e0041'\n".encode(), "U+E0041"),
        (b"# -*- coding: utf-7 -*-\n", "line 1: the encoding utf-7 is not allowed"),
        (b"\n# vim: set fileencoding=latin-1 :\n", "line 2: the encoding latin-1 is not allowed"),
        ("a = 1\n\u0430 = 2\n".encode(), "line 2: the name '\\u0430' is not ASCII"),
        ("\uff45\uff56\uff41\uff4c('1')\n".encode(), "is not ASCII"),
        (b"x" * (LARGEST + 1), f"more than {LARGEST}"),
        (b"x" * 10_000_000, "the source has 10000000 bytes"),
        (b"a = 1\n" * (MOST_LINES + 1), f"more than {MOST_LINES}"),
        (b"a = " + b"(" * 50 + b")" * 50, "nested too deeply"),
        (b"a = " + b"-" * 50 + b"1", "nested too deeply"),
        (b"a = " + b"not ~" * 15 + b"1", "nested too deeply"),
        ("".join(f"{' ' * depth}if 1:\n" for depth in range(50)).encode() + b" " * 50 + b"pass", "nested too deeply"),
    ],
)
def test_text_check_rejects_deceptive_or_excessive_text_and_states_line(data: bytes, message: str) -> None:
    assert message in refusal(data)


def test_text_check_accepts_utf8_declaration() -> None:
    assert read_text(b"# -*- coding: utf-8 -*-\n")


def test_text_check_reports_every_line_with_a_problem() -> None:
    assert refusal("'\u202e'\n'\u202d'\n".encode()).count("line ") == 2


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_text_check_accepts_or_rejects_any_bytes(data: bytes) -> None:
    try:
        text = read_text(data)
    except SourceRejectedError:
        return
    assert text.encode() == data.replace(b"\r\n", b"\n")


@pytest.mark.parametrize(
    ("most", "more"),
    [
        (b"#" * 20_000, b"#" * 20_001),
        (b"a\n" * 400, b"a\n" * 401),
        (b"(" * 40 + b")" * 40, b"(" * 41 + b")" * 41),
        (b"- " * 20 + b"1", b"- " * 21 + b"1"),
        (b"not " * 20 + b"1", b"not " * 21 + b"1"),
        (b"()\n" * 60, b"(" * 60),
        (b"-1\n" * 60, b"- - - - " * 6 + b"1"),
    ],
)
def test_text_check_accepts_text_up_to_limits(most: bytes, more: bytes) -> None:
    assert read_text(most) == most.decode()
    refusal(more)


def test_text_check_reports_line_that_exceeds_limit() -> None:
    assert "line 401: the source has 401 lines" in refusal(b"a\n" * 401)
    assert "line 3: this is nested too deeply" in refusal(b"a\n\n" + b"(" * 41)
    assert "line 2: the byte 0xff is not valid UTF-8" in refusal(b"a\n\xff\n")


def test_text_check_reads_encoding_declaration_only_in_first_two_lines() -> None:
    assert "line 2: the encoding latin-1" in refusal(b"# a file\n# coding: latin-1\n")
    assert read_text(b"a\n\n# coding: latin-1\n")
