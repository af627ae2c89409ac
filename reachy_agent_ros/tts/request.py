"""Checks of what somebody wants said, before a sound is made: length, markup, letters, speed and volume."""

from __future__ import annotations

import re
import unicodedata

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.normalisation import normalised

LONGEST_TEXT = 5_000
"""Characters: five minutes of speech, after which nobody listens."""

SLOWEST, FASTEST = 0.5, 2.0
"""Speeds at which the voice is still understood."""

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)

_TAGS = "a|b|blockquote|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul"

_RULES = (
    (re.compile(r"\x1b\[[0-9;]*[A-Za-z]"), " "),  # a terminal's colours
    (
        re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE),
        "",
    ),  # below a table's head
    (re.compile(r"^[ \t]*\|(.*?)\|?[ \t]*$", re.MULTILINE), r"\1"),  # a table's rows
    (re.compile(r"\s*\|\s*"), ", "),  # between its cells
    (re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)"), r"\1"),  # links and pictures keep their words
    (re.compile(r"\[\^\d+\]|\[[ xX]?\](?=\s)"), " "),  # footnotes, boxes of tasks
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
    (re.compile(r"(?<=[^\s.,;:!?])\s*\n\s*"), ". "),  # a line that ends without a stop ends all the same
)

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


def checked_text(text: str, language: str = "en-us") -> str:
    """The text as words to say.

    Args:
        text: As it was written.
        language: Of the voice, as espeak names it; figures and signs become words in English only.

    Raises:
        AgentError: `EMPTY_TEXT` where nothing can be said, `INVALID_GOAL` where it is too long.
    """
    if len(text) > LONGEST_TEXT:
        raise AgentError(ErrorCode.INVALID_GOAL, f"The text has {len(text)} characters; {LONGEST_TEXT} are the most.")
    words = speakable(text)
    if not words:
        raise AgentError(ErrorCode.EMPTY_TEXT, f"There is nothing to say in {text[:40]!r}.")
    return normalised(words) if language.startswith("en") else words


def checked_speed(speed: float) -> float:
    """The speed, 1 where it is 0.

    Raises:
        AgentError: `INVALID_GOAL` beyond 0.5 to 2.
    """
    if speed == 0.0:
        return 1.0
    if not SLOWEST <= speed <= FASTEST:
        raise AgentError(ErrorCode.INVALID_GOAL, f"A speed of {speed:g} is not within {SLOWEST:g} to {FASTEST:g}.")
    return speed


def checked_volume(volume: float, default: float) -> float:
    """The volume, `default` where it is 0.

    Raises:
        AgentError: `INVALID_GOAL` beyond 0 to 1.
    """
    if volume == 0.0:
        return default
    if not 0.0 < volume <= 1.0:
        raise AgentError(ErrorCode.INVALID_GOAL, f"A volume of {volume:g} is not within 0 to 1.")
    return volume


def speakable(text: str) -> str:
    """Takes out what is meant for the eye: Markdown, tags, web addresses, emoji and control characters.

    Of a table the cells are said, row by row; of a block of code that it is there, unless it is one line.

    Returns:
        One line without double spaces; empty where nothing can be said.
    """
    while (line := _line(text)) != text:  # what is taken away may leave more to take
        text = line
    return line


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


def _line(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    text = _FENCE.sub(_code, "\n".join(line for line in lines if line))  # long gaps would cost the rules long searches
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    words = "".join(character if _sayable(character) else " " for character in text)
    line = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(words.split()))
    return line if any(character.isalnum() for character in line) else ""


def _code(block: re.Match[str]) -> str:
    lines = [line for line in block[2].splitlines() if any(character.isalnum() for character in line)]
    return f"{lines[0]}\n" if len(lines) == 1 else f"{len(lines)} lines of code.\n" if lines else ""


def _sayable(character: str) -> bool:
    """Whether a character is more than a picture, a modifier of one, or an order to a terminal."""
    if character in "°^":
        return True
    category = unicodedata.category(character)
    return (
        not category.startswith("C") and category not in ("So", "Sk", "Me") and character != "\N{VARIATION SELECTOR-16}"
    )
