"""English sentences of the tests of command recognition, with the intent of the calls that they expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from reachy_agent_ros.nlu.templates.intent_classifier import NONE, SEVERAL

FOLDER = Path("test/nlu")
KEPT_FOR_THE_TEST = "unseen"
"""Part of `phrasings.tsv` that is not for training."""

_DESCRIPTION = " +description"
_ASK = "ask"

_HEAD = ("yaw_deg", "pitch_deg", "roll_deg")
_PLAIN = {
    "detect_objects": "detect_objects",
    "find_object": "find_object",
    "get_robot_state": "get_robot_state",
    "take_photo": "take_photo",
    "dance": "dance",
    "wait": "wait",
}
"""Intent of each tool whose calls have the same intent with any arguments."""


def phrasings() -> Iterator[tuple[str, str, str]]:
    """Yields the intent, author and text of each sentence, unless no intent has the calls that it expects."""
    for part, text, expected in _rows("phrasings.tsv"):
        if part != KEPT_FOR_THE_TEST:
            yield from _labeled(text, expected)
    for text, kind, actions in _rows("free_phrases.tsv"):
        yield from _labeled(text, actions or kind)


def _rows(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [*line.split("\t"), "", ""][:3]


def _labeled(text: str, expected: str) -> Iterator[tuple[str, str, str]]:
    intent = NONE if expected == "defer" else None if expected == _ASK else _intent(expected)
    if intent is not None:
        yield intent, "phrasings", text


def _intent(expected: str) -> str | None:
    """Returns the intent of expected calls, or None if no intent has these calls, or the robot asks."""
    calls = [call.split() for call in expected.removesuffix(_DESCRIPTION).split("; ")]
    if expected.endswith(_DESCRIPTION):
        return "describe_scene" if calls == [["take_photo"]] else SEVERAL
    if len(calls) > 1:
        return "antennas_wiggle" if {call[0] for call in calls} == {"set_antennas"} else SEVERAL
    (tool, *arguments) = calls[0]
    values = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    if tool in _PLAIN:
        return _PLAIN[tool]
    return {
        "move_head": _of_head,
        "rotate_body": _of_body,
        "set_antennas": _of_antennas,
        "gesture": lambda values: values["gesture"],
        "express_emotion": lambda values: f"express_emotion emotion={values['emotion']}",
        "look_at_object": lambda values: "look_at_me" if values["name"] == "face" else "look_at_object",
        "head_tracking": lambda values: "follow_me" if values["enabled"] == "True" else "stop_following",
    }.get(tool, lambda _values: None)(values)


def _of_head(values: Mapping[str, str]) -> str | None:
    turned = {name for name in _HEAD if float(values.get(name, 0.0))}
    if not turned:
        return "look_straight"
    if not turned <= set(_HEAD):
        return None
    if turned == {"yaw_deg"}:
        return f"look direction={'left' if float(values['yaw_deg']) > 0.0 else 'right'}"
    if turned == {"pitch_deg"}:
        return f"look direction={'down' if float(values['pitch_deg']) > 0.0 else 'up'}"
    return "tilt_head" if turned == {"roll_deg"} else None if "roll_deg" in turned else "look"


def _of_body(values: Mapping[str, str]) -> str:
    angle = abs(float(values["yaw_deg"]))
    return "turn_body_straight" if angle == 0.0 else "turn_around" if angle == 160.0 else "turn_body"


def _of_antennas(values: Mapping[str, str]) -> str:
    angles = [float(value) for name, value in values.items() if name.endswith("_deg")]
    return "antennas_down" if any(angles) else "antennas_up"
