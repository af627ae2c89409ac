"""Object detector based on a vision model: detects any kind of object, but is slow and returns imprecise boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import BoundingBox, Detection, strongest
from reachy_agent_ros.vision.vision_model import VisionModel

FULL = 1000.0
"""Coordinate of the right and lower image edge in the model's answer. Pixels are not used, because models assume
different image sizes."""

QUESTION = (
    "Find every object in this picture, at most 20. Answer with JSON only: "
    '{"objects": [{"label": "...", "confidence": 0.9, "left": 0, "top": 0, "right": 1000, "bottom": 1000}]}. '
    "label is one or two lower-case English words for the kind of object, confidence is from 0 to 1, and left, top, "
    "right and bottom are the edges of its box in thousandths of the picture's width and height, from the picture's "
    'upper left corner. Answer {"objects": []} if there is nothing.'
)

_CLOSED = ConfigDict(json_schema_extra={"additionalProperties": False})
"""Forbids additional fields on servers that enforce a schema; in answers from other servers, they are ignored."""

_Number = Annotated[float, Field(allow_inf_nan=False)]


class _Seen(BaseModel):
    """Object in the answer. Edges have names, because different models return four numbers in a different order."""

    model_config = _CLOSED

    label: str = Field(min_length=1, max_length=60)
    confidence: _Number
    left: _Number
    top: _Number
    right: _Number
    bottom: _Number


class _Answer(BaseModel):
    model_config = _CLOSED

    objects: list[_Seen] = Field(max_length=100)


SCHEMA: dict[str, Any] = _Answer.model_json_schema()
"""JSON schema of the answer, for servers that enforce one."""


class EndpointDetector:
    """Object detector that asks a vision model for the boxes of all objects.

    Args:
        model: Vision model to ask.
    """

    def __init__(self, model: VisionModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Name of the detector, in the form `endpoint:MODEL`."""
        return f"endpoint:{self._model.name}"

    @property
    def labels(self) -> Sequence[str]:
        """Labels of the detector. Empty, because a vision model has no fixed list of labels."""
        return ()

    def detect(self, image: Image) -> list[Detection]:
        """Finds the objects in an image, best first.

        Raises:
            AgentError: The errors of `VisionModel.ask`; `MODEL_MISBEHAVED` also for an answer with an invalid format.
        """
        height, width = image.shape[:2]
        answer = _parsed(self._model.ask(image, QUESTION, SCHEMA))
        detections = [_detection(seen, width, height) for seen in answer.objects]
        return strongest(detection for detection in detections if detection.box.area > 0.0)


def _parsed(text: str) -> _Answer:
    """Parses the model's answer. Ignores any text before and after the JSON."""
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        return _Answer.model_validate_json(text[start:end])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        message = f"The vision model's list of objects is unusable: {where}: {first['msg']}."
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, message) from error


def _detection(seen: _Seen, width: int, height: int) -> Detection:
    left, right = sorted((_part(seen.left), _part(seen.right)))
    top, bottom = sorted((_part(seen.top), _part(seen.bottom)))
    box = BoundingBox(left * width, top * height, right * width, bottom * height)
    return Detection(seen.label.strip().lower(), min(max(seen.confidence, 0.0), 1.0), box)


def _part(edge: float) -> float:
    """Converts the position of a box edge to a fraction (0 to 1) of the image size."""
    return min(max(edge / FULL, 0.0), 1.0)
