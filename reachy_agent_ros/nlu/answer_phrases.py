"""Phrases of short answers in all languages, from the files `languages/CODE/answers.yaml`."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from functools import cache

from pydantic import Field

from reachy_agent_ros.nlu.number_words import LANGUAGES, LARGEST_FILE
from reachy_agent_ros.nlu.text import words_of
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form


class AnswerPhrases(StrictForm):
    """Phrases of short answers in one language.

    Attributes:
        approve: Phrases that mean yes.
        refuse: Phrases that mean no.
        filler: Phrases that add nothing to an answer, such as "please".
        once: Phrases that mean yes, but only this time.
        session: Phrases that extend a yes to the rest of the conversation.
        always: Phrases that mean yes, also in future.
        contradictory: Phrases that are not a clear answer, although each part alone is one.
        again: Phrases that ask for a repetition of the last command. Those in English are a pattern of `small_talk`.
    """

    approve: list[str]
    refuse: list[str]
    filler: list[str]
    once: list[str]
    session: list[str]
    always: list[str]
    contradictory: list[str] = Field(default_factory=list)
    again: list[str] = Field(default_factory=list)


@cache
def answer_phrases() -> Sequence[AnswerPhrases]:
    """Returns the phrases of all languages. Loading takes 50 ms.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file and line of each mistake.
    """
    return [read_form(path, AnswerPhrases, LARGEST_FILE) for path in sorted(LANGUAGES.glob("*/answers.yaml"))]


def asks_for_repetition(text: str) -> bool:
    """Returns whether a text only asks to repeat the last command. Ignores words such as "please"."""
    again, fillers = _repetitions()
    words = tuple(word for word in spoken(text) if word[0].isalnum())
    while words and words not in again:
        shorter = [words[len(one) :] for one in fillers if words[: len(one)] == one]
        shorter += [words[: -len(one)] for one in fillers if words[-len(one) :] == one]
        words = min(shorter, key=len, default=())
    return bool(words)


@cache
def _repetitions() -> tuple[Collection[tuple[str, ...]], Collection[tuple[str, ...]]]:
    """Returns the phrases that ask for a repetition, and the phrases without meaning, in all languages."""
    again = {spoken(phrase) for phrases in answer_phrases() for phrase in phrases.again}
    fillers = {spoken(phrase) for phrases in answer_phrases() for phrase in phrases.filler}
    return again, fillers


def spoken(text: str) -> tuple[str, ...]:
    """Returns the words and punctuation marks of a text. Removes accents, because people often omit accents."""
    return tuple(_without_accents(word.text) for word in words_of(text))


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
