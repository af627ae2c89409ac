"""Detects objects and faces in image files, without the graph."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reachy_agent_ros.vision.detection import Detection, Detector

GROUP = Group.FILES

HELP = "detect objects and faces in image files"

EXAMPLES = (
    "reachy-agent detect photo.jpg",
    "reachy-agent detect --json *.jpg",
    "reachy-agent detect --detector onnx:model.onnx photo.jpg",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the image files, the detector and the output format."""
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="image file: JPEG, PNG or another format of Pillow"
    )
    parser.add_argument(
        "--detector",
        default="desk",
        help="object detector: desk (built in, only for the objects of the simulation), onnx:PATH or endpoint",
    )
    parser.add_argument(
        "--endpoint", default="", metavar="URL", help="base URL of a model server, for the detector endpoint"
    )
    parser.add_argument("--model", default="", metavar="NAME", help="vision model at the endpoint")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the detections in each file, or the reason why it cannot be read. Returns 1 if a file cannot be read.

    Raises:
        AgentError: The detector cannot be loaded or has failed.
    """
    from reachy_agent_ros.vision.detectors import detector
    from reachy_agent_ros.vision.face_detector import FaceDetector
    from reachy_agent_ros.vision.vision_model import VisionModel

    endpoint = Endpoint(url=arguments.endpoint, model=arguments.model)
    objects = detector(arguments.detector, VisionModel(endpoint.url, endpoint.model, endpoint.api_key))
    detectors = (objects, FaceDetector())  # as in the node `vision`
    unreadable = False
    for file in arguments.images:
        line = _line(file, detectors)
        unreadable |= "error" in line
        show(line, _for_people(line), arguments.json)
    return int(unreadable)


def _line(file: Path, detectors: Sequence[Detector]) -> dict[str, Any]:
    """Detects objects and faces in an image file. Returns the detections and the processor time, or an error."""
    from reachy_agent_ros.vision.image_file import read_image

    start = time.process_time()
    try:
        image = read_image(file)
    except AgentError as error:
        return {"file": str(file), "detections": [], "cpu_ms": _milliseconds(start), "error": error.message}
    found = [detection for detector in detectors for detection in detector.detect(image)]
    best_first = sorted(found, key=lambda detection: -detection.confidence)
    return {"file": str(file), "detections": list(map(_entry, best_first)), "cpu_ms": _milliseconds(start)}


def _entry(detection: Detection) -> dict[str, Any]:
    box = [round(edge, 1) for edge in detection.box]
    return {"label": detection.label, "confidence": round(detection.confidence, 4), "box": box}


def _milliseconds(start: float) -> float:
    return round((time.process_time() - start) * 1000.0, 1)


def _for_people(line: dict[str, Any]) -> str:
    if "error" in line:
        return str(line["error"])
    things = [f"{one['label']} {one['confidence']:.2f} at {one['box']}" for one in line["detections"]]
    return f"{line['file']}: " + (", ".join(things) or "nothing")
