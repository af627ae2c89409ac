"""A question about what the robot sees, answered in words."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.vision_model import VisionModel

_PROMPT = (
    "This picture is what a small desk robot sees through its own eye. Answer in one to three short sentences that can "
    "be read aloud, without lists. Say so if the picture does not show it. Question: "
)

_SIDES = ("on the left", "in the middle", "on the right")


def analyze(image: Image, question: str, detections: Sequence[Detection], model: VisionModel) -> str:
    """Answers from the picture where there is a vision model, else from what was detected, and says so.

    A model that is configured and fails is an error, not a reason to answer from less.

    Args:
        image: What the robot sees.
        question: In words.
        detections: What a detector found in the picture, best first.
        model: Whom to ask.

    Raises:
        AgentError: `EMPTY_TEXT` for no question, or as `VisionModel.ask`.
    """
    if not question.strip():
        raise AgentError(ErrorCode.EMPTY_TEXT, "There is no question about the scene.")
    if model.configured:
        return model.ask(image, _PROMPT + question.strip())
    return f"I have no vision model to answer that with. {listing(detections, image.shape[1])}"


def listing(detections: Sequence[Detection], width: int) -> str:
    """What a detector found, in a sentence.

    Args:
        detections: In the order to name them.
        width: Of the picture, pixels.
    """
    things = [f"{_with_article(detection.label)} {_side(detection, width)}" for detection in detections]
    if not things:
        return "My detector recognises nothing here."
    *others, last = things
    return f"My detector sees {', '.join(others) + ' and ' if others else ''}{last}."


def _with_article(label: str) -> str:
    return f"{'an' if label[:1] in tuple('aeiou') else 'a'} {label}"


def _side(detection: Detection, width: int) -> str:
    third = int(3.0 * detection.box.centre[0] / width)
    return _SIDES[min(max(third, 0), 2)]
