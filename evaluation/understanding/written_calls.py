"""Comparison of recognized commands with the calls that writers expected.

The writers knew the abilities of the robot, but not its code.

The writer gives the sign of an angle instead of a number that the sentence does not contain ("+" or "-"), and names the
pose of the antennas instead of their angles. Free text is compared only where it is spoken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.decision import Decision
from reachy_agent_ros.nlu.templates.language import LANGUAGES, load_language
from reachy_agent_ros.nlu.templates.slot_finder import SlotFinder
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

Call = tuple[str, Mapping[str, Any]]

_FARTHEST_TURN = 160.0
"""Farthest turn of the body, degrees. A writer's half turn is one to either side, as far as the body turns."""

_TOLERANCE = 1.0
"""Accepted distance of a number, in its unit."""

_TOOLS = {"volume": "set_volume"}
"""Tools that the writer calls by another name."""

_ARGUMENTS = {"level_percent": "level"}
"""Arguments that the writer calls by another name."""

_FREE_TEXT = frozenset(("remember", "recall", "set_alarm", "set_reminder", "teach_object"))
"""Tools whose text or time has no single right wording."""

_ANGLES = ("yaw_deg", "pitch_deg", "roll_deg", "x_mm", "y_mm", "z_mm")
_ARTICLES = frozenset(("the", "a", "an", "my", "your"))
_PEOPLE = frozenset(("face", "me", "person", "user", "you", "speaker"))
_VOCABULARY = Vocabulary(emotions(), dances())


def performed(decision: Decision) -> list[Call]:
    """Converts a decision to calls in the notation of the expected calls."""
    calls: list[Call] = []
    for action in decision.actions:
        if action.tool == "set_antennas" and calls and calls[-1][0] == "set_antennas":
            calls[-1] = ("set_antennas", {**calls[-1][1], "pose": "wiggle"})
        elif action.tool == "set_antennas":
            calls.append(("set_antennas", _antennas(action.arguments)))
        elif action.tool == "take_photo" and decision.wants_description:
            calls.append(("detect_objects", {}))
        else:
            calls.append((action.tool, {_ARGUMENTS.get(name, name): value for name, value in action.arguments.items()}))
    return calls


def matches(expected: Sequence[Mapping[str, Any]], calls: Sequence[Call], language: str = "en") -> bool:
    """Returns whether the calls match the expected calls, in the same order.

    Args:
        expected: Expected calls. Objects have the names that the writer used.
        calls: Calls in the same notation. Objects have the English names that detectors use, if there are any.
        language: ISO 639-1 code of the writer's language.
    """
    if len(expected) != len(calls):
        return False
    pairs = zip(expected, calls, strict=True)
    return all(any(_matches(one, call) for one in (wanted, *_in_english(wanted, language))) for wanted, call in pairs)


def _in_english(expected: Mapping[str, Any], language: str) -> list[Mapping[str, Any]]:
    """Returns an expected call with each English name that the language's word list has for words of its object."""
    name = expected["arguments"].get("name")
    words = () if name is None else [word.text for word in tokens_of(str(name), language)]
    objects = _slot_finder(language).find(words).values.get("object", ())
    return [{**expected, "arguments": {**expected["arguments"], "name": named}} for named in objects]


@cache
def _slot_finder(language: str) -> SlotFinder:
    return SlotFinder(load_language(LANGUAGES / language).common)


def _antennas(arguments: Mapping[str, Any]) -> dict[str, str]:
    sides = [side for side in ("right", "left") if f"{side}_deg" in arguments]
    pose = "down" if any(arguments[f"{side}_deg"] for side in sides) else "up"
    return {"pose": pose, "side": sides[0] if len(sides) == 1 else "both"}


def _matches(expected: Mapping[str, Any], call: Call) -> bool:
    tool = _TOOLS.get(expected["name"], expected["name"])
    wanted: Mapping[str, Any] = expected["arguments"]
    made, arguments = call
    if tool != made:
        return False
    if tool == "rotate_body" and wanted.get("yaw_deg") in (180, -180):
        return bool(abs(arguments.get("yaw_deg", 0.0)) == _FARTHEST_TURN)
    if tool == "move_head" and {name for name in _ANGLES if wanted.get(name)} != {
        name for name in _ANGLES if arguments.get(name)
    }:
        return False
    return all(_fits(tool, name, value, arguments.get(name)) for name, value in wanted.items())


def _fits(tool: str, name: str, wanted: Any, given: Any) -> bool:
    """Returns whether an argument has the expected value."""
    if tool in _FREE_TEXT or (name, wanted) == ("side", "both"):
        return True
    if wanted in ("+", "-"):
        return isinstance(given, int | float) and bool(given > 0 if wanted == "+" else given < 0)
    if isinstance(wanted, bool):
        return given is wanted
    if isinstance(wanted, int | float):
        default = 1 if name == "repetitions" else 0
        return bool(abs((default if given is None else given) - wanted) <= _TOLERANCE)
    if name == "emotion":
        return bool(given == (_VOCABULARY.emotion(str(wanted).lower()) or wanted))
    return _same_words(str(wanted), str(given), is_name=name == "name")


def _same_words(wanted: str, given: str, is_name: bool) -> bool:
    """Returns whether two texts have the same words.

    Names also match if both refer to a person, or if their last words are the same.
    """
    ours, theirs = (_words(text) for text in (given, wanted))
    if ours == theirs:
        return True
    is_person = _PEOPLE.intersection(ours[:1]) and _PEOPLE.intersection(theirs[:1])
    return is_name and bool(is_person or (ours and theirs and ours[-1] == theirs[-1]))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in _ARTICLES]
