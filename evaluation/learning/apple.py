"""Learning to look at an apple despite a misaligned camera, from a simulated teacher, in the running graph.

Run `scripts/evaluate apple`. It takes about seven minutes; `--plot FILE` also draws the learning curve. The mounting of
the simulated camera differs from the mounting configured for vision. The agent is asked repeatedly in writing to look
at the apple. Only the simulated teacher knows the true positions of apple and head. It comments on each look on the
topic `feedback`, with a delay; sometimes it says nothing, and sometimes something unrelated. Its sentences are not in
any training set.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import ActionRecord, PolicyUpdate, Reward, SceneObjects
from std_msgs.msg import String

from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from evaluation.learning.teacher import Occasion, Teacher, TeacherRemark
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, SENSOR
from reachy_agent_ros.tools.execution_style import Direction
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import MIDDLE_HEIGHTS

ASKEW = "0.0,0.14,-0.09"
"""Wrong camera mounting configured for vision (roll, pitch, yaw, rad): objects appear 8 degrees lower and 5 degrees
further right."""

NODES = "hardware_bridge,camera,vision,tool_server,feedback,trainer,agent"

LOOKS = 40
SEED = 5
BEGINNINGS = (
    "look straight ahead",
    "look 15 degrees down",
    "look 10 degrees to the left",
    "look 10 degrees to the right",
)
NODS = 10  # number of gestures for timing the decisions of the policy
PATIENCE = 60.0  # s for each wait
RESTING = 1.0  # s after a motion, in which the head settles
STEP = LOOK_AT_OBJECT.parameters[0].step


@dataclass(frozen=True)
class Look:
    """Record of one attempt to look at the apple.

    Attributes:
        missing: Missing rotation of the head, down and to the left, rad.
        version: Version of the policy that chose the motion.
        said: Comment of the teacher; None if there was none.
        rating: Rating that the robot derived from the comment, -1..1; None without a comment.
        right_turn: Whether the robot related the comment to this look.
    """

    missing: tuple[float, float]
    version: str
    said: TeacherRemark | None
    rating: float | None
    right_turn: bool

    @property
    def error(self) -> float:
        """Angle (degrees) between the gaze direction and the direction of the apple."""
        return math.degrees(math.hypot(*self.missing))


class Scene:
    """Running graph in which the gaze is compared with the true position of the apple.

    Args:
        client: Client in the graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._newest: dict[type, Any] = {}
        self.acts: list[ActionRecord] = []
        self._rewards: list[Reward] = []
        self._lessons: list[PolicyUpdate] = []
        node = client.node
        node.create_subscription(SceneObjects, names.SCENE_OBJECTS, self._see, SENSOR)
        node.create_subscription(PoseStamped, names.HEAD_POSE, self._see, SENSOR)
        for kind, topic, heard in (
            (ActionRecord, names.ACTION_RECORDS, self.acts),
            (Reward, names.REWARD, self._rewards),
            (PolicyUpdate, names.POLICY_UPDATES, self._lessons),
        ):
            node.create_subscription(kind, topic, heard.append, CALLS)
        self._feedback = node.create_publisher(String, names.FEEDBACK, CALLS)
        self._talk = ActionCaller(node, Converse, names.CONVERSE, client.watch(names.AGENT))
        self._wait(lambda: len(self._newest) == 2 and self._feedback.get_subscription_count() > 0, "the graph")

    def ask(self, sentence: str) -> uuid.UUID:
        """Sends a sentence to the agent, and waits for the end of the turn. Returns the ID of the turn."""
        result = self._talk.call(Converse.Goal(text=sentence, wait=True), PATIENCE)
        if result.error_code:
            raise RuntimeError(f"{sentence}: {result.error_msg}")
        self._pause(RESTING)
        return uuid_from_message(result.turn_id)

    def missing(self) -> tuple[float, float]:
        """Returns the rotations (rad) down and to the left by which the gaze still misses the apple."""
        objects = self._newest[SceneObjects]
        apple = transform_from_pose(objects.poses[objects.names.index("apple")])[:3, 3]
        eye = camera_pose(transform_from_pose(self._newest[PoseStamped].pose))
        way = apple + np.array([0.0, 0.0, MIDDLE_HEIGHTS["apple"]]) - eye[:3, 3]
        right, looks = Direction.along(way / np.linalg.norm(way)), Direction.along(eye[:3, 2])
        return right.pitch - looks.pitch, right.yaw - looks.yaw

    def tell(self, spoken: TeacherRemark, since: float) -> Reward:
        """Sends a comment of the teacher after its delay, and waits until the robot has learned from it."""
        before = len(self._lessons)
        self._pause(max(0.0, since + spoken.delay - time.monotonic()))
        self._feedback.publish(String(data=spoken.remark.text))
        self._wait(lambda: len(self._lessons) > before, f"a lesson of {spoken.remark.text!r}")
        lesson = self._lessons[before]
        return next(reward for reward in self._rewards if reward.feedback_id == lesson.feedback_id)

    def decided(self, turn_id: uuid.UUID) -> ActionRecord:
        """Returns the action of a turn that a policy has chosen."""
        of_turn = [act for act in self.acts if uuid_from_message(act.turn_id) == turn_id and act.policy_version]
        return of_turn[-1]

    def _see(self, message: Any) -> None:
        self._newest[type(message)] = message

    def _pause(self, seconds: float) -> None:
        deadline = Deadline(seconds)
        while not deadline.passed:
            self._client.pause()

    def _wait(self, condition: Any, what: str) -> None:
        deadline = Deadline(PATIENCE)
        while not condition():
            if deadline.passed:
                raise TimeoutError(f"There is no sign of {what}.")
            self._client.pause()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the file of the plot."""
    parser.add_argument("--plot", type=Path, metavar="FILE", help="PNG to draw the curve in")


def main(as_json: bool, plot: Path | None = None) -> int:
    """Runs the lesson. Always returns exit code 0."""
    looks, times = lesson()
    print_report("apple", list(figures(looks, times)), as_json)
    if plot is not None:
        draw(looks, plot)
    return 0


def lesson() -> tuple[list[Look], list[float]]:
    """Runs the lesson. Returns all looks, and the decision times (s) of a policy in the running graph."""
    with running_graph(f"eye_mounting:={ASKEW}", f"nodes:={NODES}") as (client, _):
        scene = Scene(client)
        teacher = Teacher(LOOK_AT_OBJECT, SEED)
        looks = [look(scene, teacher, BEGINNINGS[number % len(BEGINNINGS)]) for number in range(LOOKS)]
        for _ in range(NODS):
            scene.ask("nod")
        return looks, list(decisions(scene.acts))


def look(scene: Scene, teacher: Teacher, beginning: str) -> Look:
    """Lets the robot look at the apple from a starting pose, and gives the teacher's comment."""
    scene.ask(beginning)
    turn_id = scene.ask("look at the apple")
    ended = time.monotonic()
    missing, version = scene.missing(), scene.decided(turn_id).policy_version
    spoken = teacher.comment(np.array(missing) / STEP)
    if spoken is None or is_urgent_stop(spoken.remark.text):  # stops are measured by another evaluation
        return Look(missing, version, None, None, True)
    reward = scene.tell(spoken, ended)
    return Look(missing, version, spoken, reward.rating, uuid_from_message(reward.turn_id) == turn_id)


def decisions(acts: Sequence[ActionRecord]) -> Iterator[float]:
    """Yields the time (s) from the start of each nod to the start of the motion that the policy chose."""
    tools = {uuid_from_message(act.turn_id): act for act in acts if act.skill == "gesture"}
    for act in acts:
        turn_id = uuid_from_message(act.turn_id)
        if act.skill == "make_gesture" and not act.outcome and turn_id in tools:
            yield seconds_of(act.began) - seconds_of(tools[turn_id].began)


def figures(looks: Sequence[Look], steps: Sequence[float]) -> Iterator[Figure]:
    """Yields the initial error, the final error, and the number of looks until the error is small."""
    late = [one.error for one in looks[-10:]]
    passed = [number for number, one in enumerate(looks, 1) if one.error < math.degrees(STEP)]
    told = [one.right_turn for one in looks if one.said is not None]
    yield Figure("before: off the apple", looks[0].error, "deg")
    yield Figure("after, last 10 looks: off the apple, median", statistics.median(late), "deg", 2.0)
    yield Figure("after, last 10 looks: off the apple, p90", percentile(late, 90), "deg", 4.0)
    yield Figure("looks until one is within 4 degrees", float(passed[0] if passed else len(looks) + 1), "")
    yield Figure("sentences taken for the look they were about", 100.0 * statistics.mean(told), "%")
    yield Figure("policy step in the running graph, median", 1e3 * percentile(steps, 50), "ms")
    yield Figure("policy step in the running graph, p95", 1e3 * percentile(steps, 95), "ms", 5.0)


def draw(looks: Sequence[Look], file: Path) -> None:
    """Draws a plot of the error and the rating of each look, with the teacher's comments."""
    import matplotlib  # not needed for the figures

    matplotlib.use("Agg")
    from matplotlib import pyplot

    numbers = range(1, len(looks) + 1)
    figure, (errors, ratings) = pyplot.subplots(2, 1, figsize=(12, 8), sharex=True, height_ratios=(3, 2))
    errors.plot(numbers, [one.error for one in looks], "o-", label="off the apple")
    errors.plot(numbers, [math.degrees(-one.missing[0]) for one in looks], ":", label="too far down")
    errors.plot(numbers, [math.degrees(one.missing[1]) for one in looks], ":", label="too far to the right")
    errors.axhspan(0.0, math.degrees(STEP) / 2.0, color="tab:green", alpha=0.15, label="perfect")
    errors.axhline(0.0, color="k", linewidth=0.5)
    for number, one in zip(numbers, looks, strict=True):
        if one.said is not None and one.said.remark.kind is not Occasion.NOISE:
            errors.annotate(
                one.said.remark.text, (number, one.error), (3, 6), textcoords="offset points", rotation=60, fontsize=7
            )
    errors.set(ylabel="degrees", ylim=(-4.0, 2.2 * max(one.error for one in looks)))
    errors.legend(loc="upper right")
    heard = [(number, one, one.said) for number, one in zip(numbers, looks, strict=True) if one.said is not None]
    told = [number for number, _, _ in heard]
    ratings.plot(told, [one.rating for _, one, _ in heard], "s-", label="as the robot understood it")
    ratings.plot(told, [said.remark.rating for _, _, said in heard], "k_", markersize=14, label="as it was meant")
    ratings.set(xlabel='"look at the apple", time after time', ylabel="rating", ylim=(-1.1, 1.1))
    ratings.legend(loc="lower right")
    for pane in (errors, ratings):
        pane.grid(alpha=0.3)
    figure.suptitle("An eye that sits askew, corrected by what a person says")
    figure.tight_layout()
    figure.savefig(file, dpi=110)
