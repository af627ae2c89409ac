"""Reports on actions: what the robot has done, what it has found out, or why an action failed.

A report claims only what a result confirms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.phrases import UNITS, ability, listed
from reachy_agent_ros.agent.small_talk_replies import LEAST_SCORE, NOT_KNOWN, met, named
from reachy_agent_ros.agent.toolbox.spoken_tool import SpokenError
from reachy_agent_ros.agent.toolbox.tool_names import JOB_TOOLS, SCHEDULE_TOOLS
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.personal_facts import name_in
from reachy_agent_ros.tools.protocol.tool_arguments import ArgumentLimitError
from reachy_agent_ros.vision.seen_things import sentence_about


def done(actions: Sequence[Action], results: Sequence[str]) -> str:
    """Describes completed actions in the past tense, with their results; empty if no action has a description.

    Args:
        actions: Successful actions.
        results: Results of the actions as JSON.
    """
    deeds = _deeds(actions)
    if sum(action.tool == "move_head" for action in actions) > 3:
        deeds = list(
            dict.fromkeys("moved my head" if deed.startswith(("looked", "tilted")) else deed for deed in deeds)
        )
    answers = [
        _ANSWERS[action.tool](json.loads(result))
        for action, result in zip(actions, results, strict=True)
        if action.tool in _ANSWERS
    ]
    summary = [f"I {listed(deeds)}."] if deeds else []
    return " ".join(filter(None, summary + answers))


def last_done(actions: Sequence[Action]) -> str:
    """Answers a question about what the robot did last.

    Args:
        actions: Successful actions of the last command; empty if it failed, or there was no command.
    """
    deeds = _deeds(actions)
    return f"I {listed(deeds)}." if deeds else "I did not complete any action just now."


def reason(command: str, actions: Sequence[Action]) -> str:
    """Answers the question why the robot did what it did last.

    Args:
        command: What the person said.
        actions: Successful actions of this command; empty if it failed, or there was no command.
    """
    deeds = _deeds(actions)
    return f'I {listed(deeds)}, because you said "{command}".' if deeds else last_done(actions)


def reason_of_announcement(text: str) -> str:
    """Answers the question why the robot announced something. It only announces what somebody has asked for."""
    return f'I said "{text}" because you had asked me to tell you.'


def failed(action: Action, error: AgentError) -> str:
    """Returns a reply that reports a failed action and the reason, without technical details."""
    if isinstance(error, SpokenError) or error.message.startswith("I "):
        return error.message  # the message is already in the robot's words
    if error.code is ErrorCode.UNKNOWN_TOOL:
        return f"I cannot {ability(action.tool)} yet."
    if isinstance(error, ArgumentLimitError) and error.argument.rpartition("_")[2] in UNITS:
        unit = UNITS[error.argument.rpartition("_")[2]]
        return f"I could not {ability(action.tool)} like that: my limit is {abs(error.limit):g} {unit}s."
    return f"I could not {ability(action.tool)}: {_lower_first(phrases.reason(error))}"


def cannot_undo(tool: str) -> str:
    """Returns the reply that an act of a tool cannot be undone."""
    return f"I cannot undo that: to {ability(tool)} is final."


def changes_something(actions: Sequence[Action]) -> bool:
    """Returns whether actions do more than measure or speak, so that "what did you just do?" asks about them."""
    return bool(_deeds(actions))


def _deeds(actions: Sequence[Action]) -> list[str]:
    """Returns actions in the past tense, each only once."""
    return list(dict.fromkeys(deed for action in actions if (deed := _deed(action))))


def _deed(action: Action) -> str:
    deed = _DEEDS.get(action.tool)
    return f"used the tool {action.tool.replace('_', ' ')}" if deed is None else deed(action.arguments)


def _head(arguments: Mapping[str, Any]) -> str:
    yaw, pitch, roll = (arguments.get(f"{axis}_deg", 0.0) for axis in ("yaw", "pitch", "roll"))
    looks = [_sign(pitch, "down", "up"), _sign(yaw, "to the left", "to the right")]
    tilt = _sign(roll, "tilted my head to the right", "tilted my head to the left")
    looked = " ".join(filter(None, looks))
    x, y, z = (arguments.get(f"{axis}_mm", 0.0) for axis in "xyz")
    moves = [_sign(x, "forward", "back"), _sign(y, "to the left", "to the right"), _sign(z, "up", "down")]
    moved = " and ".join(filter(None, moves))
    parts = [f"looked {looked}" if looked else "", tilt, f"moved my head {moved}" if moved else ""]
    return " and ".join(filter(None, parts)) or "looked straight ahead"


def _body(arguments: Mapping[str, Any]) -> str:
    return f"turned my body {_sign(arguments['yaw_deg'], 'to the left', 'to the right') or 'to the front'}"


_GESTURES = {
    "nod": "nodded",
    "shake": "shook my head",
    "tilt": "tilted my head",
    "look_around": "looked around",
    "wake_up": "woke up",
    "go_to_sleep": "went to sleep",
}

_DEEDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "move_head": _head,
    "rotate_body": _body,
    "set_antennas": lambda arguments: (
        "moved my antennas" if arguments.get("right_deg") or arguments.get("left_deg") else "put my antennas up"
    ),
    "take_photo": lambda _arguments: "took a photo",
    "find_object": lambda arguments: f"found the {arguments['name']}",
    "sweep_look": lambda _arguments: "looked around and see somebody",
    "look_at": lambda _arguments: "looked there",
    "approach": lambda _arguments: "leaned closer",
    "look_at_image": lambda _arguments: "looked there",
    "detect_objects": lambda _arguments: "",
    "analyze_scene": lambda _arguments: "",
    "look_at_object": lambda arguments: (
        "looked at you" if arguments["name"] == "face" else f"looked at the {arguments['name']}"
    ),
    "head_tracking": lambda arguments: "began to follow your face" if arguments["enabled"] else "stopped following you",
    "express_emotion": lambda arguments: f"showed {arguments['emotion']}",
    "dance": lambda arguments: f"danced the {arguments['dance'].replace('_', ' ')}",
    "gesture": lambda arguments: _GESTURES.get(arguments["gesture"], f"did {arguments['gesture']}"),
    "play_move": lambda arguments: f"played {arguments['name']}",
    "wait": lambda arguments: f"waited for {arguments['duration_s']:g} seconds",
    "stop": lambda _arguments: "stopped",
    "speak": lambda _arguments: "",
    "set_volume": lambda _arguments: "",
    "current_time": lambda _arguments: "",
    **dict.fromkeys((*SCHEDULE_TOOLS, *JOB_TOOLS), lambda _arguments: ""),
    "recall": lambda _arguments: "",
    "forget": lambda _arguments: "",
    "list_learned": lambda _arguments: "",
    "forget_learned": lambda _arguments: "",
    "remember": lambda arguments: "" if name_in(str(arguments.get("text", ""))) else "stored that",
    "get_robot_state": lambda _arguments: "",
    "set_pose": lambda _arguments: "moved to that pose",
    "mirror_pose": lambda _arguments: "moved to the other side",
    "pause": lambda _arguments: "paused",
    "resume": lambda _arguments: "finished what I had begun",
    "set_pace": lambda _arguments: "",
    "repeat_after_me": lambda _arguments: "",
    "add_to_list": lambda _arguments: "",
    "remove_from_list": lambda _arguments: "",
    "read_list": lambda _arguments: "",
    "undo": lambda _arguments: "",
}


def _state(result: Mapping[str, Any]) -> str:
    head = result["head"]
    angles = ", ".join(f"{axis} {_plain(head[f'{axis}_deg'])}" for axis in ("roll", "pitch", "yaw"))
    body = _plain(result["body_yaw_deg"])
    return f"I am {result['activity']}. In degrees, my head is at {angles} and my body at {body}."


_AHEAD = 16.0
"""Width of the range of angles in which an object counts as being in the middle, degrees."""


def _plain(angle: float) -> str:
    return f"{angle + 0.0:g}"  # adding 0.0 turns a negative zero into zero


def _objects(result: Mapping[str, Any]) -> str:
    return sentence_about([(str(thing["name"]), _side(thing.get("yaw_deg"))) for thing in result["objects"]])


def _side(yaw_deg: float | None) -> str:
    """Describes the direction of an object: left, right or middle; empty if the direction is unknown."""
    return "" if yaw_deg is None else _sign(round(yaw_deg / _AHEAD), "on the left", "on the right") or "in the middle"


def _recalled(result: Mapping[str, Any]) -> str:
    """Returns the best match of a memory search as a reply that quotes the person."""
    found = [str(one["text"]).partition(": ")[2] for one in result["results"] if one["score"] >= LEAST_SCORE]
    if not found:
        return NOT_KNOWN
    name = name_in(found[0])
    return named(name) if name else f"You told me: {found[0].rstrip('.')}."


def _remembered(result: Mapping[str, Any]) -> str:
    """Returns the reply to a person who tells the robot their name; empty after another fact."""
    name = name_in(str(result["text"]))
    return met(name) if name else ""


def _volume(result: Mapping[str, Any]) -> str:
    level, before = result["level_percent"], result["previous_percent"]
    if level == before == 100:
        return "My voice is already at its loudest."
    if level == 0:
        return "I am mute now."
    return f"My volume is {'still' if level == before else 'now'} {level} percent."


def _pace(result: Mapping[str, Any]) -> str:
    pace, before = result["percent"], result["previous_percent"]
    usual = "at my usual pace" if pace == 100 else f"at {pace} percent of my usual pace"
    return f"I {'still' if pace == before else 'now'} move {usual}."


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "get_robot_state": _state,
    "detect_objects": _objects,
    "analyze_scene": lambda result: str(result["answer"]),
    "set_volume": _volume,
    "current_time": lambda result: str(result["sentence"]),
    **dict.fromkeys((*SCHEDULE_TOOLS, *JOB_TOOLS), lambda result: str(result["sentence"])),
    "recall": _recalled,
    **dict.fromkeys(
        (
            *("undo", "repeat_after_me", "add_to_list", "remove_from_list", "read_list"),
            *("list_learned", "forget_learned"),
        ),
        lambda result: str(result["sentence"]),
    ),
    "set_pace": _pace,
    "remember": _remembered,
    "forget": lambda result: str(result.get("sentence", "")),
}
"""Functions that describe results in a sentence, for tools whose result is what the person asked for."""


def _sign(angle: float, positive: str, negative: str) -> str:
    return positive if angle > 0.0 else negative if angle < 0.0 else ""


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
