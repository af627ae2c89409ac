"""Gaps of a language: the files, intents and words that other languages have and this language lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.stop.lexicon import FOLDER as STOP_LEXICON
from reachy_agent_ros.nlu.templates.language import LANGUAGES, Language, load_language
from reachy_agent_ros.nlu.templates.languages import language_codes
from reachy_agent_ros.nlu.templates.meanings import INTENTS

_FILES = ("common.yaml", "numbers.yaml", "times.yaml", "answers.yaml", "schedule.yaml", "jobs.yaml")
_COMPARED = ("direction", "emotion", "object")
"""Lists whose values every language should name."""


@dataclass(frozen=True)
class LanguageGaps:
    """Gaps of a language.

    Attributes:
        language: ISO 639-1 code.
        mistake: Mistake in one of its files, because of which the language is off; empty if there is none.
        files: Missing files.
        intents: Intents without a sentence template.
        values: Values of lists that another language names, by name of the list.
    """

    language: str
    mistake: str
    files: list[str]
    intents: list[str]
    values: dict[str, list[str]]

    @property
    def complete(self) -> bool:
        """Whether the language is complete and valid."""
        return not (self.mistake or self.files or self.intents or self.values)

    def __str__(self) -> str:
        """Returns a description of the gaps, such as "de lacks object: zebra"."""
        parts = [f"{kind}: {', '.join(names)}" for kind, names in self.values.items()]
        parts = [*(f"file {name}" for name in self.files), *parts]
        if self.intents:
            parts.insert(0, f"intents: {', '.join(self.intents)}")
        lacks = f"lacks {'; '.join(parts)}" if parts else "is complete"
        return f"{self.language} {lacks}" + (f" (off: {self.mistake})" if self.mistake else "")


def language_gaps(folder: Path = LANGUAGES, lexicon: Path = STOP_LEXICON) -> list[LanguageGaps]:
    """Returns the gaps of each language.

    Args:
        folder: Folder with one folder per language.
        lexicon: Folder with one file of stop phrases per language.
    """
    languages: dict[str, Language] = {}
    mistakes: dict[str, str] = {}
    for code in language_codes(folder):
        try:
            languages[code] = load_language(folder / code)
        except AgentError as error:
            mistakes[code] = error.message
    gaps = []
    for code in language_codes(folder):
        files = [name for name in _FILES if not (folder / code / name).exists()]
        if not (lexicon / f"{code}.yaml").exists():
            files.append(f"stop lexicon {code}.yaml")
        intents = _missing_intents(languages[code]) if code in languages else []
        values = _missing_values(code, languages) if code in languages else {}
        gaps.append(LanguageGaps(code, mistakes.get(code, ""), files, intents, values))
    return gaps


def _missing_intents(language: Language) -> list[str]:
    return sorted(set(INTENTS) - {template.intent for template in language.index.templates})


def _missing_values(code: str, languages: Mapping[str, Language]) -> dict[str, list[str]]:
    missing = {}
    for name in _COMPARED:
        named = {one: set(language.common.lists.get(name, ())) for one, language in languages.items()}
        lacking = set[str]().union(*named.values()) - named[code]
        if lacking:
            missing[name] = sorted(lacking)
    return missing
