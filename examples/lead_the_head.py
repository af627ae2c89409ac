"""Leads the head of the simulated robot through two slow nods while a demonstration is recorded.

Start the robot first: reachy-agent up
Then start this program in a second terminal, and record: reachy-agent demonstrations record nod --for 8s
"""

import math
import time

from geometry_msgs.msg import Point, Pose, Quaternion
from reachy_agent_msgs.msg import MotionTarget, RobotState

from reachy_agent_ros.core.names import NAMESPACE, ROBOT_STATE, TEACH_TARGET
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

BEGINNING = 1.0  # s, at rest
PERIOD = 2.5  # s, for one nod
NODS = 2
DEPTH = math.radians(15.0)


def nodding(moment: float) -> MotionTarget:
    """Returns the head pose at a time (s) after the beginning. A positive pitch is down."""
    inside = 0.0 <= moment <= NODS * PERIOD
    pitch = 0.5 * DEPTH * (1.0 - math.cos(2.0 * math.pi * moment / PERIOD)) if inside else 0.0
    turn = Quaternion(y=math.sin(pitch / 2.0), w=math.cos(pitch / 2.0))
    return MotionTarget(commander="lead_the_head", set_head=True, head_pose=Pose(position=Point(), orientation=turn))


with GraphClient("lead_the_head", NAMESPACE) as client:
    modes = [RobotState.MOTORS_ENABLED]
    client.node.create_subscription(RobotState, ROBOT_STATE, lambda state: modes.append(state.motor_mode), LATCHED)
    hand = client.node.create_publisher(MotionTarget, TEACH_TARGET, STANDARD)
    print("Waiting for the recording, which releases the motors.", flush=True)
    while modes[-1] != RobotState.MOTORS_GRAVITY_COMPENSATION:
        time.sleep(0.02)
    print("Leading the head.", flush=True)
    began = time.monotonic()
    while modes[-1] == RobotState.MOTORS_GRAVITY_COMPENSATION:
        hand.publish(nodding(time.monotonic() - began - BEGINNING))
        time.sleep(0.02)
print("The recording has ended.")
