from __future__ import annotations

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.script import check_script
from support.speech_models import voice


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
def test_what_a_voice_can_read_passes(text: str, language: str) -> None:
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
def test_a_text_in_other_letters_is_refused_with_their_name(text: str, language: str, script: str) -> None:
    with pytest.raises(AgentError, match=script) as refusal:
        check_script(text, language, "one")
    assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_a_voice_refuses_letters_it_lacks() -> None:
    with pytest.raises(AgentError, match="Cyrillic"):
        voice().synthesise("Привет, как дела?")
