"""Vocabulary of objects, emotions and dances: everyday words, and the names that detectors and tools use for them."""

from __future__ import annotations

import re
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
    "doubt doubtful doubting skeptical sceptical skepticism unconvinced suspicious",  # codespell:ignore sceptical
    "impatience impatient",
    "disappointment disappointed letdown",
    "apology apologetic sorry regret regretful remorse",
    "mischief mischievous cheeky naughty playful",
    "sympathy sympathetic compassion compassionate empathy",
    "neutral",
)


class Vocabulary:
    """Emotions and dances of the robot, with the words that people use for them.

    Args:
        emotions: Names that the tool `express_emotion` accepts.
        dances: Names that the tool `dance` accepts.

    Attributes:
        joined_dances: Spoken names of dances that contain "and".
    """

    def __init__(self, emotions: Sequence[str], dances: Sequence[str]) -> None:
        self.emotions = tuple(emotions)
        self.dances = tuple(dances)
        self._emotions = {word: name for name in emotions for word in _words_for(name)}
        self._emotions.update({spoken(name): name for name in emotions})
        self._dances = {spoken(name): name for name in dances}
        self.joined_dances = tuple(name for name in self._dances if " and " in name)

    def __eq__(self, other: object) -> bool:
        """Compares vocabularies by their names, because every tool catalog creates a new, usually equal vocabulary."""
        return isinstance(other, Vocabulary) and (self.emotions, self.dances) == (other.emotions, other.dances)

    def __hash__(self) -> int:
        return hash((self.emotions, self.dances))

    def emotion(self, word: str) -> str | None:
        """Returns the name of the emotion that a word describes, or None if the robot does not have this emotion."""
        return self._emotions.get(word)

    def dance(self, words: str) -> str | None:
        """Returns the name of the dance with the spoken name `words`, with or without the word "dance"."""
        return self._dances.get(words) or self._dances.get(words.removesuffix(" dance"))

    def dance_in(self, sentence: str) -> str | None:
        """Returns the longest spoken name of a dance in a sentence, or None."""
        return max((name for name in self._dances if f" {name} " in f" {sentence} "), key=len, default=None)


def vocabulary_of(schemas: Mapping[str, Mapping[str, Any]]) -> Vocabulary:
    """Creates a vocabulary from the JSON Schemas of the tools (a map of tool names to schemas)."""
    return Vocabulary(_choices(schemas, "express_emotion", "emotion"), _choices(schemas, "dance", "dance"))


def spoken(name: str) -> str:
    """Returns the spoken form of a name: in lower case, with spaces instead of underscores and hyphens."""
    return name.replace("_", " ").replace("-", " ").lower()


def _words_for(name: str) -> Sequence[str]:
    return next((group for group in map(str.split, _MEANINGS) if name.lower() in group), ())


def _choices(schemas: Mapping[str, Mapping[str, Any]], tool: str, argument: str) -> Sequence[str]:
    field = schemas.get(tool, {}).get("properties", {}).get(argument, {})
    return tuple(field.get("enum", ())) or tuple(filter(None, (field.get("const"),)))


_NOUNS = (
    "apple croissant duck face cup mug bottle glass bowl plate fork knife spoon banana orange sandwich pizza cake "
    "book pen pencil phone laptop keyboard mouse remote ball clock vase chair plant lamp bag box key scissors toy cat "
    "dog bird umbrella wallet glasses sunglasses keys headphones charger cable camera tablet notebook monitor screen "
    "backpack handbag suitcase hat shoe sock jacket scarf glove towel pillow blanket sofa couch bed door window mirror "
    "toothbrush hairdryer bicycle car donut carrot broccoli lemon pear tomato potato cookie kettle pan pot teapot can "
    "jar basket bucket broom hammer screwdriver wrench stapler ruler eraser crayon marker envelope newspaper magazine "
    "puzzle doll balloon candle flower rose guitar speaker microphone television tv painting poster whiteboard "
    "doorbell watch ring necklace coin dice frisbee kite skateboard snowboard racket helmet robot"
)
_COMPOUNDS = (
    "teddy bear|tennis racket|tennis ball|cell phone|mobile phone|wine glass|potted plant|coffee cup|coffee mug|"
    "tea cup|water bottle|remote control|baseball bat|hair dryer|traffic light|lunch box|hot dog|soda can|pencil case"
)
_ALIKE = {
    "duck": "ducky duckie duckling",
    "face": "person human people somebody someone anybody anyone",
    "phone": "smartphone",
    "donut": "doughnut",  # codespell:ignore doughnut
    "sofa": "settee",
    "bicycle": "bike",
}
_NO_DETECTOR_SAYS = {
    "cell phone": "phone",
    "mobile phone": "phone",
    "potted plant": "plant",
    "coffee cup": "cup",
    "coffee mug": "mug",
    "tea cup": "cup",
    "water bottle": "bottle",
    "remote control": "remote",
}
_IRREGULAR_PLURALS = {"knives": "knife", "mice": "mouse"}

NOUNS = (
    {noun: noun for noun in _NOUNS.split()}
    | {noun: _NO_DETECTOR_SAYS.get(noun, noun) for noun in _COMPOUNDS.split("|")}
    | {word: noun for noun, words in _ALIKE.items() for word in words.split()}
)
"""Detector name of each noun for an object on a table or in a room. Other nouns are left to a model: the robot cannot
find a mistake or look at the time by turning its head."""

PLURALS = {
    (noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")): noun
    for noun in NOUNS
    if noun not in ("face", "people", "scissors", "glasses", "sunglasses", "keys", "headphones")
} | _IRREGULAR_PLURALS
"""Singular of each plural noun."""

_ADJECTIVES = (
    "little|small|big|large|tiny|tall|old|new|empty|full|nearest|closest|other|same|favou?rite|"
    "yellow|red|green|blue|black|white|brown|pink|purple|orange|grey|gray|silver|golden|rubber|toy|plastic|wooden|"
    "glass|metal|paper|coffee|tea|water"
)
_WHERE = (
    r"(?: (?:(?:on|from|in|at) (?:the|my|your|this|that) (?:table|desk|room|shelf|floor|chair|kitchen)|over there|"
    r"there|in here|in front of you|around|anywhere|next to (?:you|me)|around here|somewhere))*"
)

THING = (
    r"(?:(?:the|a|an|any|another|my|our|your|his|her|that|this|those|these|some) )?"
    rf"(?:(?:{_ADJECTIVES}) )*(?P<thing>{'|'.join(sorted([*NOUNS, *PLURALS], key=len, reverse=True))}){_WHERE}"
)
"""Pattern of an object, with the noun in the group `thing`."""

_COMPOUND = re.compile(rf"\b(?:{_COMPOUNDS})s?\b")


def thing_named(noun: str) -> str:
    """Returns the detector name for a noun that matches `THING`."""
    return NOUNS.get(noun) or NOUNS[PLURALS[noun]]


def compound_in(phrase: str) -> str | None:
    """Returns the first compound noun in a phrase, or None."""
    match = _COMPOUND.search(phrase)
    return None if match is None else match.group()
