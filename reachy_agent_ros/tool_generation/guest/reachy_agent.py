"""Functions that tools can use in addition to the Reachy Mini SDK: speech, photos, vision and moves.

Every function works with and without `await`: authors of tools rarely know which functions are coroutines.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from .host import call

__all__ = [
    "analyze_scene",
    "dance",
    "detect_objects",
    "express_emotion",
    "gesture",
    "look_at",
    "play_move",
    "say",
    "take_photo",
]


_ValueT = TypeVar("_ValueT")


class AwaitableText(str):
    """A string that can also be awaited.

    Attributes:
        detected: Classes of the objects in the picture, if the text describes one.
    """

    detected: list[str]

    def __await__(self) -> Generator[Any, None, AwaitableText]:
        """Returns the value at once."""
        return _at_once(self)


class AwaitableDict(dict[str, Any]):
    """A dict that can also be awaited."""

    def __await__(self) -> Generator[Any, None, AwaitableDict]:
        """Returns the value at once."""
        return _at_once(self)


class AwaitableList(list[Any]):
    """A list that can also be awaited."""

    def __await__(self) -> Generator[Any, None, AwaitableList]:
        """Returns the value at once."""
        return _at_once(self)


def say(text: str) -> AwaitableText:
    """Speaks a text. Returns the text after it has been spoken."""
    return AwaitableText(call("say", text=text))


def take_photo() -> AwaitableDict:
    """Takes and saves a photo. Returns its `path`, and its `width` and `height` in pixels.

    A user can open the photo at this path.
    """
    return AwaitableDict(call("photo"))


def detect_objects(labels: Sequence[str] = ()) -> AwaitableList:
    """Detects objects of the given classes, or of all classes. The best detection is first.

    Each is a dict: `name`, `confidence`, `yaw_deg` (positive left), `pitch_deg` (positive down) and, if known, `x_m`,
    `y_m`, `z_m` in front of, to the left of and above the robot's foot.
    """
    return AwaitableList(call("detect", labels=[labels] if isinstance(labels, str) else list(labels)))


def analyze_scene(prompt: str) -> AwaitableText:
    """Answers a question about the scene in words. The attribute `detected` lists the detected objects."""
    answer = call("ask_scene", question=prompt)
    text = AwaitableText(answer["answer"])
    text.detected = answer["detected"]
    return text


def look_at(x_m: float, y_m: float, z_m: float, duration_s: float = 0.0) -> AwaitableDict:
    """Looks at a point: x forward, y left and z up from the robot's foot, in m.

    The duration 0 means a gentle speed.
    """
    return AwaitableDict(call("look_at", x=x_m, y=y_m, z=z_m, duration=duration_s))


def express_emotion(emotion: str, intensity: float = 1.0) -> AwaitableDict:
    """Shows an emotion with the whole body."""
    return _play("emotion", emotion, intensity)


def dance(dance: str, intensity: float = 1.0) -> AwaitableDict:
    """Dances a dance once."""
    return _play("dance", dance, intensity)


def gesture(gesture: str) -> AwaitableDict:
    """Nods, shakes or tilts the head, or looks around."""
    return _play("gesture", gesture, 1.0)


def play_move(name: str) -> AwaitableDict:
    """Plays a move that was recorded on this robot."""
    return _play("recorded", name, 1.0)


def _play(library: str, name: str, amplitude: float) -> AwaitableDict:
    return AwaitableDict(call("play", library=library, name=name, amplitude=amplitude))


def _at_once(value: _ValueT) -> Generator[Any, None, _ValueT]:
    yield from ()
    return value
