"""Phrases that the robot speaks without a model. Reports on its actions are in `action_reports`."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.seen_things import counted_noun

CANNOT_DESCRIBE = "I cannot describe pictures, so I cannot tell you what is in it."
"""Reply to a question about what the robot sees if no tool can describe a picture."""

STOPPED = "I stopped."
"""Reply after a stop."""

PAUSED = 'I paused. To continue, say "go on".'
"""Reply after a pause."""

NOTHING_TO_CONTINUE = "There is no stopped motion that I could continue."
"""Reply to "go on" if the robot was not stopped."""

SAID = "I said it."
"""Written reply after words were spoken on request."""

_ABILITIES = {
    "move_head": "turn my head",
    "express_emotion": "show an emotion",
    "dance": "dance",
    "find_object": "look for things",
    "take_photo": "take a photo",
    "set_antennas": "move my antennas",
    "rotate_body": "turn my body",
    "look_at_object": "look at things",
    "sweep_look": "look around for somebody",
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
    "watch_scene": "watch the scene and tell you when something comes",
    "set_volume": "change my volume",
    "undo": "undo what I did last",
    "add_to_list": "keep lists",
    "resume": "continue a motion",
    "set_pace": "move faster or slower",
    "mirror_pose": "mirror my pose",
    "repeat_after_me": "repeat a sentence after you",
    "teach_object": "learn the names of things",
    "follow_object": "follow things",
}
"""Abilities by tool, the most popular first. Some of the tools do not exist yet."""

_FURTHER_ABILITIES = {
    "look_at": "look at a point",
    "look_at_image": "look at a thing in the picture",
    "set_pose": "move to a pose",
    "wait": "wait",
    "remove_from_list": "take something off a list",
    "read_list": "read a list",
    "stop": "stop",
    "pause": "pause",
    "current_time": "tell the time",
    "change_timer": "add time to a timer",
    "cancel_schedule": "cancel timers, alarms and reminders",
    "list_schedule": "list timers, alarms and reminders",
    "snooze_alarm": "snooze an alarm",
    "list_jobs": "say what I do in the background",
    "cancel_job": "stop what I do in the background",
    "pause_job": "pause what I do in the background",
    "resume_job": "continue what I do in the background",
    "remember": "remember something",
    "recall": "search my memory",
    "forget": "permanently forget something",
    "forget_learned": "permanently forget the phrases that I have learned",
    "list_learned": "list the phrases that I have learned",
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

_TECHNICAL = {
    ErrorCode.TIMEOUT: "It took too long.",
    ErrorCode.SERVER_UNAVAILABLE: "A part of my software does not answer.",
    ErrorCode.SERVER_LOST: "A part of my software has stopped.",
    ErrorCode.INTERNAL: "Something went wrong.",
    ErrorCode.ROBOT_DISCONNECTED: "My body does not answer.",
    ErrorCode.CAMERA_UNAVAILABLE: "My camera does not work.",
    ErrorCode.TOOL_FAILED: "Something went wrong.",
}
"""Reasons by error code, for errors whose messages contain names of programs, addresses or exceptions."""

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
    named = able if len(able) <= _MOST_LISTED else [*able[:_MOST_LISTED], "more"]
    return f"I can {listed(named)}. {example}"


def unknown_thing(noun: str) -> str:
    """Returns the reply to a request for an object that the robot cannot recognize."""
    return f"I do not know what {counted_noun(noun, 1)} looks like."


def broken(error: AgentError, begun: bool = False) -> str:
    """Returns a reply that reports a failure of the language model, without technical details.

    Args:
        error: Error of the model.
        begun: Whether the answer had already begun.
    """
    if begun and error.code is ErrorCode.MODEL_MISBEHAVED:
        return "I stop here, because my language model got confused."
    return _BROKEN.get(error.code, "I could not answer, because my language model failed.")


def reason(error: AgentError) -> str:
    """Returns the reason of a failure in one or more sentences, without technical details."""
    return _TECHNICAL.get(error.code, error.message)


def corrected(truth: str) -> str:
    """Returns a sentence that corrects a false claim of the model.

    Args:
        truth: Sentence that states what is true.
    """
    return f"I must correct myself: {truth}"


def judged(praised: bool) -> str:
    """Returns the reply to praise or criticism. The learning node reports what it has learned."""
    return "Thank you." if praised else "Thank you for telling me."


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
    return known or f"use the tool {tool.replace('_', ' ')}"


def listed(parts: Sequence[str]) -> str:
    """Joins words or phrases, of which there is at least one: "turn, nod and dance"."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
