"""Which letters a voice can read."""

from __future__ import annotations

import unicodedata

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_SCRIPTS = {
    "LATIN": "",  # every language that is named nowhere below
    "CYRILLIC": "ba be bg kk ky mk ru sr tt uk",
    "GREEK": "el grc",
    "ARABIC": "ar fa ps ur",
    "HEBREW": "he",
    "DEVANAGARI": "hi kok mr ne",
    "BENGALI": "as bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "MALAYALAM": "ml",
    "THAI": "th",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy hyw",
    "HANGUL": "ko",
    "CJK": "cmn hak ja yue zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
}
"""Languages, as espeak names them, by the first word of their letters' names in Unicode."""


def check_script(text: str, language: str, voice: str) -> None:
    """Checks that most letters of a text are such as a voice can read; espeak calls the others by their names.

    Args:
        text: To be said.
        language: Of the voice, as espeak names it, for example en-us.
        voice: Its name, for the message.

    Raises:
        AgentError: `VOICE_UNAVAILABLE`.
    """
    scripts = [unicodedata.name(letter, "UNNAMED").split()[0] for letter in text if letter.isalpha()]
    readable = readable_scripts(language)
    foreign = [script for script in scripts if script in _SCRIPTS and script not in readable]
    if len(foreign) > 1 and 2 * len(foreign) > len(scripts):  # one alone is a symbol
        most = max(sorted(set(foreign)), key=foreign.count).capitalize()
        raise AgentError(
            ErrorCode.VOICE_UNAVAILABLE, f"The voice {voice!r} speaks {language!r} and cannot read {most} script."
        )


def readable_scripts(language: str) -> set[str]:
    """Scripts, as Unicode names them, that a speaker of the language reads."""
    spoken = language.split("-")[0]
    found = {script for script, languages in _SCRIPTS.items() if spoken in languages.split()}
    return found or {"LATIN"}
