"""Meanings of the intents. The sentence templates of all languages share these meanings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.nlu import body
from reachy_agent_ros.nlu.clause import NOTHING, NUMBER, Clause, Meanings, Size, call, command, timed
from reachy_agent_ros.nlu.direction import TILT_DEG, head_angles, side
from reachy_agent_ros.nlu.expression import INTENSITY, dance_meaning
from reachy_agent_ros.nlu.head import NEUTRAL
from reachy_agent_ros.nlu.personal_facts import fact_key, is_name, name_fact
from reachy_agent_ros.nlu.templates.template_index import LEVEL, NOUN
from reachy_agent_ros.nlu.vocabulary import Vocabulary

Slots = Mapping[str, Any]
"""Values that a sentence names, by name of the list."""

_GESTURES = {"nod": 2, "shake": 2, "tilt": 1, "look_around": 1, "wake_up": 1, "go_to_sleep": 1}
"""Usual number of repetitions of each gesture."""


@dataclass(frozen=True)
class Request:
    """Content of a clause: slots and modifiers, with the vocabulary for their interpretation.

    Attributes:
        slots: Values that the clause names.
        clause: The clause with its modifiers.
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.
    """

    slots: Slots
    clause: Clause
    vocabulary: Vocabulary
    choose_dance: Callable[[Sequence[str]], str | None]


def meanings_of(intent: str, request: Request) -> Meanings:
    """Returns the meanings of a clause, or `NOTHING` if the intent does not permit its modifiers.

    Args:
        intent: Name of an intent, one of `INTENTS`.
        request: What the clause says.
    """
    return INTENTS[intent](request)


_HALF_TURN = 180.0
"""Half a turn of the body, degrees. The robot turns as far as it can instead."""

_LONGEST_NAME = 3
"""Maximum number of words in a name."""

_BETWEEN_ITEMS = re.compile(r"\s*,\s*(?:(?:and|und|et|y|e|ed)\s+)?|\s+(?:and|und|et|y|e|ed)\s+", re.IGNORECASE)
"""Words between the items of a list, in all languages."""

_ARTICLE = re.compile(
    r"^(?:the|some|die|der|das|den|le|la|les|l'|du|des|de la|el|los|las|il|lo|gli|o|os|as)(?:(?<=')|\s+)", re.IGNORECASE
)
"""Article before an item of a list, in all languages: people put "milk" on a list and take "the milk" off."""

_ONESELF = frozenset(("me", "us", "mich", "uns", "moi", "nous", "mí", "nosotros", "noi", "mim", "nós"))
"""The person who speaks, in all languages. The robot may have misheard, so it does not delete all memories."""


def _look(request: Request) -> Meanings:
    ways = [request.slots.get(name) for name in ("direction", "second")]
    return timed(request.clause, head_angles(ways, request.clause)) if request.clause.times is None else NOTHING


def _turn_axis(request: Request) -> Meanings:
    """Returns the command that turns the head about a named axis: "yaw minus 40"."""
    clause = request.clause
    if clause.degrees is None or clause.times is not None:
        return NOTHING
    return timed(clause, {f"{request.slots['axis']}_deg": clause.degrees})


def _look_straight(request: Request) -> Meanings:
    clause = request.clause
    return timed(clause, NEUTRAL) if not clause.degrees and clause.times is None else NOTHING


def _tilt_head(request: Request) -> Meanings:
    clause, to_left = request.clause, side(request.slots["direction"])
    if to_left == 0 or not clause.can_turn:
        return NOTHING
    return timed(clause, {"roll_deg": -to_left * clause.amount(TILT_DEG)})


def _turn_body(request: Request) -> Meanings:
    clause, to_left = request.clause, side(request.slots["direction"])
    if to_left == 0 or not clause.can_turn:
        return NOTHING
    degrees = clause.amount(body.BODY_YAW_DEG)
    if body.BEHIND_DEG < degrees <= _HALF_TURN:
        degrees = body.BEHIND_DEG
    return timed(clause, {"yaw_deg": to_left * degrees}, "rotate_body")


def _body_at(yaw_deg: float) -> Callable[[Request], Meanings]:
    return lambda request: timed(request.clause, {"yaw_deg": yaw_deg}, "rotate_body")


def body_straight() -> Meanings:
    """Returns the command that turns the body to the front."""
    return command(call("rotate_body", yaw_deg=0.0))


def _antennas_angle(request: Request) -> Meanings:
    degrees = request.clause.degrees
    if degrees is None or request.clause.times is not None:
        return NOTHING
    only = request.slots.get("direction")
    angles = {f"{side}_deg": degrees for side in ("right", "left") if only in (side, None)}
    return timed(request.clause, angles, "set_antennas")


def _gesture(name: str) -> Callable[[Request], Meanings]:
    def meanings(request: Request) -> Meanings:
        times = _GESTURES[name] if request.clause.times is None else request.clause.times
        if request.clause.degrees is not None or request.clause.size is Size.FAR or times < 1:
            return NOTHING
        return command(call("gesture", gesture=name, repetitions=None if times == 1 else times))

    return meanings


def _emotion(request: Request) -> Meanings:
    name = request.vocabulary.emotion(request.slots["emotion"])
    clause = request.clause
    if name is None or clause.degrees is not None or clause.times is not None:
        return NOTHING
    return command(call("express_emotion", emotion=name, intensity=INTENSITY[clause.size]))


def _dance(request: Request) -> Meanings:
    name = request.slots.get("dance") or request.choose_dance(request.vocabulary.dances)
    return dance_meaning(name, request.clause)


def _wait(request: Request) -> Meanings:
    seconds = request.clause.duration
    return command(call("wait", duration_s=seconds)) if seconds is not None and 0.0 < seconds <= 60.0 else NOTHING


def _plain(tool: str, **arguments: Any) -> Callable[[Request], Meanings]:
    """Creates a function that returns a tool call, or `NOTHING` for a clause with an angle, a count or an amount."""

    def meanings(request: Request) -> Meanings:
        clause = request.clause
        if clause.degrees is not None or clause.times is not None or clause.size is not Size.NORMAL:
            return NOTHING
        return command(call(tool, **arguments))

    return meanings


def _pause(request: Request) -> Meanings:
    """Returns the command to pause until further notice. Returns `NOTHING` for a pause with a duration (a wait)."""
    return _plain("pause")(request) if request.clause.duration is None else NOTHING


def _of_object(tool: str) -> Callable[[Request], Meanings]:
    return lambda request: _plain(tool, name=request.slots.get("object") or request.slots[NOUN])(request)


def _of_text(tool: str, argument: str) -> Callable[[Request], Meanings]:
    return lambda request: command(call(tool, **{argument: request.slots["text"]}))


def _of_items(tool: str) -> Callable[[Request], Meanings]:
    def meanings(request: Request) -> Meanings:
        said = _BETWEEN_ITEMS.split(str(request.slots["text"]))
        items = [bare for item in said if (bare := _ARTICLE.sub("", item).strip())]
        return command(call(tool, items=items, list=request.slots.get("list"))) if items else NOTHING

    return meanings


def _remember(request: Request) -> Meanings:
    fact = request.slots["text"]
    return command(call("remember", key=fact_key(fact), text=fact))


def _forget_about(request: Request) -> Meanings:
    """Returns the command to forget everything about somebody or something, but not about the person who asks."""
    what = request.slots["text"]
    return NOTHING if what.casefold() in _ONESELF else command(call("forget", what=what, everything=True))


def _introduce(request: Request) -> Meanings:
    """Returns the command to remember a name of at most three words."""
    name = request.slots["text"]
    if len(name.split()) > _LONGEST_NAME:
        return NOTHING
    fact = name_fact(name)
    return command(call("remember", key=fact_key(fact), text=fact))


def _say_who_i_am(request: Request) -> Meanings:
    """Returns the command to remember a name, if the words after "I am" look like one."""
    return _introduce(request) if is_name(request.slots["text"]) else NOTHING


def _timer(request: Request) -> Meanings:
    seconds = request.clause.duration
    return command(call("set_timer", duration_s=seconds, name=request.slots.get("text"))) if seconds else NOTHING


def _alarm(request: Request) -> Meanings:
    """Returns the command to set an alarm, at a time in words or after a duration."""
    time, seconds = _timed(request, request.slots.get("text", "")), request.clause.duration
    if not time:
        return command(call("set_alarm", delay_s=seconds)) if seconds else NOTHING
    return command(call("set_alarm", time=time))


def _change_timer(request: Request) -> Meanings:
    seconds = request.clause.duration
    if not seconds:
        return NOTHING
    change = -seconds if "change" in request.slots else seconds
    return command(call("change_timer", change_s=change, name=request.slots.get("text")))


def _cancel_schedule(request: Request) -> Meanings:
    kind, name = request.slots["kind"], request.slots.get("text")
    return _plain("cancel_schedule", kind=kind, name=name, all="all" in request.slots or None)(request)


def _list_schedule(request: Request) -> Meanings:
    return _plain("list_schedule", kind=request.slots.get("kind"), name=request.slots.get("text"))(request)


def _snooze(request: Request) -> Meanings:
    return command(call("snooze_alarm", delay_s=request.clause.duration))


def _reminder(request: Request) -> Meanings:
    time, seconds = request.slots.get("time"), request.clause.duration
    text = _timed(request, request.slots["text"])
    return command(call("set_reminder", text=text, delay_s=seconds, time=time))


def _timed(request: Request, text: str) -> str:
    """Returns a text after the time that the clause names before it. The tools find times within texts."""
    return " ".join(filter(None, (request.slots.get("when"), text)))


def _watch_scene(request: Request) -> Meanings:
    clause = request.clause
    if clause.degrees is not None or clause.times is not None or clause.size is not Size.NORMAL:
        return NOTHING
    return command(call("watch_scene", name=request.slots.get("object"), duration_s=clause.duration))


def _cancel_job(request: Request) -> Meanings:
    return _plain("cancel_job", kind=request.slots.get("kind"), all="all" in request.slots or None)(request)


def _change_volume(request: Request) -> Meanings:
    """Returns the command for "louder" or "quieter": one volume step, even with "a bit" or "a lot"."""
    clause = request.clause
    if clause.degrees is not None or clause.times is not None:
        return NOTHING
    return command(call("set_volume", change=request.slots["change"]))


def _volume(request: Request) -> Meanings:
    """Returns the command for a volume in percent. A number below 1 is a fraction: "volume 0.8"."""
    named = request.slots.get(LEVEL)
    numbers = re.findall(rf"(?<!\S){NUMBER}(?!\S)", request.clause.text) if named is None else [named]
    if len(numbers) != 1 or request.clause.degrees is not None or request.clause.duration is not None:
        return NOTHING
    number = float(numbers[0])
    level = 100.0 * number if 0.0 < number < 1.0 else number
    return command(call("set_volume", level_percent=round(level))) if 0.0 <= level <= 100.0 else NOTHING


INTENTS: Mapping[str, Callable[[Request], Meanings]] = {
    "look": _look,
    "turn_axis": _turn_axis,
    "look_straight": _look_straight,
    "tilt_head": _tilt_head,
    "turn_body": _turn_body,
    "turn_body_straight": _body_at(0.0),
    "turn_around": _body_at(body.BEHIND_DEG),
    "antennas_up": lambda request: body.upright(request.clause, request.slots.get("direction")),
    "antennas_down": lambda request: body.droop(request.clause, request.slots.get("direction")),
    "antennas_wiggle": lambda request: body.wiggle(request.clause, request.slots.get("direction")),
    "antennas_angle": _antennas_angle,
    **{name: _gesture(name) for name in _GESTURES},
    "express_emotion": _emotion,
    "dance": _dance,
    "wait": _wait,
    "look_at_object": _of_object("look_at_object"),
    "look_at_me": _plain("look_at_object", name="face"),
    "find_object": _of_object("find_object"),
    "sweep_look": _plain("sweep_look"),
    "detect_objects": _plain("detect_objects"),
    "describe_scene": _plain("take_photo"),
    "take_photo": _plain("take_photo"),
    "follow_me": _plain("head_tracking", enabled=True),
    "stop_following": _plain("head_tracking", enabled=False),
    "get_robot_state": _plain("get_robot_state"),
    "speak": lambda request: command(call("speak", text=request.slots["text"])),
    "stop": _plain("stop"),
    "current_time": _plain("current_time"),
    "remember": _remember,
    "introduce": _introduce,
    "say_who_i_am": _say_who_i_am,
    "recall_name": _plain("recall", query="my name", kinds=["fact"]),
    "recall": _of_text("recall", "query"),
    "forget_about": _forget_about,
    "list_learned": _plain("list_learned"),
    "forget_learned": _plain("forget_learned"),
    "set_timer": _timer,
    "set_alarm": _alarm,
    "set_reminder": _reminder,
    "change_timer": _change_timer,
    "cancel_schedule": _cancel_schedule,
    "list_schedule": _list_schedule,
    "snooze_alarm": _snooze,
    "watch_scene": _watch_scene,
    "list_jobs": _plain("list_jobs"),
    "cancel_job": _cancel_job,
    "change_volume": _change_volume,
    "set_volume": _volume,
    "get_volume": _plain("set_volume"),
    "pause": _pause,
    "resume": _plain("resume"),
    "undo": _plain("undo"),
    "change_pace": lambda request: command(call("set_pace", change=request.slots["change"])),
    "normal_pace": _plain("set_pace", percent=100),
    "mirror": _plain("mirror_pose"),
    "repeat_after_me": _plain("repeat_after_me"),
    "add_to_list": _of_items("add_to_list"),
    "remove_from_list": _of_items("remove_from_list"),
    "read_list": lambda request: command(call("read_list", list=request.slots.get("list"))),
    "read_text": _plain("read_text"),
    "teach_object": _of_text("teach_object", "name"),
    "follow_object": _of_object("follow_object"),
}
"""Meaning of each intent. Some tools do not exist yet; the agent says so.

The list `direction` has the values "left", "right", "up" and "down", and `axis` has "yaw", "pitch" and "roll".
"""

DESCRIBES = "describe_scene"
"""Intent of questions about what the robot sees, which are answered with a description instead of a photo."""

ANNOUNCES = frozenset(("repeat_after_me",))
"""Intents that announce a text in the next sentence. If another clause follows, the text may be in this sentence."""

ANGLED = frozenset(("look", "turn_axis", "tilt_head", "turn_body", "antennas_angle"))
"""Intents in which a number without a unit is an angle."""

DELAYED = frozenset(("set_reminder",))
"""Intents with a text and a duration that is not part of it."""
