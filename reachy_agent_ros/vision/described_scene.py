"""A picture in words, and what kind of place it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.scene_question import analyze
from reachy_agent_ros.vision.vision_model import VisionModel

_PROMPT = (
    "Look at this picture and answer with JSON only: "
    '{"description": "...", "scene_type": "..."}. description answers the question in one to three short sentences; '
    "say so if the picture does not show it. scene_type is one or two lower-case English words for the kind of place, "
    "such as office, kitchen or street, and empty if the picture does not tell. Question: "
)


class _Answer(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    description: str = Field(min_length=1)
    scene_type: str = Field(max_length=60)


@dataclass(frozen=True)
class DescribedScene:
    """What a picture shows.

    Attributes:
        description: The answer to the question.
        scene_type: Kind of place, as a vision model calls it; empty where none was asked or told.
    """

    description: str
    scene_type: str = ""


def described(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> DescribedScene:
    """Answers a question about a picture, as `scene_question.analyze` does, and has a vision model name the place.

    A model that writes no JSON is taken at its word: the whole of it is the description.

    Args:
        image: What is shown.
        question: In words.
        detections: What a detector found in it, best first.
        model: Whom to ask.

    Raises:
        AgentError: `EMPTY_TEXT` for no question, or as `VisionModel.ask`.
    """
    if not (model.configured and question.strip()):
        return DescribedScene(analyze(image, question, detections, model))
    text = model.ask(image, _PROMPT + question.strip(), _Answer.model_json_schema())
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        answer = _Answer.model_validate_json(text[start:end])
    except ValidationError:
        return DescribedScene(text)
    return DescribedScene(answer.description.strip(), answer.scene_type.strip().lower())
