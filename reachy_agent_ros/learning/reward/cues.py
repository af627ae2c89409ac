"""Features of the words of an utterance: numeric cues, and the directions of a correction.

Cues are praise and blame with their negations, grammar, and punctuation. Directions are extracted from the words,
because sentence embeddings confuse left with right and up with down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from reachy_agent_ros.learning.reward.reading import MARKS, FeedbackReading, lexicon, rows_of
from reachy_agent_ros.learning.score import Axis

_PAIRS = (
    (Axis.PITCH_UP, Axis.PITCH_DOWN),
    (Axis.YAW_LEFT, Axis.YAW_RIGHT),
    (Axis.ROLL_LEFT, Axis.ROLL_RIGHT),
    (Axis.SLOWER, Axis.FASTER),
    (Axis.LOUDER, Axis.QUIETER),
    (Axis.BIGGER, Axis.SMALLER),
    (Axis.LONGER, Axis.SHORTER),
    (Axis.CLOSER, Axis.FARTHER),
)
OPPOSITE = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""Opposite of each axis that has one."""

_SPEAKING = re.compile("say|speak|speech|volume|voice|talk|sing")
_SPOKEN = {Axis.PITCH_UP: Axis.LOUDER, Axis.PITCH_DOWN: Axis.QUIETER}
"""Meaning of "higher" and "lower" for a voice."""

_PLACE = re.compile(r"\b(?:far|further|farther|look\w*)\b")
"""Words that show that "up" and "down" are places, even after speech: nobody speaks too far down."""

_AXIS_PATTERNS = dict(rows_of("axis_words.tsv"))


def _patterns(kind: str) -> dict[Axis, str]:
    """Returns the patterns of one kind for each axis. Replaces references to named parts with these parts."""
    parts = {
        f"<{name.removeprefix('part ')}>": words for name, words in _AXIS_PATTERNS.items() if name.startswith("part ")
    }
    found: dict[Axis, str] = {}
    for name, words in _AXIS_PATTERNS.items():
        if name.startswith(kind):
            found[Axis(name.removeprefix(f"{kind} "))] = re.sub("|".join(parts), lambda part: parts[part[0]], words)
    return found


_QUALITIES = _patterns("quality")
"""Words for a quality that can be excessive, as in "too loud"; the axis is the direction that increases the quality."""

_WANTED = _patterns("request")
"""Words that directly request a move along the axis."""

_TOO_MUCH = r"too|overly|less|not so|not as|not that|not quite so|way too|far too|excessively|unnecessarily|needlessly"
_RATHER = (
    rf"{_TOO_MUCH}|a bit|a little|a trifle|a touch|a smidge|a hair|rather|somewhat|so|ever so|but|slightly|but to|tto"
    "|very|pretty|quite|awfully|terribly|really|going|just|only"
)
_SIDES = (Axis.YAW_LEFT, Axis.YAW_RIGHT)
_EXCESS = {
    axis: re.compile(
        rf"(?<!not )(?<!n't )\b(?:{_TOO_MUCH if axis in _SIDES else _RATHER})(?: too| much| damn| far)?"
        rf" (?:{words})\b(?! enough)"
    )
    for axis, words in _QUALITIES.items()
}
_LACK = {axis: re.compile(rf"\b(?:{words}) enough\b") for axis, words in _QUALITIES.items()}
_REQUEST = {axis: re.compile(rf"\b(?:{words})\b") for axis, words in _WANTED.items()}
_TILT = re.compile(r"\b(?:tilt\w*|roll|rolled|lean|leaning|tip|cock)\b.*?\b(left|right)\b")
_TOO_TILTED = re.compile(r"\b(?:too|less|not so)\b")
_BEYOND = re.compile(
    r"\b(?:overshot|overshoots?|drift\w*|veer\w*|(?:went|gone|go) past)(?! \w+ more)\b.*?"
    r"\b(left|right|down\w*|(?<!ended )up\w*)\b"
)
_EXPLAINED = {Axis.PITCH_UP: {Axis.LOUDER, Axis.FASTER}, Axis.PITCH_DOWN: {Axis.QUIETER, Axis.SMALLER, Axis.SLOWER}}
"""Axes for which people also say "up" and "down". If such an axis is named too, it explains these words."""

_SIDEWAYS = {"left": Axis.YAW_LEFT, "right": Axis.YAW_RIGHT}


def axes_of(words: str, act: str = "") -> tuple[Axis, ...]:
    """Returns the corrections that an utterance mentions, in no particular order.

    Args:
        words: Text of a `FeedbackReading`.
        act: The judged skill or tool; "lower" has a different meaning for a voice than for the head.
    """
    return meant_of(list(_found(words)), "" if _PLACE.search(words) else act)


def meant_of(axes: Sequence[Axis], act: str) -> tuple[Axis, ...]:
    """Interprets the directions in an utterance for an action. Drops contradictory and redundant directions."""
    if _SPEAKING.search(act):
        axes = [_SPOKEN.get(axis, axis) for axis in axes]
    axes = list(dict.fromkeys(axes))
    return tuple(
        axis for axis in axes if OPPOSITE.get(axis) not in axes and _EXPLAINED.get(axis, set()).isdisjoint(axes)
    )


def _found(words: str) -> Iterator[Axis]:
    tilted = _TILT.search(words)
    if tilted:
        wanted = Axis.ROLL_LEFT if tilted[1] == "left" else Axis.ROLL_RIGHT
        yield OPPOSITE[wanted] if _TOO_TILTED.search(words) else wanted
        return
    beyond = _BEYOND.search(words)
    if beyond:
        up_or_down = Axis.PITCH_UP if beyond[1].startswith("up") else Axis.PITCH_DOWN
        yield OPPOSITE[_SIDEWAYS.get(beyond[1], up_or_down)]
        return
    excess = [axis for axis, pattern in _EXCESS.items() if pattern.search(words)]
    yield from (OPPOSITE[axis] for axis in excess)
    yield from (axis for axis, pattern in _LACK.items() if pattern.search(words))
    yield from (axis for axis, pattern in _REQUEST.items() if pattern.search(words) and axis not in excess)


_NEGATION = re.compile(
    r"not|never|hardly|scarcely|barely|without|nothing|nobody|none|neither|nor|cannot|less|lacks|fails|failed|stopped"
    r"|.*n't|(?:do|did|is|was|ca|wo|does|could|would|should|are|have|has|ai)nt"
)
"""Negations, including those with a missing apostrophe."""

_SCOPE = 4
"""Number of words that a negation affects; punctuation or a new clause ends it."""

_CLAUSE = frozenset(["but", "though", "although", "however", "yet", "then", "until", "except"])
_SUBJECTS = frozenset(["that", "this", "it", "you", "that's", "it's", "you're", "i"])
_PATTERNS = tuple(re.compile(pattern) for _, pattern in rows_of("cues.tsv"))
CUES = 26 + len(_PATTERNS)
"""Number of cues."""

_INSTEAD = re.compile(r"\b(?:instead|i (?:said|asked (?:you )?(?:for|about)|meant)|not (?:the|my|that)|the wrong)\b")


def cues_of(reading: FeedbackReading, act: str = "") -> list[float]:
    """Returns the numeric cues of an utterance in a fixed order, as a list of length `CUES`.

    Each cue is about -1.5 to 3.
    """
    words = reading.words
    weights = _weights(words)
    good = [weight for weight in weights if weight > 0]
    bad = [weight for weight in weights if weight < 0]
    start = max((place + 1 for place, word in enumerate(words) if word in _CLAUSE), default=0)
    last = next((weight for weight in reversed(weights) if weight), 0.0)
    first = next((weight for weight in weights if weight), 0.0)
    negated = sum(_NEGATION.fullmatch(word) is not None for word in words)
    axes = axes_of(reading.text, act)
    return [
        math.tanh(sum(weight for weight in good if weight % 1)),
        math.tanh(sum(weight for weight in bad if weight % 1)),
        math.tanh(sum(good) / 2),
        math.tanh(sum(bad) / 2),
        math.tanh(sum(weights) / 2),
        max(good, default=0.0) / 2,
        min(bad, default=0.0) / 2,
        last / 2,
        first / 2,
        math.tanh(sum(weights[start:]) / 2) if start else 0.0,
        math.tanh(sum(weights[:start]) / 2) if start else 0.0,
        float(start > 0),
        float(bool(good) and bool(bad)),
        float(not good and not bad),
        float(min(negated, 2)),
        math.tanh(sum(weights) / math.sqrt(max(1, len(words)))),
        math.log1p(len(words)) / 2,
        float(len(words) <= 2),
        float(not words),
        reading.shouted,
        float(reading.stretched),
        reading.foreign,
        float(bool(axes)),
        float(len(axes) > 1),
        float(bool(_INSTEAD.search(reading.text))),
        float(any(word.isdigit() for word in words)),
        *(float(bool(pattern.search(reading.text))) for pattern in _PATTERNS),
    ]


def _weights(words: Sequence[str]) -> list[float]:
    """Returns the valence of each word. A negation turns praise into blame, and blame into weak praise."""
    valence = lexicon().valence
    weights: list[float] = []
    reach = 0
    for place, word in enumerate(words):
        if word in MARKS or word in _CLAUSE:
            reach = 0
        elif _NEGATION.fullmatch(word):
            reach = _SCOPE + 1
        elif word == "no" and place + 1 < len(words) and words[place + 1] not in _SUBJECTS:
            reach = 3
        weight = float(valence.get(word, 0))
        weights.append(-0.7 * weight if reach else weight)
        reach = max(0, reach - 1)
    return weights
