from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.request import (
    LONGEST_TEXT,
    check_script,
    checked_speed,
    checked_text,
    checked_volume,
    speakable,
)
from support.speech_models import voice

MARKUP = (
    *("**bold**", "*slanted*", "# Head", "- item", "> quote", "`code`", "[words](https://a.org/b)", "![", "](", "~~"),
    *("| cell | cell |", "|---|:-:|", "```python", "```", "[x]", "[^1]", "<b>", "</td>", "___", "***", "---", "_", "|"),
    *("https://www.a.org/b?c=d#e", "www.b.org/c", "\x1b[31m", "\x00", "\N{GRINNING FACE}", "a_name", "*", "~", "1."),
)
WRITTEN = st.lists(
    st.tuples(st.sampled_from((*MARKUP, "word", "Word.")), st.sampled_from((" ", "\n", "\n\n", ""))), min_size=1
).map(lambda tokens: "".join(token + gap for token, gap in tokens))


def test_zero_speed_or_volume_selects_default() -> None:
    assert checked_speed(0.0) == 1.0
    assert checked_volume(0.0, 0.7) == 0.7


@pytest.mark.parametrize("speed", [-1.0, 0.49, 2.01, math.nan, math.inf])
def test_rejects_speed_out_of_range(speed: float) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_speed(speed)
    assert refusal.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize("volume", [-0.1, 1.01, math.nan])
def test_rejects_volume_out_of_range(volume: float) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_volume(volume, 1.0)
    assert refusal.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize("text", ["", " ", "\N{GRINNING FACE}"])
def test_rejects_text_without_words(text: str) -> None:
    with pytest.raises(AgentError) as refusal:
        checked_text(text)
    assert refusal.value.code is ErrorCode.EMPTY_TEXT


def test_rejects_too_long_text() -> None:
    with pytest.raises(AgentError, match="characters"):
        checked_text("word " * LONGEST_TEXT)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("I look left.", "I look left."),
        ("**Sure**, *now*!", "Sure, now!"),
        ("# Plan\n- look left\n- nod", "Plan. look left. nod"),
        ("> > # Quote", "Quote"),
        ("- [ ] one\n- [x] two", "one. two"),
        ("See [the manual](https://example.org/a?b=1).", "See the manual."),
        ("It is on https://www.example.org/a/b?c=d.", "It is on example.org."),
        ("It is on www.example.org/a, now", "It is on example.org, now"),
        ("Call `move_head` now", "Call move head now"),
        ("5 * 3 = 15", "5 * 3 = 15"),
        ("Great \N{GRINNING FACE}\N{VARIATION SELECTOR-16}!", "Great!"),
        ("a\x00b\x1b[31mc", "a b c"),
        ("above\n\n---\n\nbelow", "above. below"),
        ("<b>bold</b><br/>and 3 <5", "bold and 3 <5"),
        ("20 °C", "20 °C"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |\nDone.", "a, b. 1, 2. Done."),
        ("Run:\n```bash\npip install x\n```\nthen wait", "Run: pip install x. then wait"),
        ("So:\n```python\nx = 1\ny = 2\n```\nfine", "So: 2 lines of code. fine"),
    ],
)
def test_markup_is_removed_from_text(written: str, said: str) -> None:
    assert speakable(written) == said


@pytest.mark.parametrize("text", ["", "  \n ", "\N{GRINNING FACE}", "```\n```", "...", "\x00", "|---|---|", "***"])
def test_text_without_words_becomes_empty_after_markup_removal(text: str) -> None:
    assert speakable(text) == ""


@given(st.one_of(st.text(), WRITTEN))
def test_any_text_is_converted_to_single_line(text: str) -> None:
    line = speakable(text)
    assert line == " ".join(line.split())
    assert line.isprintable()
    assert not re.search(r"[`\[\]|]|\*\*|~~|https?://|</?b>", line)


@given(st.one_of(st.text(), WRITTEN))
def test_markup_removal_is_idempotent(text: str) -> None:
    assert speakable(speakable(text)) == speakable(text)


@given(WRITTEN, WRITTEN)
def test_markup_removal_keeps_words(before: str, after: str) -> None:
    assert speakable(f"{before}\nword\n{after}")


@pytest.mark.slow
@given(st.lists(st.from_regex(r"[a-z]{1,8}[.,!?]?", fullmatch=True)))
def test_markup_removal_does_not_change_plain_text(words: list[str]) -> None:
    assert speakable(" ".join(words)) == " ".join(words)


@pytest.mark.parametrize("nasty", ["[", "[a](", "*", "|", "| - ", "`", "```\n", "<b", "_", "> ", "- ", "#", "\n", "-|"])
def test_markup_of_10000_characters_is_removed(nasty: str) -> None:
    assert speakable(f"word {nasty * (10_000 // len(nasty))} word").startswith("word")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I see 3 apples.", "en-us"),
        ('The Russian for "hello" is "Привет".', "en-us"),
        ("5 Ω", "en-us"),
        ("naïve café", "en-gb"),
        ("Привет, как дела?", "ru"),
        ("Jag ser åtta äpplen.", "sv"),
        ("1 2 3", "ru"),
        ("", "en-us"),
    ],
)
def test_accepts_script_that_voice_can_read(text: str, language: str) -> None:
    assert complaint(text, language) == ""


def complaint(text: str, language: str) -> str:
    try:
        check_script(text, language, "one")
    except AgentError as error:
        return error.message
    return ""


@pytest.mark.parametrize(
    ("text", "language", "script"),
    [
        ("Привет, как дела?", "en-us", "Cyrillic"),
        ("我看到一个苹果", "en-us", "Cjk"),
        ("أرى تفاحة", "de", "Arabic"),
        ("I see an apple.", "ru", "Latin"),
    ],
)
def test_error_names_script_that_voice_cannot_read(text: str, language: str, script: str) -> None:
    with pytest.raises(AgentError, match=script) as refusal:
        check_script(text, language, "one")
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_voice_rejects_text_in_unsupported_script() -> None:
    with pytest.raises(AgentError, match="Cyrillic"):
        voice().synthesize("Привет, как дела?")
