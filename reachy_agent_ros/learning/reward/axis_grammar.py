"""Which way to correct, by the words that name it: a sentence's vector blurs left with right and up with down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reachy_agent_ros.learning.reward.reading import rows_of
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
"""Of each direction that has one."""

_SPEAKING = re.compile("say|speak|speech|volume|voice|talk|sing")
_SPOKEN = {Axis.PITCH_UP: Axis.LOUDER, Axis.PITCH_DOWN: Axis.QUIETER}
"""What "higher" and "lower" mean of a voice."""

_PATTERNS = dict(rows_of("axis_words.tsv"))


def _patterns(kind: str) -> dict[Axis, str]:
    """Of each axis that has some, the parts put in."""
    parts = {f"<{name.removeprefix('part ')}>": words for name, words in _PATTERNS.items() if name.startswith("part ")}
    found: dict[Axis, str] = {}
    for name, words in _PATTERNS.items():
        if name.startswith(kind):
            found[Axis(name.removeprefix(f"{kind} "))] = re.sub("|".join(parts), lambda part: parts[part[0]], words)
    return found


_QUALITIES = _patterns("quality")
"""What there may be too much of; having more of it is the axis."""

_WANTED = _patterns("request")
"""What asks for more of the axis as such."""

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
"""Volume, size and speed go up and down too."""

_SIDEWAYS = {"left": Axis.YAW_LEFT, "right": Axis.YAW_RIGHT}


def axes_of(words: str, act: str = "") -> tuple[Axis, ...]:
    """The corrective directions that an utterance names, in no order.

    Args:
        words: As `Reading.text` holds them.
        act: The skill or tool that it is about; "lower" means another thing of a voice than of a head.
    """
    return meant_of(list(dict.fromkeys(_found(words))), act)


def meant_of(axes: Sequence[Axis], act: str) -> tuple[Axis, ...]:
    """What directions that were named mean of an act, without those that contradict or explain one another."""
    if _SPEAKING.search(act):
        axes = [_SPOKEN.get(axis, axis) for axis in axes]
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
