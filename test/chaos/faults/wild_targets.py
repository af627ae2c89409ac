"""Fault 22: invalid numbers in commands."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from random import Random

from geometry_msgs.msg import Point, Pose, Quaternion
from reachy_agent_msgs.msg import MotionReport, MotionTarget
from std_msgs.msg import Header

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

WILD = (math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 1e6, -100.0, 7.0)
SENT = 300
PERIOD = 0.02  # s


class WildTargets:
    """Motion targets in which one random field has an extreme or non-finite value."""

    number = 22
    title = "invalid numbers in commands"
    injected = "targets with NaN, infinities and huge values in every field are streamed to the bridge"
    expected = (
        "each target is rejected, or clamped and reported; no command is outside the limits; the bridge continues"
    )

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Sends invalid targets, and checks that none moves the robot outside the envelope."""
        node, reports, outside = graph.client.node, list[MotionReport](), graph.envelope.outside
        node.create_subscription(MotionReport, names.MOTION_REPORTS, reports.append, STANDARD)
        targets = node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD)
        before = graph.restarts()
        for _ in range(SENT):
            targets.publish(_target(random))
            time.sleep(PERIOD)
        time.sleep(1.0)
        yield Figure("targets sent", SENT, "")
        yield Figure("of them, told to be refused or clamped", sum(report.count for report in reports), "")
        yield happened("the sender gets a report", bool(reports))
        yield count("outputs outside the envelope", graph.envelope.outside - outside)
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))


def _target(random: Random) -> MotionTarget:
    place, turn = Point(), Quaternion(w=1.0)
    target = MotionTarget(
        header=Header(frame_id=names.HEAD_BASE_FRAME),
        commander="campaign",
        set_head=True,
        head_pose=Pose(position=place, orientation=turn),
        set_antennas=True,
        set_body=True,
    )
    fields = [(place, axis) for axis in "xyz"] + [(turn, axis) for axis in "xyzw"]
    fields += [(target, name) for name in ("antenna_right", "antenna_left", "body_yaw")]
    owner, field = random.choice(fields)
    setattr(owner, field, random.choice(WILD))
    return target
