"""Validation of speech requests: length, markup, script, speed and volume."""

from __future__ import annotations

import re
import unicodedata

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.normalization import normalized

LONGEST_TEXT = 5_000
"""Maximum length of a text, characters: five minutes of speech."""

SLOWEST, FASTEST = 0.5, 2.0
"""Range of speaking rates at which the voice is intelligible."""

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)

_TAGS = "a|b|blockquote|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul"

_RULES = (
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), " "),  # terminal colors
    (
        re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE),
        "",
    ),  # separator below a table's header
    (re.compile(r"^[ \t]*\|(.*?)\|?[ \t]*$", re.MULTILINE), r"\1"),  # a table's rows
    (re.compile(r"\s*\|\s*"), ", "),  # between its cells
    (re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)"), r"\1"),  # links and pictures keep their words
    (re.compile(r"\[\^\d+\]|\[[ xX]?\](?=\s)"), " "),  # footnotes, checkboxes
    (
        re.compile(r"<?\b(?:https?://(?:www\.)?|www\.)([^\s/>)]+?)(?:/[^\s>)]*?)?(?=[.,;:!?]*(?:[\s>)]|$))>?"),
        r"\1",
    ),  # addresses keep their host
    (re.compile(r"https?://"), " "),
    (re.compile(rf"</?(?:{_TAGS})\b[^<>]*>"), " "),  # tags
    (re.compile(r"^\s*(?:[-*_]\s*){3,}$", re.MULTILINE), ""),  # rules
    (re.compile(r"^\s*(?:(?:#{1,6}|>|[-*+]|\d+[.)])\s+)+", re.MULTILINE), ""),  # headings, quotes, lists
    (re.compile(r"`+|~~+|[\[\]]|(?<!\s)\*+|\*+(?!\s)"), " "),  # code and emphasis
    (re.compile(r"_+"), " "),  # emphasis, and names of functions
    (re.compile(r"(?<=[^\s.,;:!?])\s*\n\s*"), ". "),  # line ends without punctuation
)

_SCRIPTS = {
    "LATIN": "",  # every language that is not listed below
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
"""Languages by their espeak names, for each script. A script is the first word of the Unicode names of its letters."""


def checked_text(text: str, language: str = "en-us") -> str:
    """Validates a text, and converts it to speakable words.

    Args:
        text: Written text.
        language: Language of the voice by its espeak name; numbers and symbols are written out in English only.

    Raises:
        AgentError: `EMPTY_TEXT` if nothing can be spoken, `INVALID_GOAL` if the text is too long.
    """
    if len(text) > LONGEST_TEXT:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Text too long: {len(text)} characters, limit {LONGEST_TEXT}.")
    words = speakable(text)
    if not words:
        raise AgentError(ErrorCode.EMPTY_TEXT, f"The text {text[:40]!r} contains nothing to speak.")
    return normalized(words) if language.startswith("en") else words


def checked_speed(speed: float) -> float:
    """Validates and returns a speaking rate. 0 means the normal rate, which is 1.

    Raises:
        AgentError: `INVALID_GOAL` outside 0.5 to 2.
    """
    if speed == 0.0:
        return 1.0
    if not SLOWEST <= speed <= FASTEST:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid speed {speed:g}: expected {SLOWEST:g} to {FASTEST:g}.")
    return speed


def checked_volume(volume: float, default: float) -> float:
    """Validates and returns a volume. 0 means `default`.

    Raises:
        AgentError: `INVALID_GOAL` outside 0 to 1.
    """
    if volume == 0.0:
        return default
    if not 0.0 < volume <= 1.0:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid volume {volume:g}: expected 0 to 1.")
    return volume


def speakable(text: str) -> str:
    """Removes Markdown, tags, emoji and control characters from a text, and shortens URLs to their hosts.

    The cells of a table are kept, row by row. A code block with more than one line is replaced by its line count.

    Returns:
        One line without double spaces; empty if nothing can be spoken.
    """
    while (line := _line(text)) != text:  # a removal may reveal more markup
        text = line
    return line


def check_script(text: str, language: str, voice: str) -> None:
    """Checks that a voice can read most letters of a text. espeak speaks only the names of other letters.

    Args:
        text: Text to speak.
        language: Language of the voice by its espeak name, for example en-us.
        voice: Name of the voice, for the message.

    Raises:
        AgentError: `VOICE_UNAVAILABLE`.
    """
    scripts = [unicodedata.name(letter, "UNNAMED").split()[0] for letter in text if letter.isalpha()]
    readable = readable_scripts(language)
    foreign = [script for script in scripts if script in _SCRIPTS and script not in readable]
    if len(foreign) > 1 and 2 * len(foreign) > len(scripts):  # a single one is a symbol
        most = max(sorted(set(foreign)), key=foreign.count).capitalize()
        raise AgentError(
            ErrorCode.VOICE_UNAVAILABLE, f"The voice {voice!r} speaks {language!r} and cannot read {most} script."
        )


def readable_scripts(language: str) -> set[str]:
    """Returns the Unicode names of the scripts in which a language is written."""
    spoken = language.split("-")[0]
    found = {script for script, languages in _SCRIPTS.items() if spoken in languages.split()}
    return found or {"LATIN"}


def _line(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    text = _FENCE.sub(_code, "\n".join(line for line in lines if line))  # long gaps would slow the rules down
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    words = "".join(character if _sayable(character) else " " for character in text)
    line = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(words.split()))
    return line if any(character.isalnum() for character in line) else ""


def _code(block: re.Match[str]) -> str:
    lines = [line for line in block[2].splitlines() if any(character.isalnum() for character in line)]
    return f"{lines[0]}\n" if len(lines) == 1 else f"{len(lines)} lines of code.\n" if lines else ""


def _sayable(character: str) -> bool:
    """Returns whether a character can be spoken. Pictographs, their modifiers and control characters cannot."""
    if character in "°^":
        return True
    category = unicodedata.category(character)
    return (
        not category.startswith("C") and category not in ("So", "Sk", "Me") and character != "\N{VARIATION SELECTOR-16}"
    )
