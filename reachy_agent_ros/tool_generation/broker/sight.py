"""Verbs that look."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tool_generation.broker.allowance import (
    FRAMES,
    LONGEST_ANSWER,
    LONGEST_QUESTION,
    LOOKS,
    MOST_THINGS,
    PHOTOS,
    QUESTIONS,
)
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.broker.verb import Nothing, Verb
from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tools.photo_file import save_photo
from reachy_agent_ros.tools.predefined.sight import thing_in_degrees
from reachy_agent_ros.vision.camera import Intrinsics

_Label = Annotated[str, Field(min_length=1, max_length=60)]


class Detect(ToolArguments):
    """Kinds of thing; all where there are none."""

    labels: list[_Label] = Field(default_factory=list, max_length=50)


class AskScene(ToolArguments):
    """What to know about what is in front."""

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)


def _frame(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    run.spend("pictures", FRAMES)
    photo = run.body.photograph(run.context)
    return {"jpeg": base64.b64encode(photo.jpeg).decode(), **_size(photo.intrinsics)}


def _lens(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    photo = run.body.last_photo() or run.body.photograph(run.context)
    return {**_size(photo.intrinsics), "focal_length": photo.intrinsics.focal_length}


def _photo(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    run.spend("photos", PHOTOS)
    photo = run.body.photograph(run.context)
    path = save_photo(photo.jpeg, run.equipment.scratch or run.equipment.photos)
    run.record.photos.append(path)
    return {"path": str(run.equipment.photos / path.name), **_size(photo.intrinsics)}


def _detect(arguments: Detect, run: Run, _lease: Lease) -> Any:
    run.spend("detections", LOOKS)
    things = run.body.detect(arguments.labels, run.context).things
    return [thing_in_degrees(thing) for thing in things[:MOST_THINGS]]


def _ask_scene(arguments: AskScene, run: Run, _lease: Lease) -> Any:
    run.spend("questions about the scene", QUESTIONS)
    answer = run.body.ask_about_scene(arguments.question, run.context)
    return {"answer": answer.text[:LONGEST_ANSWER], "detected": list(answer.labels[:MOST_THINGS])}


def _size(intrinsics: Intrinsics) -> dict[str, int]:
    return {"width": intrinsics.width, "height": intrinsics.height}


VERBS: dict[str, Verb[Any]] = {
    "frame": Verb(Nothing, _frame, Need.EYES),
    "lens": Verb(Nothing, _lens, Need.EYES),
    "photo": Verb(Nothing, _photo, Need.EYES),
    "detect": Verb(Detect, _detect, Need.EYES),
    "ask_scene": Verb(AskScene, _ask_scene, Need.EYES),
}
