"""Phrases that the robot speaks without a model. A phrase claims an action only if a result confirms it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reachy_agent_ros.agent.small_talk_replies import LEAST_SCORE, NOT_KNOWN
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import Appraisal
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.vision.seen_things import sentence_about

CANNOT_DESCRIBE = "I cannot describe pictures, so I cannot tell you what is in it."
"""Reply after a photo if the person asked what the robot sees, but no tool can describe the photo."""

STOPPED = "I stopped."
"""Reply after a stop."""

SAID = "I said it."
"""Written reply after words were spoken on request."""

JUDGED = {Appraisal.PRAISE: "Thank you.", Appraisal.CRITICISM: "Thank you for telling me."}
"""Replies to feedback. The learning node reports what it has learned."""

_ABILITIES = {
    "move_head": "turn my head",
    "express_emotion": "show an emotion",
    "dance": "dance",
    "find_object": "look for things",
    "take_photo": "take a photo",
    "set_antennas": "move my antennas",
    "rotate_body": "turn my body",
    "look_at_object": "look at things",
    "approach": "lean towards you",
    "describe_image": "describe what I see",
    "detect_objects": "list what I see",
    "analyze_scene": "answer questions about what I see",
    "head_tracking": "follow your face",
    "gesture": "nod or shake my head",
    "play_move": "play a recorded move",
    "speak": "say what you ask me to",
    "get_robot_state": "report my pose",
    "set_timer": "set timers",
    "set_alarm": "set alarms",
    "set_reminder": "set reminders",
    "set_volume": "change my volume",
    "undo": "undo my motions",
    "resume": "resume motions",
    "teach_object": "learn the names of things",
    "follow_object": "follow things",
}
"""Abilities by tool, the most popular first. Some of the tools do not exist yet."""

_FURTHER_ABILITIES = {
    "look_at": "look at a point",
    "look_at_image": "look at a thing in the picture",
    "wait": "wait",
    "stop": "stop",
    "current_time": "tell the time",
    "remember": "remember something",
    "recall": "search my memory",
    "forget": "permanently forget something",
    "write_note": "write a note",
    "read_note": "read a note",
    "forget_note": "permanently delete a note",
    "search_documents": "search your documents",
    "web_search": "search the web",
    "write_tool": "write a new tool",
    "read_tool": "read one of my tools",
}
"""Abilities that the robot leaves out when a person asks what it can do."""

_BROKEN = {
    ErrorCode.MODEL_TRUNCATED: "I could not answer to the end, because my language model broke off.",
    ErrorCode.MODEL_MISBEHAVED: "I could not answer, because my language model got confused.",
    ErrorCode.BUDGET_EXCEEDED: "I could not answer within the limits of one turn.",
}
"""Replies to failures of the model other than an error of its server."""

_MOST_LISTED = 4
"""Maximum number of abilities in a spoken sentence: nobody listens to sixteen."""

_NO_MODEL = ("I need a language model for that.", 'To set one up, run "reachy-agent model --pull qwen3:8b".')
_NO_ANSWER = ("My language model does not answer at the moment.", 'To see why, run "reachy-agent model".')
"""Replies if there is no model or it does not answer, each with the command that helps."""

UNITS = {
    "deg": "degree",
    "mm": "millimeter",
    "cm": "centimeter",
    "m": "meter",
    "ms": "millisecond",
    "s": "second",
    "min": "minute",
    "h": "hour",
}
"""Units by the suffix of a parameter's name."""

_BEYOND_LIMIT = re.compile(
    r"\b\w+_(?P<unit>deg|mm|cm|m): \S+ is (?:greater|less) than the (?:maximum|minimum) of (?P<limit>-?\d+(?:\.\d+)?)"
)
"""Error for an angle or length beyond its limit, as validation words it."""

EXAMPLES = (
    'Try "look left", or "show me joy".',
    'Try "dance", or "what do you see?".',
    'Try "nod twice", or "find the duck".',
)
"""Commands to try."""


def needs_model(configured: bool, offers: bool) -> str:
    """Returns a reply that explains that no language model is available.

    Args:
        configured: Whether a model is configured but does not answer.
        offers: Whether to name the command that helps.
    """
    reply, command = _NO_ANSWER if configured else _NO_MODEL
    return f"{reply} {command}" if offers else reply


def abilities(tools: Sequence[str], example: str = EXAMPLES[0]) -> str:
    """Returns a sentence that lists the robot's abilities that need no language model.

    Args:
        tools: Names of the available tools.
        example: Sentence that suggests commands, one of `EXAMPLES`.
    """
    able = [ability for tool, ability in _ABILITIES.items() if tool in tools]
    if not able:
        return "My body is not connected, so I cannot do anything now."
    listed = able if len(able) <= _MOST_LISTED else [*able[:_MOST_LISTED], "more"]
    return f"I can {_listed(listed, 'and')}. {example}"


def done(actions: Sequence[Action], results: Sequence[str]) -> str:
    """Describes completed actions in the past tense, with their results; empty if no action has a description.

    Args:
        actions: Successful actions.
        results: Results of the actions as JSON.
    """
    deeds = [deed for action in actions if (deed := _deed(action))]
    deeds = list(dict.fromkeys(deeds))
    if sum(action.tool == "move_head" for action in actions) > 3:
        deeds = list(
            dict.fromkeys("moved my head" if deed.startswith(("looked", "tilted")) else deed for deed in deeds)
        )
    answers = [
        _ANSWERS[action.tool](json.loads(result))
        for action, result in zip(actions, results, strict=True)
        if action.tool in _ANSWERS
    ]
    summary = [f"I {_listed(deeds, 'and')}."] if deeds else []
    return " ".join(summary + answers)


def done_last(actions: Sequence[Action]) -> str:
    """Answers a question about the last actions of a conversation.

    Args:
        actions: Actions of the last command; empty if there was none.
    """
    deeds = list(dict.fromkeys(deed for action in actions if (deed := _deed(action))))
    return f"I {_listed(deeds, 'and')}." if deeds else "I have done nothing yet that I could report."


def unknown_thing(noun: str) -> str:
    """Returns the reply to a request for an object that the robot cannot recognize."""
    article = "an" if noun[:1] in "aeiou" else "a"
    return f"I do not know what {article} {noun} looks like."


def failed(action: Action, error: AgentError) -> str:
    """Returns a reply that reports a failed action and the reason."""
    if error.message.startswith("I "):
        return error.message  # the message is already in the robot's words
    if error.code is ErrorCode.UNKNOWN_TOOL:
        return f"I cannot {ability(action.tool)} yet."
    beyond = _BEYOND_LIMIT.search(error.message)
    if beyond is not None:
        limit = f"{abs(float(beyond['limit'])):g} {UNITS[beyond['unit']]}s"
        return f"I could not {ability(action.tool)} that far: my limit is {limit}."
    return f"I could not {ability(action.tool)}: {_lower_first(error.message)}"


def broken(error: AgentError, begun: bool = False) -> str:
    """Returns a reply that reports a failure of the language model, without technical details.

    Args:
        error: Error of the model.
        begun: Whether the answer had already begun.
    """
    if begun and error.code is ErrorCode.MODEL_MISBEHAVED:
        return "I stop here, because my language model got confused."
    return _BROKEN.get(error.code, "I could not answer, because my language model failed.")


def corrected(truth: str) -> str:
    """Returns a sentence that corrects a false claim of the model.

    Args:
        truth: Sentence that states what is true.
    """
    return f"I must correct myself: {truth}"


def answered(tool: str, approve: bool) -> str:
    """Returns the reply after a person has approved or denied a tool call."""
    return "All right." if approve else f"All right, I will not {ability(tool)}."


def withdrawn(tool: str) -> str:
    """Returns the reply to a yes or no that arrives after the question was withdrawn."""
    request = f"The request to {ability(tool)} was withdrawn"
    return f"{request}, so your answer has no effect. Ask me again if you still want it."


def queued(ahead: int) -> str:
    """Returns a notice that a request waits for earlier turns. The notice is not spoken."""
    return f"Queued: {'1 turn runs or waits' if ahead == 1 else f'{ahead} turns run or wait'} before this one."


def not_mine(tool: str) -> str:
    """Returns the reply that rejects a tool that the current persona does not use."""
    return f"I do not {ability(tool)} in my current persona."


def using(tool: str) -> str:
    """Returns the announcement of a tool that is used without approval by the person."""
    return f"I will {ability(tool)}."


def ability(tool: str) -> str:
    """Returns a verb phrase for a tool, such as "take a photo". For an unknown tool, returns "use the tool NAME"."""
    known = _ABILITIES.get(tool) or _FURTHER_ABILITIES.get(tool)
    if known is not None:
        return known
    server, _, name = tool.rpartition("__")
    words = f"use the tool {name.replace('_', ' ')}"
    return f"{words} of {server.replace('_', ' ')}" if server else words


def _deed(action: Action) -> str:
    deed = _DEEDS.get(action.tool)
    return f"used {action.tool}" if deed is None else deed(action.arguments)


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
    "recall": lambda _arguments: "",
    "remember": lambda _arguments: "stored that",
    "get_robot_state": lambda _arguments: "",
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
    return f"You told me: {found[0].rstrip('.')}." if found else NOT_KNOWN


def _volume(result: Mapping[str, Any]) -> str:
    level, before = result["level_percent"], result["previous_percent"]
    if level == before == 100:
        return "My voice is already at its loudest."
    if level == 0:
        return "I am mute now."
    return f"My volume is {'still' if level == before else 'now'} {level} percent."


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "get_robot_state": _state,
    "detect_objects": _objects,
    "analyze_scene": lambda result: str(result["answer"]),
    "set_volume": _volume,
    "current_time": lambda result: str(result["sentence"]),
    "recall": _recalled,
}
"""Functions that describe results in a sentence, for tools whose result is what the person asked for."""


def _sign(angle: float, positive: str, negative: str) -> str:
    return positive if angle > 0.0 else negative if angle < 0.0 else ""


def _listed(parts: Sequence[str], word: str) -> str:
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else parts[0]


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
