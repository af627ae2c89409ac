"""What can be counted in an utterance: praise and blame with what negates them, grammar, and marks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from reachy_agent_ros.learning.reward.axis_grammar import axes_of
from reachy_agent_ros.learning.reward.reading import MARKS, Reading, lexicon, rows_of

_NEGATORS = frozenset(
    [
        "not",
        "never",
        "hardly",
        "scarcely",
        "barely",
        "without",
        "nothing",
        "nobody",
        "none",
        "neither",
        "nor",
        "cannot",
        "dont",
        "didnt",
        "isnt",
        "wasnt",
        "cant",
        "wont",
        "doesnt",
        "couldnt",
        "wouldnt",
        "shouldnt",
        "arent",
        "havent",
        "hasnt",
        "aint",
        "wouldn't",
        "less",
        "lacks",
        "fails",
        "failed",
        "stopped",
    ]
)
_SCOPE = 4
"""Words after a negation that it may turn round; a mark or a new clause ends it."""

_CLAUSE = frozenset(["but", "though", "although", "however", "yet", "then", "until", "except"])
_SUBJECTS = frozenset(["that", "this", "it", "you", "that's", "it's", "you're", "i"])
_PATTERNS = tuple(re.compile(pattern) for _, pattern in rows_of("cues.tsv"))
CUES = 26 + len(_PATTERNS)
"""How many numbers they are."""

_INSTEAD = re.compile(r"\b(?:instead|i (?:said|asked (?:you )?(?:for|about)|meant)|not (?:the|my|that)|the wrong)\b")


def cues_of(reading: Reading, act: str = "") -> list[float]:
    """Numbers of about 0 to 3 each, in one fixed order."""
    words = reading.words
    weights = _weights(words)
    good = [weight for weight in weights if weight > 0]
    bad = [weight for weight in weights if weight < 0]
    start = max((place + 1 for place, word in enumerate(words) if word in _CLAUSE), default=0)
    last = next((weight for weight in reversed(weights) if weight), 0.0)
    first = next((weight for weight in weights if weight), 0.0)
    negated = sum(word in _NEGATORS or word.endswith("n't") for word in words)
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
    """Valence of each word; a negation turns praise into blame, and blame into faint praise."""
    valence = lexicon().valence
    weights: list[float] = []
    reach = 0
    for place, word in enumerate(words):
        if word in MARKS or word in _CLAUSE:
            reach = 0
        elif word in _NEGATORS or word.endswith("n't"):
            reach = _SCOPE + 1
        elif word == "no" and place + 1 < len(words) and words[place + 1] not in _SUBJECTS:
            reach = 3
        weight = float(valence.get(word, 0))
        weights.append(-0.7 * weight if reach else weight)
        reach = max(0, reach - 1)
    return weights
