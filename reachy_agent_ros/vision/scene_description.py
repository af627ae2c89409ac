"""What a picture shows, in words: the answer to a question about it, and the kind of place.

A vision model answers; without one, the answer is what a detector found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.vision_model import VisionModel

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
    """What a picture shows.

    Attributes:
        description: The answer to the question.
        scene_type: Kind of place, as a vision model calls it; empty if no model named one.
    """

    description: str
    scene_type: str = ""


def describe(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> DescribedScene:
    """Answers a question about a picture, as `analyze` does, and has a vision model name the kind of place.

    If the model answers without JSON, its whole answer is the description.

    Args:
        image: The picture that the question is about.
        question: The question in words.
        detections: What a detector found in it, best first.
        model: The vision model to ask.

    Raises:
        AgentError: `EMPTY_TEXT` if there is no question; otherwise as `VisionModel.ask`.
    """
    if not (model.configured and question.strip()):
        return DescribedScene(analyze(image, question, detections, model))
    text = model.ask(image, _DESCRIPTION_PROMPT + question.strip(), _Answer.model_json_schema())
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        answer = _Answer.model_validate_json(text[start:end])
    except ValidationError:
        return DescribedScene(text)
    return DescribedScene(answer.description.strip(), answer.scene_type.strip().lower())


def analyze(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> str:
    """Answers a question with the vision model if there is one, else from the detections, and says so.

    If the model fails, that is an error: the answer does not fall back to the detections.

    Args:
        image: The picture that the question is about.
        question: The question in words.
        detections: What a detector found in the picture, best first.
        model: The vision model to ask.

    Raises:
        AgentError: `EMPTY_TEXT` if there is no question; otherwise as `VisionModel.ask`.
    """
    if not question.strip():
        raise AgentError(ErrorCode.EMPTY_TEXT, "There is no question about the scene.")
    if model.configured:
        return model.ask(image, _ANSWER_PROMPT + question.strip())
    return f"I have no vision model to answer that with. {listing(detections, image.shape[1])}"


def listing(detections: Sequence[Detection], width: int) -> str:
    """Names what a detector found, in a sentence.

    Args:
        detections: What was found, in the order to name it.
        width: Width of the picture, pixels.
    """
    things = [f"{_with_article(detection.label)} {_side(detection, width)}" for detection in detections]
    if not things:
        return "My detector recognises nothing here."
    *others, last = things
    return f"My detector sees {', '.join(others) + ' and ' if others else ''}{last}."


class _Answer(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    description: str = Field(min_length=1)
    scene_type: str = Field(max_length=60)


def _with_article(label: str) -> str:
    return f"{'an' if label[:1] in tuple('aeiou') else 'a'} {label}"


def _side(detection: Detection, width: int) -> str:
    third = int(3.0 * detection.box.centre[0] / width)
    return _SIDES[min(max(third, 0), 2)]
