"""Emotions and dances by the names people give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MEANINGS = (
    "joy joyful happy happiness glad cheerful cheer cheerfulness delight delighted merry smile smiling overjoyed "
    "elated jolly ecstatic joyous glee gleeful pleased bliss blissful",
    "sadness sad sorrow sorrowful unhappy gloomy miserable grief heartbroken upset depressed gloom tearful "
    "melancholy melancholic crying",
    "anger angry mad furious rage annoyed annoyance irritated grumpy cross livid enraged outraged irate",
    "surprise surprised astonishment astonished amazed amazement shocked shock startled stunned flabbergasted "
    "astounded",
    "fear scared afraid fearful frightened terrified anxious anxiety fright nervous panicked panic spooked worried "
    "horror horrified",
    "disgust disgusted revolted revulsion grossed nauseated repulsed",
    "curiosity curious interested interest inquisitive intrigued nosy",
    "love loving affection affectionate tenderness adoration infatuated smitten lovestruck",
    "tiredness tired sleepy sleepiness exhausted exhaustion drowsy weary fatigued fatigue",
    "boredom bored boring uninterested",
    "confusion confused puzzled puzzlement perplexed baffled bewildered bafflement clueless",
    "excitement excited enthusiasm enthusiastic thrilled pumped hyped eager",
    "pride proud",
    "shyness shy embarrassed embarrassment ashamed shame bashful coy timid",
    "calm calmness relaxed serenity serene peaceful serenity peace content tranquil zen",
    "gratitude grateful thankful",
    "thinking thoughtful pensive thought contemplative",
    "agreement agreeing approval",
    "refusal refusing disagreement disagreeing disapproval",
    "laughter laughing amused amusement hilarity",
    "relief relieved",
    "greeting welcoming",
    "farewell goodbye",
    "attention attentive alert attentiveness",
    "doubt doubtful doubting skeptical sceptical skepticism unconvinced suspicious",
    "impatience impatient",
    "disappointment disappointed letdown",
    "apology apologetic sorry regret regretful remorse",
    "mischief mischievous cheeky naughty playful",
    "sympathy sympathetic compassion compassionate empathy",
    "neutral",
)


class Vocabulary:
    """What the robot can express, and the words for it.

    Args:
        emotions: Names the tool `express_emotion` knows.
        dances: Names the tool `dance` knows; the first is danced when none is named.
    """

    def __init__(self, emotions: Sequence[str], dances: Sequence[str]) -> None:
        self.emotions = tuple(emotions)
        self.dances = tuple(dances)
        self._emotions = {word: name for name in emotions for word in _words_for(name)}
        self._emotions.update({spoken(name): name for name in emotions})
        self._dances = {spoken(name): name for name in dances}
        self.default_dance = dances[0] if dances else None

    def __eq__(self, other: object) -> bool:
        """Whether both have the same names: each new list of tools brings one, mostly with nothing new in it."""
        return isinstance(other, Vocabulary) and (self.emotions, self.dances) == (other.emotions, other.dances)

    def __hash__(self) -> int:
        return hash((self.emotions, self.dances))

    def emotion(self, word: str) -> str | None:
        """Name of the emotion a word stands for, None if the robot has none such."""
        return self._emotions.get(word)

    def dance(self, words: str) -> str | None:
        """Name of the dance of that spoken name, with or without the word dance."""
        return self._dances.get(words) or self._dances.get(words.removesuffix(" dance"))

    def dance_in(self, sentence: str) -> str | None:
        """Spoken name of the dance that a sentence names, the longest if they overlap."""
        return max((name for name in self._dances if f" {name} " in f" {sentence} "), key=len, default=None)


def vocabulary_of(schemas: Mapping[str, Mapping[str, Any]]) -> Vocabulary:
    """Reads it from the JSON Schemas of the tools by name, which is where the robot says what it can do."""
    return Vocabulary(_choices(schemas, "express_emotion", "emotion"), _choices(schemas, "dance", "dance"))


def spoken(name: str) -> str:
    """A name as it is said."""
    return name.replace("_", " ").replace("-", " ").lower()


def _words_for(name: str) -> Sequence[str]:
    return next((group for group in map(str.split, _MEANINGS) if name.lower() in group), ())


def _choices(schemas: Mapping[str, Mapping[str, Any]], tool: str, argument: str) -> Sequence[str]:
    field = schemas.get(tool, {}).get("properties", {}).get(argument, {})
    return tuple(field.get("enum", ())) or tuple(filter(None, (field.get("const"),)))
