"""Vision tools: take photos, describe scenes, detect and find objects, and follow a face."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import NoArguments, ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.body import SeenThing, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.execution_style import Direction
from reachy_agent_ros.tools.gaze import FACE_PITCHES, Centered, center, look_around
from reachy_agent_ros.tools.heading import turned
from reachy_agent_ros.tools.predefined.posture import head_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

_WHERE = (
    "The result gives the direction from the robot's foot, which does not turn: positive yaw_deg is left, positive "
    "pitch_deg is below the horizon. If the position is known, x_m, y_m and z_m are meters forward, left and up."
)

_FACE = "face"
"""Label of faces in detections."""


def sight_tools(photo_directory: Path) -> list[Tool]:
    """Returns the tools that use the camera. The first photo creates the folder `photo_directory`."""
    return [
        _take_photo(photo_directory),
        _describe_image,
        _analyze_scene,
        _detect_objects,
        _find_object,
        _sweep_look,
        _look_at_object,
        _head_tracking,
    ]


def _take_photo(directory: Path) -> Tool:
    @ToolSpecification(
        name="take_photo",
        description="Takes a photo of what the head looks at with the robot's camera and saves it. The result gives "
        "the pose of the head from the front, like get_robot_state.",
        arguments=NoArguments,
        time_limit=15.0,
    ).implemented_by
    def run(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
        photo = context.body.photograph(context)
        front = context.body.heading.front(context.body.state().pose.body_yaw)
        return {
            "path": str(save_photo(photo.jpeg, directory)),
            "width": photo.intrinsics.width,
            "height": photo.intrinsics.height,
            "bytes": len(photo.jpeg),
            "head": head_in_degrees(turned(photo.head, -front)),
        }

    return run


def save_photo(jpeg: bytes, directory: Path) -> Path:
    """Saves a picture in a file that is named after the current time.

    Args:
        jpeg: Encoded picture.
        directory: Folder, created if it does not exist.

    Returns:
        Path of the file.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    path = directory / f"photo-{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.jpg"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_bytes(jpeg)
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot save the photo: {error.strerror}.") from error
    return path


class DescribeImageArguments(ToolArguments):
    """Arguments of `describe_image`."""

    question: str = Field("What do you see?", min_length=1, max_length=500, description="Question about the picture.")


class AnalyzeSceneArguments(ToolArguments):
    """Arguments of `analyze_scene`."""

    prompt: str = Field(min_length=1, max_length=2000, description="Question about the scene in front of the robot.")


@ToolSpecification(
    name="describe_image",
    specialist="vision",
    untrusted_output=True,
    description="Takes a picture of what the head looks at, and describes it or answers a question about it.",
    arguments=DescribeImageArguments,
    time_limit=90.0,
).implemented_by
def _describe_image(arguments: DescribeImageArguments, context: ToolContext) -> dict[str, Any]:
    return {"description": context.body.ask_about_scene(arguments.question, context).text}


@ToolSpecification(
    name="analyze_scene",
    specialist="vision",
    untrusted_output=True,
    description="Answers a question about the scene in front of the robot, such as how many or which one, and lists "
    "the detected objects.",
    arguments=AnalyzeSceneArguments,
    time_limit=90.0,
).implemented_by
def _analyze_scene(arguments: AnalyzeSceneArguments, context: ToolContext) -> dict[str, Any]:
    answer = context.body.ask_about_scene(arguments.prompt, context)
    return {"answer": answer.text, "detected": list(answer.labels)}


class ThingArguments(ToolArguments):
    """A class of objects."""

    name: str = Field(min_length=1, max_length=60, description="Kind of object, a noun such as duck, apple or face.")


@ToolSpecification(
    name="detect_objects",
    specialist="vision",
    untrusted_output=True,  # a detector that reads text may use it as a label
    description=f"Lists the objects and faces that the camera sees now, without moving the robot. {_WHERE}",
    arguments=NoArguments,
    time_limit=70.0,
).implemented_by
def _detect_objects(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    return {"objects": [thing_in_degrees(thing) for thing in context.body.detect((), context).things]}


@ToolSpecification(
    name="find_object",
    description=f"Looks around until the camera sees an object, then turns to it. {_WHERE}",
    arguments=ThingArguments,
    time_limit=90.0,
    moves_robot=True,
).implemented_by
def _find_object(arguments: ThingArguments, context: ToolContext) -> dict[str, Any]:
    name = _kind(arguments.name)
    found = _first_centered(name, look_around(name, context), context)
    if found is None:
        raise AgentError(ErrorCode.NOT_FOUND, f"I looked everywhere and did not see any {name}.")
    return _centered_in_degrees(found)


@ToolSpecification(
    name="sweep_look",
    description="Sweeps the gaze around to look for somebody, and stops at the first face. Use find_object for any "
    f"other object. {_WHERE}",
    arguments=NoArguments,
    time_limit=60.0,
    moves_robot=True,
).implemented_by
def _sweep_look(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    found = _first_centered(_FACE, look_around(_FACE, context, FACE_PITCHES), context)
    if found is None:
        raise AgentError(ErrorCode.NOT_FOUND, "I looked all around and did not see anybody.")
    return _centered_in_degrees(found)


def _first_centered(name: str, sights: Iterable[Sight], context: ToolContext) -> Centered | None:
    """Turns to the first object of a class in a search. Returns None if the search ends without one."""
    for sight in sights:
        if sight.things:
            try:
                return center(name, sight, context)
            except AgentError as error:
                if error.code is not ErrorCode.NOT_FOUND:
                    raise
                # The object was not detected again, so the detection was an error: continue the search.
    return None


@ToolSpecification(
    name="look_at_object",
    description="Turns to an object that the camera sees, until it is in the middle of the picture. Use find_object "
    f"for an object that is out of view. {_WHERE}",
    arguments=ThingArguments,
    time_limit=30.0,
    moves_robot=True,
).implemented_by
def _look_at_object(arguments: ThingArguments, context: ToolContext) -> dict[str, Any]:
    name = _kind(arguments.name)
    return _centered_in_degrees(center(name, context.body.detect((name,), context), context))


def thing_in_degrees(thing: SeenThing) -> dict[str, Any]:
    """Describes an object with its direction (degrees) and position (m), for the result of a tool."""
    direction = Direction.along(np.array(thing.bearing))
    told: dict[str, Any] = {
        "name": thing.label,
        "confidence": round(thing.confidence, 2),
        "yaw_deg": round(math.degrees(direction.yaw), 1),
        "pitch_deg": round(math.degrees(direction.pitch), 1),
    }
    if thing.position is not None:
        told.update(zip(("x_m", "y_m", "z_m"), (round(value, 3) for value in thing.position), strict=True))
    return told


class HeadTrackingArguments(ToolArguments):
    """Arguments of `head_tracking`."""

    enabled: bool = Field(description="true to follow a face, false to stop.")


@ToolSpecification(
    name="head_tracking",
    description="Starts or stops following a person's face with the head.",
    arguments=HeadTrackingArguments,
    time_limit=5.0,
).implemented_by
def _head_tracking(arguments: HeadTrackingArguments, context: ToolContext) -> dict[str, Any]:
    context.body.track_faces(arguments.enabled)
    return {"enabled": arguments.enabled}


def _kind(name: str) -> str:
    """Normalizes a noun to the class name that detectors use."""
    return name.strip().lower().removeprefix("the ").removeprefix("a ").removeprefix("an ")


def _centered_in_degrees(centered: Centered) -> dict[str, Any]:
    return {**thing_in_degrees(centered.thing), "off_centre_deg": round(math.degrees(centered.error), 1)}
