"""Gaze tools: success rate, error and duration of looking at objects.

Run `scripts/evaluate sight` with nothing else running. It takes about three minutes. The tools use the built-in
detector on random desks with the simulated robot and its friction. Errors are computed from the measured head and the
true positions.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.testing.simulated_body import thing_middle
from reachy_agent_ros.tools.body import PoseMotion, SeenThing, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.sight import sight_tools
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import Sighting, locate
from reachy_agent_ros.vision.scene_camera import SceneCamera

KINDS = ("apple", "croissant", "duck")
SCENES = 100
SEARCHES = 30
SEED = 20261121
CENTERED = math.radians(3.0)
WIDTH, HEIGHT = 640, 480
SEEING = 0.15  # s from the request of an image to the detections


def main(as_json: bool) -> int:
    """Measures the gaze tools. Always returns exit code 0."""
    print_report("sight", list(figures()), as_json)
    return 0


def figures() -> Iterator[Figure]:
    """Measures all figures at the camera node's default image size."""
    desk = Desk(np.random.default_rng(SEED))
    body = DeskBody(DeskDetector(), WIDTH, HEIGHT)
    looks = [desk.look(body) for _ in range(SCENES)]
    yield from _figures("look_at_object", looks, 95.0)
    searches = [desk.search(body) for _ in range(SEARCHES)]
    yield from _figures("find_object", searches, None)
    body.close()


class DeskBody(MujocoBody):
    """Robot that detects the directions of objects on a desk, but not their positions.

    Args:
        detector: Object detector.
        width: Width of the images, pixels.
        height: Height of the images, pixels.

    Attributes:
        objects: 4x4 transforms of the scene's objects in `base_link`, m, which the caller may change.
        seen: Kinds of objects detected in the last image.
    """

    def __init__(self, detector: Detector, width: int, height: int) -> None:
        super().__init__("empty")
        self.objects: Mapping[str, Matrix] = {}
        self.seen: list[Detection] = []
        self._detector = detector
        self._camera = SceneCamera("minimal", width, height)
        self.reset()
        self.wait(0.1)

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Takes an image and detects the objects in it."""
        head = self.measure().pose.head
        self.seen = self._detector.detect(self._camera.capture(head, self.objects))
        self.wait(SEEING)
        camera = camera_pose(head)
        found = [locate(thing, self._camera.intrinsics, camera) for thing in self.seen]
        return Sight(tuple(_seen(each) for each in found if not labels or each.detection.label in labels), camera)

    def axis_error(self, place: Matrix) -> float:
        """Returns the angle (rad) between the camera's measured axis and a point (x, y, z) in `base_link`."""
        camera = camera_pose(self.measure().pose.head)
        way = place - camera[:3, 3]
        return math.acos(float(np.clip(way @ camera[:3, 2] / np.linalg.norm(way), -1.0, 1.0)))

    def close(self) -> None:
        """Frees the resources of the robot and the camera."""
        self._camera.close()
        super().close()


@dataclass(frozen=True)
class Outcome:
    """Result of one tool call.

    Attributes:
        error: Angle between the camera's measured axis and the object, rad.
        seconds: Simulated duration, s.
        complaint: Error message of the tool; empty on success.
    """

    error: float
    seconds: float
    complaint: str


class Desk:
    """Simulated desk with three objects at random places. The robot must look at one of these objects.

    Args:
        rng: Random generator.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        robot = MujocoRobot("minimal")
        robot.connect()
        self._rest = {kind: robot.measure().objects[kind] for kind in KINDS}
        robot.close()
        self._middles = {kind: thing_middle(kind) for kind in KINDS}

    def look(self, body: DeskBody) -> Outcome:
        """Lets the robot look at an object that is in the image, and returns the result."""
        kind, yaw = self._arrange(body), self._rng.uniform(-0.6, 0.6)
        x, y, _ = self._place_of(body, kind)
        self._face(body, np.clip(math.atan2(y, x) + yaw, -2.8, 2.8), self._rng.uniform(0.1, 0.5))
        return self._outcome(body, kind, "look_at_object")

    def search(self, body: DeskBody) -> Outcome:
        """Lets the robot search for an object that is outside the image, and returns the result."""
        kind, side = self._arrange(body), self._rng.choice([-1.0, 1.0])
        x, y, _ = self._place_of(body, kind)
        self._face(body, np.clip(math.atan2(y, x) + side * self._rng.uniform(1.3, 2.0), -2.8, 2.8), 0.2)
        return self._outcome(body, kind, "find_object")

    def _arrange(self, body: DeskBody) -> str:
        places: list[Vector] = []
        while len(places) < len(KINDS):
            place = np.array([self._rng.uniform(0.2, 0.8), self._rng.uniform(-0.3, 0.3)])
            far = np.hypot(*place) > 0.35
            if far and all(np.linalg.norm(place - other) > 0.14 for other in places):
                places.append(place)
        body.objects = {
            kind: self._upright(kind, place, self._rng.uniform(-math.pi, math.pi))
            for kind, place in zip(KINDS, places, strict=True)
        }
        return str(self._rng.choice(KINDS))

    def _upright(self, kind: str, place: Vector, yaw: float) -> Matrix:
        """Returns the pose of an object after a rotation about the vertical axis through its center, and a move."""
        rest = self._rest[kind]
        middle = (rest @ self._middles[kind])[:3]
        to_middle, back = np.eye(4), np.eye(4)
        to_middle[:2, 3], back[:2, 3] = -middle[:2], place
        moved: Matrix = back @ head_transform(yaw=yaw) @ to_middle @ rest
        return moved

    def _place_of(self, body: DeskBody, kind: str) -> Vector:
        place: Vector = (body.objects[kind] @ self._middles[kind])[:3]
        return place

    def _face(self, body: DeskBody, yaw: float, pitch: float) -> None:
        body.move(PoseMotion(head=head_transform(pitch=pitch, yaw=float(yaw))), _context(body))
        body.wait(0.5)

    def _outcome(self, body: DeskBody, kind: str, name: str) -> Outcome:
        tool = next(tool for tool in sight_tools(Path("unused")) if tool.specification.name == name)
        start, complaint = body.now, ""
        try:
            tool.handler(tool.specification.parse(json.dumps({"name": kind})), _context(body))
        except AgentError as error:
            complaint = error.message
        return Outcome(body.axis_error(self._place_of(body, kind)), body.now - start, complaint)


class _SimulatedWait(CancelToken):
    """Cancel token that waits in simulated time.

    Args:
        body: Body whose simulation advances.
    """

    def __init__(self, body: DeskBody) -> None:
        super().__init__()
        self._body = body

    def wait(self, seconds: float) -> bool:
        """Advances the simulated time. Returns whether the token was cancelled."""
        self._body.wait(seconds)
        return self.cancelled


def _context(body: DeskBody) -> ToolContext:
    return ToolContext(body, Deadline(600.0), lambda _progress: None, _SimulatedWait(body))


def _seen(sighting: Sighting) -> SeenThing:
    x, y, z = (float(value) for value in sighting.bearing)
    return SeenThing(sighting.detection.label, sighting.detection.confidence, (x, y, z))


def _figures(tool: str, outcomes: list[Outcome], bar: float | None) -> Iterator[Figure]:
    errors = [math.degrees(outcome.error) for outcome in outcomes]
    centered = [outcome for outcome in outcomes if outcome.error <= CENTERED and not outcome.complaint]
    share = 100.0 * len(centered) / len(outcomes)
    yield Figure(f"{tool}: centered within 3 deg, of {len(outcomes)} scenes", share, "%", bar, at_least=True)
    yield Figure(f"{tool}: error, median", statistics.median(errors), "deg")
    yield Figure(f"{tool}: error, p95", percentile(errors, 95), "deg")
    yield Figure(f"{tool}: time, median", statistics.median(outcome.seconds for outcome in outcomes), "s")
    yield Figure(f"{tool}: gave up", sum(bool(outcome.complaint) for outcome in outcomes), "")
