"""Gestures that the robot learns from demonstrations by a simulated hand, in the running graph.

Run `scripts/evaluate imitation_skill`. It takes about ten minutes. Each of five gestures is demonstrated once and
cloned with three seeds. Then a tool performs the gesture twice: with only the policy, which aims at the demonstration,
and after practice. The motion of the robot is compared with the demonstration at the best offset and tempo.
"""

from __future__ import annotations

import json
import math
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from reachy_agent_msgs.action import ExecuteTool, RecordDemonstration
from reachy_agent_msgs.msg import MotionTarget
from std_msgs.msg import Header

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.pose import Vector, head_transform
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, demonstrations_directory
from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse, as_channels
from reachy_agent_ros.learning.imitation.taught_skill import TaughtSkill
from reachy_agent_ros.learning.imitation.teaching import Teaching
from reachy_agent_ros.learning.training.configuration import Algorithm
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, pose_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

SEEDS = (1, 2, 3)
EPOCHS = 100
LIMIT = 120.0
SHOWING = 5.5  # s per recording; the hand moves in the middle of it
BEGINNING = 1.0  # s after which the hand begins


def _swing(degrees: float, tempo: float, swings: float) -> Callable[[float], float]:
    """Returns an oscillating angle (rad) as a function of the time (s)."""
    return lambda moment: math.radians(degrees) * math.sin(math.tau * tempo * min(max(moment, 0.0), swings / tempo))


_NOD, _SHAKE, _TILT = _swing(12.0, 0.8, 2.5), _swing(16.0, 1.0, 3.0), _swing(12.0, 0.3, 0.5)
_BOW, _WAVE = _swing(18.0, 0.2, 0.5), _swing(45.0, 1.2, 4.0)

GESTURES: dict[str, Callable[[float], MotionTarget]] = {
    "nod": lambda moment: _target(pitch=_NOD(moment)),
    "shake": lambda moment: _target(yaw=_SHAKE(moment)),
    "tilt": lambda moment: _target(roll=_TILT(moment)),
    "bow": lambda moment: _target(pitch=_BOW(moment)),
    "wave": lambda moment: _target(antenna=_WAVE(moment)),
}


class Likeness(NamedTuple):
    """Similarity of a motion to its demonstration.

    Attributes:
        amplitude: Peak-to-peak amplitude relative to the demonstration.
        tempo: Tempo relative to the demonstration.
        error: Root mean square error of the channel with the largest error, degrees.
    """

    amplitude: float
    tempo: float
    error: float


class Person:
    """Simulated person who demonstrates a gesture and observes its reproduction.

    Args:
        client: Client in the running graph.
    """

    def __init__(self, client: GraphClient) -> None:
        node = client.node
        trainer, tools = client.watch(names.TRAINER), client.watch(names.TOOL_SERVER)
        self._records = ActionCaller(node, RecordDemonstration, names.RECORD_DEMONSTRATION, trainer)
        self._tools = ActionCaller(node, ExecuteTool, names.EXECUTE_TOOL, tools)
        self._hand = node.create_publisher(MotionTarget, names.TEACH_TARGET, STANDARD)
        self._pool = ThreadPoolExecutor(1)
        self._demonstrations = Demonstrations(demonstrations_directory())

    def show(self, skill: str) -> None:
        """Guides the robot by hand through a gesture, starting from the neutral posture."""
        upright = self._tools.call(ExecuteTool.Goal(name="move_head", arguments_json="{}"), LIMIT)
        if upright.error_code:
            raise RuntimeError(f"Upright: {upright.error_msg}")
        with self._recording(skill, RecordDemonstration.Goal.HAND):
            began = time.monotonic()
            while (moment := time.monotonic() - began) < SHOWING:
                self._hand.publish(GESTURES[skill](moment - BEGINNING))
                time.sleep(0.02)

    def watch(self, skill: str) -> Vector:
        """Lets the robot perform a gesture. Returns the measured channels, one row per period."""
        gesture = {"name": "gesture", "arguments_json": json.dumps({"gesture": skill})}
        move = {"name": "play_move", "arguments_json": json.dumps({"name": skill})}
        with self._recording("seen", RecordDemonstration.Goal.TELEOPERATION) as recorded:
            goal = ExecuteTool.Goal(**(gesture if skill in ("nod", "shake", "tilt") else move))
            done = self._tools.call(goal, LIMIT)
            if done.error_code:
                raise RuntimeError(f"{skill}: {done.error_msg}")
        bag = self._demonstrations.bag(self._demonstrations.find(recorded.result().demonstration))
        return np.array([as_channels(row) for row in bag.trajectory(RATE).values])

    @contextmanager
    def _recording(self, skill: str, method: int) -> Iterator[Future[Any]]:
        cancel, begun = CancelToken(), threading.Event()
        goal = RecordDemonstration.Goal(skill=skill, method=method, time_allowance=duration_message(LIMIT))
        running = self._pool.submit(self._records.call, goal, LIMIT, cancel, lambda _feedback: begun.set(), grace=LIMIT)
        deadline = Deadline(LIMIT)
        while not begun.wait(0.1) and not deadline.passed:
            if running.done():
                raise RuntimeError(running.result().error_msg)
        try:
            yield running
        finally:
            cancel.cancel()
            result = running.result()
        if result.error_code:
            raise RuntimeError(result.error_msg)


def main(as_json: bool) -> int:
    """Measures and prints all figures. Always returns exit code 0."""
    with running_graph("nodes:=hardware_bridge,tool_server,trainer") as (client, _):
        person = Person(client)
        alone: dict[str, list[Likeness]] = {}
        practiced: dict[str, list[Likeness]] = {}
        for skill in GESTURES:
            person.show(skill)
            pairs = [_made(person, skill, seed) for seed in SEEDS]
            alone[skill], practiced[skill] = ([pair[index] for pair in pairs] for index in (0, 1))
    found = [*_figures("policy alone", alone, False), *_figures("after practice", practiced, True)]
    print_report("imitation_skill", found, as_json)
    return 0


def _made(person: Person, skill: str, seed: int) -> tuple[Likeness, Likeness]:
    """Compares performances of a skill with its demonstration: first without practice, then after practice."""
    store = PolicyStore()
    made = Teaching().train(skill, Algorithm.CLONING, EPOCHS, seed)
    taught = TaughtSkill.from_arrays(store.weights(made.record))
    store.save(made.record, TaughtSkill(taught.course, taught.course, taught.weights).arrays())
    alone = likeness(taught.course, person.watch(skill))
    store.roll_back(skill, made.record.version)
    return alone, likeness(taught.course, person.watch(skill))


def likeness(shown: ShownCourse, seen: Vector) -> Likeness:
    """Compares an observed motion with its demonstration, at the time offset and tempo that fit best.

    Args:
        shown: Demonstrated course.
        seen: All measured channels, one row per period, with some rest before and after the motion.
    """
    columns = [channel - channel.Z for channel in shown.channels]
    done = seen[:, columns] - seen[0, columns]
    scale = np.array([channel.weight for channel in shown.channels])
    found = []
    for tempo in np.arange(0.9, 1.101, 0.01):
        points = shown.scaled(1.0, float(tempo)).points
        for start in range(len(done) - len(points) + 1):
            off = scale * (done[start : start + len(points)] - points)
            found.append((float(np.sqrt(np.square(off).mean(axis=0).max())), float(tempo)))
    error, tempo = min(found)
    widest = int(np.argmax(scale * np.ptp(shown.points, axis=0)))
    amplitude = np.ptp(done[:, widest]) / np.ptp(shown.points[:, widest])
    return Likeness(float(amplitude), tempo, math.degrees(error))


def _figures(who: str, found: dict[str, list[Likeness]], barred: bool) -> Iterator[Figure]:
    for skill, each in found.items():
        amplitude = statistics.median(one.amplitude for one in each)
        error = statistics.median(one.error for one in each)
        yield Figure(f"{who}, {skill}: amplitude, median", 100.0 * amplitude, "%")
        yield Figure(f"{who}, {skill}: error, median", error, "deg")
    every = [one for each in found.values() for one in each]
    amplitude, tempo = (max(abs(one[index] - 1.0) for one in every) for index in (0, 1))
    bars = (15.0, 5.0, 3.0) if barred else (None, None, None)
    yield Figure(f"{who}: amplitude off by, worst", 100.0 * amplitude, "%", bars[0])
    yield Figure(f"{who}: tempo off by, worst", 100.0 * tempo, "%", bars[1])
    yield Figure(f"{who}: error, worst", max(one.error for one in every), "deg", bars[2])


def _target(roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0, antenna: float | None = None) -> MotionTarget:
    """Returns the target to which the hand guides the head or the left antenna. Angles are in radians."""
    return MotionTarget(
        header=Header(frame_id=names.HEAD_BASE_FRAME),
        commander="person",
        set_head=True,
        head_pose=pose_message(head_transform(roll=roll, pitch=pitch, yaw=yaw)),
        set_antennas=antenna is not None,
        antenna_left=antenna or 0.0,
    )
