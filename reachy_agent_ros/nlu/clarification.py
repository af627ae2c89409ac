"""Clarifying questions: formulation of the alternatives, and recognition of the answer.

The alternatives are worded to fit into a question: "Should I look left, or turn my body to the left?".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reachy_agent_ros.nlu.answer import read_answer
from reachy_agent_ros.nlu.clause import MOST_REPETITIONS, Clause, take_apart
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.nlu.direction import DIRECTION, head_angles
from reachy_agent_ros.nlu.text import joined, words_of

_PART = re.compile(
    r"(?:(?:i mean|i meant|turn|move|only|with|rotate|it is|that is) )*"
    r"(?:(?:your|the|my) )?(?:whole )?(?P<part>head|body)"
)
_DIRECTION = re.compile(DIRECTION)
_PLACES = ("first", "second", "third", "former")
_PLACE = re.compile(rf"(?:the )?(?P<place>{'|'.join(_PLACES)}|latter|last)(?: (?:1|one|option|thing))?")
_NO_CONTENT = frozenset(("the", "your", "my", "a", "to", "you", "i", "mean", "meant", "should", "do", "one", "1", "at"))
_TOOLS = {"head": "move_head", "body": "rotate_body"}


def choose(text: str, asked: Decision) -> Decision | None:
    """Selects the alternative that an answer names.

    Args:
        text: Answer: a part of the body, a direction, "the first one", words of the question, or yes if there is a
            single alternative.
        asked: Decision with the question.

    Returns:
        Decision to carry out the alternative, or None if the text does not answer the question.
    """
    clause = take_apart(joined(word for word in words_of(text) if not word.is_mark))
    answer = read_answer(text) if len(asked.alternatives) == 1 else None
    if answer is not None and answer.approve:
        chosen: Sequence[tuple[Action, ...]] = asked.alternatives
    else:
        chosen = [actions for actions in asked.alternatives if _names(clause, actions)] or _worded(clause, asked)
    if len(chosen) != 1:
        return None
    return Decision(
        DecisionKind.ACT,
        actions=chosen[0],
        confidence=1.0,
        wants_description=asked.wants_description,
        remainder=asked.remainder,
    )


def _worded(clause: Clause, asked: Decision) -> Sequence[tuple[Action, ...]]:
    """Returns the alternatives that an answer selects by position or by words from the question."""
    place = _PLACE.fullmatch(clause.core)
    if place is not None:
        index = -1 if place["place"] in ("last", "latter") else _PLACES.index(place["place"]) % 3
        return asked.alternatives[index:][:1]
    said = set(clause.core.split()) - _NO_CONTENT
    words = [set(wording(actions).split()) for actions in asked.alternatives]
    if not said or not said <= set().union(*words):
        return ()
    return [actions for actions, known in zip(asked.alternatives, words, strict=True) if said <= known]


def _names(clause: Clause, actions: Sequence[Action]) -> bool:
    part = _PART.fullmatch(clause.core)
    if part is not None:
        return actions[0].tool == _TOOLS[part["part"]]
    direction = _DIRECTION.fullmatch(clause.core)
    if direction is None or actions[0].tool != "move_head":
        return False
    angles = head_angles((direction["first"], direction["second"]), clause) or {}
    given = {name: value for name, value in actions[0].arguments.items() if name.endswith("_deg")}
    return angles.keys() == given.keys() and all(angles[name] * given[name] > 0.0 for name in given)


def wording(actions: Sequence[Action]) -> str:
    """Describes actions in the first person, for example "turn my body to the left"."""
    known = dict.fromkeys(_worded_action(action) for action in actions)
    return " and ".join(known)


def _worded_action(action: Action) -> str:
    words = _WORDINGS.get(action.tool)
    return f"use {action.tool.replace('_', ' ')}" if words is None else words(action.arguments)


def _worded_head(arguments: Mapping[str, Any]) -> str:
    yaw, pitch, roll = (arguments.get(f"{axis}_deg", 0.0) for axis in ("yaw", "pitch", "roll"))
    looks = [_sign(pitch, "down", "up"), _sign(yaw, "to the left", "to the right")]
    look = " ".join(["look", *filter(None, looks)]) if any(looks) else ""
    tilt = _sign(roll, "tilt my head to the right", "tilt my head to the left")
    return " and ".join(filter(None, [look, tilt])) or "look straight ahead"


def _antennas(arguments: Mapping[str, Any]) -> str:
    right, left = arguments.get("right_deg", 0.0), arguments.get("left_deg", 0.0)
    sides = [side for side in ("right", "left") if f"{side}_deg" in arguments]
    antennas = f"my {sides[0]} antenna" if len(sides) == 1 else "my antennas"
    if not right and not left:
        return f"raise {antennas}"
    return f"lower {antennas}" if right <= 0.0 <= left else f"wiggle {antennas}"


def _body(arguments: Mapping[str, Any]) -> str:
    return f"turn my body {_sign(arguments.get('yaw_deg', 0.0), 'to the left', 'to the right') or 'to the front'}"


_GESTURES = {
    "nod": "nod",
    "shake": "shake my head",
    "tilt": "tilt my head",
    "look_around": "look around",
    "wake_up": "wake up",
    "go_to_sleep": "go to sleep",
}


def _volume(arguments: Mapping[str, Any]) -> str:
    if "level_percent" in arguments:
        return f"set my volume to {arguments['level_percent']} percent"
    return "raise my volume" if arguments.get("change") == "up" else "lower my volume"


_WORDINGS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "analyze_scene": lambda _arguments: "look at the scene and answer",
    "detect_objects": lambda _arguments: "list what I see",
    "dance": lambda arguments: f"dance the {str(arguments.get('dance')).replace('_', ' ')}{_times(arguments)}",
    "express_emotion": lambda arguments: f"show {arguments.get('emotion')}",
    "find_object": lambda arguments: f"search for the {arguments.get('name')}",
    "gesture": lambda arguments: _GESTURES.get(str(arguments.get("gesture")), "make a gesture") + _times(arguments),
    "get_robot_state": lambda _arguments: "report my pose",
    "sweep_look": lambda _arguments: "look around for somebody",
    "head_tracking": lambda arguments: "follow your face" if arguments.get("enabled") else "stop following you",
    "look_at_object": lambda arguments: f"look at the {arguments.get('name')}",
    "look_at": lambda _arguments: "look at that point",
    "look_at_image": lambda _arguments: "look at that pixel",
    "play_move": lambda arguments: f"play {arguments.get('name')}",
    "move_head": _worded_head,
    "rotate_body": _body,
    "set_antennas": _antennas,
    "speak": lambda arguments: f'say "{arguments.get("text")}"',
    "set_volume": _volume,
    "wait": lambda arguments: f"wait for {arguments.get('duration_s'):g} seconds",
    "take_photo": lambda _arguments: "take a photo",
    "set_timer": lambda arguments: f"set a timer for {arguments.get('duration_s'):g} seconds",
    "change_timer": lambda arguments: "shorten the timer" if arguments["change_s"] < 0.0 else "extend the timer",
    "set_alarm": lambda arguments: f'set an alarm: "{arguments.get("time")}"',
    "set_reminder": lambda arguments: f'remind you: "{arguments.get("text")}"',
    "cancel_schedule": lambda arguments: f"cancel the {arguments.get('kind', 'timer')}",
    "list_schedule": lambda arguments: f"list your {arguments.get('kind') or 'timer'}s",
    "remember": lambda arguments: f'remember "{arguments.get("text")}"',
    "recall": lambda _arguments: "search my memory",
    "forget": lambda arguments: f"forget everything about {arguments.get('what')}",
    "add_to_list": lambda arguments: f"put {', '.join(arguments['items'])} on your list",
    "remove_from_list": lambda arguments: f"take {', '.join(arguments['items'])} off your list",
    "read_list": lambda _arguments: "read your list",
    "watch_scene": lambda arguments: f"watch for {arguments.get('name') or 'something new'}",
    "list_jobs": lambda _arguments: "say what I do in the background",
    "cancel_job": lambda _arguments: "stop what I do in the background",
    "current_time": lambda _arguments: "tell the time",
    "teach_object": lambda arguments: f"learn what {arguments.get('name')} looks like",
    "follow_object": lambda arguments: f"follow the {arguments.get('name')}",
    "read_text": lambda _arguments: "read the text in front of me",
    "set_pace": lambda _arguments: "change my speed",
    "mirror_pose": lambda _arguments: "mirror your pose",
    "repeat_after_me": lambda _arguments: "repeat what you say",
    "undo": lambda _arguments: "undo what I did last",
    "pause": lambda _arguments: "pause",
    "resume": lambda _arguments: "go on",
}


def _times(arguments: Mapping[str, Any]) -> str:
    """Returns a description of the number of repetitions, such as " 5 times", if it is the maximum, otherwise ""."""
    repetitions = arguments.get("repetitions", 1)
    return f" {repetitions} times" if repetitions == MOST_REPETITIONS else ""


def _sign(angle: float, positive: str, negative: str) -> str:
    return positive if angle > 0.0 else negative if angle < 0.0 else ""
