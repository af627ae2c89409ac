"""Formulates a tool call with all its arguments, such as "turn my head 45 degrees to the left"."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reachy_agent_ros.agent.phrases import UNITS, ability
from reachy_agent_ros.agent.terminal_text import plain

_LARGEST = 1e15
"""Limit for numbers that are put into words; larger numbers are written as JSON, with all their digits."""


def question(tool: str, arguments_json: str) -> str:
    """Returns a question that asks for permission: "May I turn my head 45 degrees to the left?".

    Args:
        tool: Name of the tool.
        arguments_json: Arguments of the call, a JSON object.
    """
    return f"May I {request(tool, arguments_json)}?"


def request(tool: str, arguments_json: str) -> str:
    """Returns a verb phrase that describes a tool call: "turn my head 45 degrees to the left".

    Args:
        tool: Name of the tool.
        arguments_json: Arguments of the call, a JSON object.
    """
    rest = _Rest(_read(arguments_json))
    words = _REQUESTS[tool](rest) if tool in _REQUESTS else ability(tool)
    further = rest.words()
    return plain(f"{words}{f' with {_listed(further)}' if further else ''}")


class _Rest:
    """Arguments of a call that are not yet part of its phrase.

    Args:
        arguments: Arguments by name.
    """

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self._left = dict(arguments)

    def number(self, name: str, default: float = 0.0) -> float:
        """Removes a numeric argument and returns its value, or the default if it is missing."""
        return float(self._left.pop(name)) if _is_number(self._left.get(name)) else default

    def has(self, name: str) -> bool:
        """Returns whether a numeric argument is left."""
        return _is_number(self._left.get(name))

    def text(self, name: str, default: str) -> str:
        """Removes a string argument and returns its value, or the default if it is missing."""
        return str(self._left.pop(name)) if isinstance(self._left.get(name), str) else default

    def quoted(self, name: str) -> str:
        """Removes a list argument and returns its items in quotation marks."""
        items = self._left.pop(name, [])
        return _value(items) if isinstance(items, list) else _value([items])

    def owned(self, name: str) -> str:
        """Removes the name of a list of the person and returns the list in words, such as "your shopping list"."""
        return f"your {self.text(name, '')} list".replace("  ", " ")

    def flag(self, name: str) -> bool | None:
        """Removes a Boolean argument and returns its value, or None if it is missing."""
        return bool(self._left.pop(name)) if isinstance(self._left.get(name), bool) else None

    def duration(self) -> str:
        """Removes the duration of a motion and returns it as text, such as " in 2 seconds"; empty if it is missing."""
        seconds = self.number("duration_s")
        return f" in {_amount(seconds, 'second')}" if seconds else ""

    def words(self) -> list[str]:
        """Returns the remaining arguments as text with units."""
        return [_argument(name, value) for name, value in self._left.items()]


def _read(arguments_json: str) -> Mapping[str, Any]:
    try:
        arguments = json.loads(arguments_json or "{}")
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def _argument(name: str, value: Any) -> str:
    words, _, unit = name.rpartition("_")
    if words and unit in UNITS and _is_number(value):
        return f"{words.replace('_', ' ')} {_amount(value, UNITS[unit])}"
    return f"{name.replace('_', ' ')} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list) and value and all(isinstance(one, str | int | float) for one in value):
        return _listed([_value(one) for one in value])
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _amount(value: float, unit: str) -> str:
    return f"{value:g} {unit}{'' if value == 1 else 's'}"


def _directed(value: float, unit: str, positive: str, negative: str) -> str:
    """Formats an amount with its direction, such as "45 degrees to the left"; empty for 0."""
    return f"{_amount(abs(value), unit)} {positive if value > 0.0 else negative}" if value else ""


def _times(rest: _Rest) -> str:
    count = rest.number("repetitions", 1.0)
    return "" if count == 1.0 else " twice" if count == 2.0 else f" {count:g} times"


def _size(rest: _Rest) -> str:
    share = rest.number("intensity", 1.0)
    return "" if share == 1.0 else f" at {100.0 * share:g} percent of the full size"


def _listed(parts: Sequence[str]) -> str:
    found = [part for part in parts if part]
    return f"{', '.join(found[:-1])} and {found[-1]}" if len(found) > 1 else "".join(found)


def _move_head(rest: _Rest) -> str:
    turned = [
        _directed(rest.number("yaw_deg"), "degree", "to the left", "to the right"),
        _directed(rest.number("pitch_deg"), "degree", "down", "up"),
    ]
    tilted = _directed(rest.number("roll_deg"), "degree", "to the right", "to the left")
    shifted = [
        _directed(rest.number("x_mm"), "millimeter", "forward", "back"),
        _directed(rest.number("y_mm"), "millimeter", "to the left", "to the right"),
        _directed(rest.number("z_mm"), "millimeter", "up", "down"),
    ]
    parts = [
        f"turn my head {_listed(turned)}" if any(turned) else "",
        f"tilt my head {tilted}" if tilted else "",
        f"shift my head {_listed(shifted)}" if any(shifted) else "",
    ]
    return (_listed(parts) or "look straight ahead") + rest.duration()


def _rotate_body(rest: _Rest) -> str:
    turned = _directed(rest.number("yaw_deg"), "degree", "to the left", "to the right")
    return f"turn my body {turned or 'to the front'}{rest.duration()}"


def _set_antennas(rest: _Rest) -> str:
    angles = {side: rest.number(f"{side}_deg") for side in ("right", "left") if rest.has(f"{side}_deg")}
    if len(angles) == 2 and not any(angles.values()):
        return f"put my antennas up{rest.duration()}"
    moves = [f"my {side} antenna to {_amount(angle, 'degree')}" for side, angle in angles.items()]
    return f"move {' and '.join(moves) or 'my antennas'}{rest.duration()}"


def _look_at(rest: _Rest) -> str:
    place = [
        _directed(rest.number("x_m"), "meter", "in front of me", "behind me"),
        _directed(rest.number("y_m"), "meter", "to the left", "to the right"),
        _directed(rest.number("z_m"), "meter", "above the table", "below the table"),
    ]
    return f"look at a point {_listed(place)}{rest.duration()}"


def _look_at_object(rest: _Rest) -> str:
    name = rest.text("name", "object")
    return "look at your face" if name == "face" else f"look at the {name}"


def _head_tracking(rest: _Rest) -> str:
    return "stop following your face" if rest.flag("enabled") is False else "follow your face"


def _dance(rest: _Rest) -> str:
    return f"dance the {rest.text('dance', 'dance').replace('_', ' ')}{_times(rest)}{_size(rest)}"


_GESTURES = {"shake": "shake my head", "tilt": "tilt my head"}


def _gesture(rest: _Rest) -> str:
    name = rest.text("gesture", "nod")
    return f"{_GESTURES.get(name, name.replace('_', ' '))}{_times(rest)}"


def _set_volume(rest: _Rest) -> str:
    level = rest.number("level_percent", -1.0)
    if level >= 0.0:
        return f"set my volume to {level:g} percent"
    change = rest.text("change", "")
    return {"up": "raise my volume", "down": "lower my volume"}.get(change, "report my volume")


_REQUESTS: Mapping[str, Callable[[_Rest], str]] = {
    "move_head": _move_head,
    "rotate_body": _rotate_body,
    "set_antennas": _set_antennas,
    "look_at": _look_at,
    "look_at_image": lambda rest: (
        f"look at the thing {rest.number('u'):g} pixels from the left and {rest.number('v'):g} pixels from the top of "
        f"the picture{rest.duration()}"
    ),
    "look_at_object": _look_at_object,
    "find_object": lambda rest: f"look for the {rest.text('name', 'object')}",
    "sweep_look": lambda _rest: "look around for somebody",
    "approach": lambda rest: f"lean towards you{rest.duration()}",
    "head_tracking": _head_tracking,
    "express_emotion": lambda rest: f"show {rest.text('emotion', 'an emotion')}{_size(rest)}",
    "dance": _dance,
    "gesture": _gesture,
    "undo": lambda _rest: "undo what I did last",
    "play_move": lambda rest: f"play the recorded move {rest.text('name', '')}".rstrip(),
    "speak": lambda rest: f'say "{rest.text("text", "")}"',
    "set_volume": _set_volume,
    "wait": lambda rest: f"wait for {_amount(rest.number('duration_s'), 'second')}",
    "describe_image": lambda rest: f'look and answer the question "{rest.text("question", "What do you see?")}"',
    "analyze_scene": lambda rest: f'look and answer the question "{rest.text("prompt", "What do you see?")}"',
    "remember": lambda rest: f'remember "{rest.text("text", "")}"',
    "forget": lambda rest: (
        f'permanently forget {"everything about " if rest.flag("everything") else ""}"{rest.text("what", "")}"'
    ),
    "forget_note": lambda rest: f'permanently delete the note "{rest.text("name", "")}"',
    "add_to_list": lambda rest: f"put {rest.quoted('items')} on {rest.owned('list')}",
    "remove_from_list": lambda rest: f"take {rest.quoted('items')} off {rest.owned('list')}",
    "read_list": lambda rest: f"read {rest.owned('list')}",
    "web_search": lambda rest: f'search the web for "{rest.text("query", "")}"',
}
"""Phrases for some tools of this package. For any other tool, the phrase from `ability` precedes the arguments."""
