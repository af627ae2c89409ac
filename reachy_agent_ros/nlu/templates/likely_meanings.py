"""Meanings of clauses that no template matches, from their likely intent, values of lists and free text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reachy_agent_ros.nlu.clause import NOTHING, Meanings
from reachy_agent_ros.nlu.templates.meanings import INTENTS, Request
from reachy_agent_ros.nlu.templates.template_index import NOUN, WILDCARD

_NEEDED: Mapping[str, str] = {
    "look": "direction",
    "turn_axis": "axis",
    "tilt_head": "direction",
    "turn_body": "direction",
    "express_emotion": "emotion",
}
"""List of which a clause must name exactly one value, by intent."""

_OPTIONAL: Mapping[str, str] = {
    "antennas_up": "direction",
    "antennas_down": "direction",
    "antennas_wiggle": "direction",
    "antennas_angle": "direction",
    "dance": "dance",
}
"""List of which a clause may name one value, by intent. "Up" and "down" are the pose of an antenna, not its side."""

_NEEDED_TEXT: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("speak", "remember", "forget_about", "introduce", "say_who_i_am", "set_reminder"), ("text", WILDCARD)
    ),
    **dict.fromkeys(("add_to_list", "remove_from_list"), ("items", WILDCARD)),
    **dict.fromkeys(("find_object", "look_at_object", "follow_object"), ("object", NOUN)),
    "set_alarm": ("time", WILDCARD),
    "teach_object": ("object", WILDCARD),
}
"""Kind of free text that a clause must contain, and its slot, by intent."""

_OPTIONAL_TEXT: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("add_to_list", "remove_from_list", "read_list"), ("list", "list")),
    **dict.fromkeys(("set_timer", "change_timer", "cancel_schedule", "list_schedule"), ("name", WILDCARD)),
    "set_reminder": ("time", "time"),
    "watch_scene": ("object", "object"),
}
"""Kind of free text that a clause may contain, and its slot, by intent."""


def likely_meanings(
    intent: str, listed: Mapping[str, Sequence[str]], free: Mapping[str, str], request: Request
) -> Meanings:
    """Returns the meanings of a clause whose intent and values were found without a template.

    Args:
        intent: Name of an intent, and the slots that it implies: "look direction=up".
        listed: Values of lists in the clause, by name of the list.
        free: Free text in the clause, by kind; objects have their name in the list, if it has one.
        request: What the clause says, without slots.

    Returns:
        Meanings; `NOTHING` if a value is missing or ambiguous, or the intent is a stop, which only the stop detector
        finds.
    """
    name, *implied = intent.split()
    slots: dict[str, Any] = dict(value.split("=") for value in implied)
    if name not in INTENTS or name == "stop":
        return NOTHING
    if name == "recall":  # a search also finds what the whole question asks for
        slots[WILDCARD] = free.get("text", request.clause.text)
    if not (_takes_listed(name, slots, listed) and _takes_text(name, slots, free)):
        return NOTHING
    return INTENTS[name](replace(request, slots=slots))


def _takes_listed(name: str, slots: dict[str, Any], listed: Mapping[str, Sequence[str]]) -> bool:
    """Adds the values of lists to the slots. Returns whether the intent has all that it needs."""
    needed, optional = _NEEDED.get(name), _OPTIONAL.get(name)
    if needed is not None and needed not in slots:
        values = list(listed.get(needed, ()))
        if name == "look" and len(values) == 2:
            slots["second"] = values.pop()
        if len(values) != 1:
            return False
        slots[needed] = values[0]
    if optional is not None:
        values = [value for value in listed.get(optional, ()) if value not in ("up", "down")]
        if len(values) == 1:
            slots[optional] = values[0]
    return True


def _takes_text(name: str, slots: dict[str, Any], free: Mapping[str, str]) -> bool:
    """Adds free text to the slots. Returns whether the intent has all that it needs."""
    for kind, slot in filter(None, (_NEEDED_TEXT.get(name), _OPTIONAL_TEXT.get(name))):
        if kind in free:
            slots.setdefault(slot, free[kind])
    needed = _NEEDED_TEXT.get(name)
    return needed is None or needed[1] in slots
