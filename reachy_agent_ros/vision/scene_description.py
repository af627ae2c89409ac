"""Answers to questions about an image, and classification of the place in the image.

A vision model gives the answers. Without a vision model, or if it fails, the answer lists the detections.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.seen_things import answer_about, sentence_about
from reachy_agent_ros.vision.vision_model import VisionModel

_log = logging.getLogger(__name__)

_ANSWER_PROMPT = (
    "This picture is what a small desk robot sees through its own eye. Answer in one to three short sentences that can "
    "be read aloud, without lists. Say so if the picture does not show it. Question: "
)

_DESCRIPTION_PROMPT = (
    "Look at this picture and answer with JSON only: "
    '{"description": "...", "scene_type": "..."}. description answers the question in one to three short sentences; '
    "say so if the picture does not show it. scene_type is one or two lower-case English words for the kind of place, "
    "such as office, kitchen or street, and empty if the picture does not tell. Question: "
)

_SIDES = ("on the left", "in the middle", "on the right")


@dataclass(frozen=True)
class DescribedScene:
    """Description of an image and of the kind of place in the image.

    Attributes:
        description: Answer to the question.
        scene_type: Kind of place named by a vision model; empty if it named none.
    """

    description: str
    scene_type: str = ""


def describe(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> DescribedScene:
    """Answers a question about an image like `analyze`. Also asks the vision model for the kind of place.

    If the model answers without JSON, its whole answer is the description.

    Args:
        image: Image that the question is about.
        question: Question in words.
        detections: Detections in the image, best first.
        model: Vision model to ask.

    Raises:
        AgentError: `EMPTY_TEXT` if there is no question.
    """
    _require_words(question)
    text = _asked(model, image, _DESCRIPTION_PROMPT + question.strip(), _Answer.model_json_schema())
    if text is None:
        return DescribedScene(answer_about(question, _placed(detections, image.shape[1])))
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        answer = _Answer.model_validate_json(text[start:end])
    except ValidationError:
        return DescribedScene(text)
    return DescribedScene(answer.description.strip(), answer.scene_type.strip().lower())


def analyze(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> str:
    """Answers a question about an image with the vision model. If no model is available, uses detections.

    A language model whose server rejects pictures fails at every question, which must not be worse than no model.

    Args:
        image: Image that the question is about.
        question: Question in words.
        detections: Detections in the image, best first.
        model: Vision model to ask.

    Raises:
        AgentError: `EMPTY_TEXT` if there is no question.
    """
    _require_words(question)
    answer = _asked(model, image, _ANSWER_PROMPT + question.strip())
    return answer_about(question, _placed(detections, image.shape[1])) if answer is None else answer


def listing(detections: Sequence[Detection], width: int) -> str:
    """Returns a sentence that lists detections.

    Args:
        detections: Detections in the order to name them.
        width: Width of the image, pixels.
    """
    return sentence_about(_placed(detections, width))


class _Answer(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    description: str = Field(min_length=1)
    scene_type: str = Field(max_length=60)


def _require_words(question: str) -> None:
    if not question.strip():
        raise AgentError(ErrorCode.EMPTY_TEXT, "The question about the scene is empty.")


def _asked(model: VisionModel, image: Image, prompt: str, schema: dict[str, Any] | None = None) -> str | None:
    """Returns the answer of the vision model, or None if no model is configured or the model fails."""
    if not model.configured:
        return None
    try:
        return model.ask(image, prompt, schema)
    except AgentError as error:
        _log.warning("The vision model failed, so the answer names detected objects: %s", error)
        return None


def _placed(detections: Sequence[Detection], width: int) -> list[tuple[str, str]]:
    return [(detection.label, _side(detection, width)) for detection in detections]


def _side(detection: Detection, width: int) -> str:
    third = int(3.0 * detection.box.center[0] / width)
    return _SIDES[min(max(third, 0), 2)]
