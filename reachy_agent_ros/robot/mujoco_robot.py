"""Robot backend that runs MuJoCo in the same process, without a daemon."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.mujoco_simulation import Simulation
from reachy_agent_ros.robot.protocol import Measurement, MotorMode

CATCH_UP_LIMIT = 0.1
"""Maximum time that one call simulates, s: more would further delay a caller that is already late."""

_HAND_PATIENCE = 0.5
"""Time without a new goal after which the hand lets go, s."""

_HAND_STRENGTH = 0.5
"""Strength with which the hand pulls, as a fraction of the strength of the simulated motors."""


class MujocoRobot:
    """Robot backend `mujoco`.

    The physics advances to the present inside `command` and `measure`, in the caller's thread.

    If more than `CATCH_UP_LIMIT` has passed since the last call, only that much time is simulated; the rest is added to
    `dropped_time`. Disabling the motors frees the joints; gravity compensation also carries the weight of the robot. In
    both modes, a hand can guide the robot, and commands are rejected. When the motors are enabled again, they hold the
    present posture.

    Args:
        scene: One of `description.SCENES`.
        clock: Steady clock, s.
        places: Positions of objects, as for `Simulation`.
    """

    name = "mujoco"
    simulated = True

    def __init__(
        self,
        scene: str = "empty",
        clock: Callable[[], float] = time.monotonic,
        places: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        self._scene = scene
        self._places = places
        self._clock = clock
        self._kinematics = BodyKinematics()
        self._simulation: Simulation | None = None
        self._motor_mode = MotorMode.ENABLED
        self._hand = _SimulatedHand()
        self._now = 0.0
        self._dropped_time = 0.0

    @property
    def dropped_time(self) -> float:
        """Time (s) since `connect` or `rewind` that was not simulated."""
        return self._dropped_time

    def connect(self) -> None:
        """Loads the scene, with the robot at rest in its neutral pose. Takes about 2 s.

        Raises:
            AgentError: `INVALID_GOAL` for an unknown scene or object; `ROBOT_DISCONNECTED` if the model is missing.
        """
        self._simulation = Simulation(self._scene, self._kinematics.inverse(BodyPose()), self._places)
        self._begin()

    def rewind(self, strength: float = 1.0, friction: float = 1.0, head_mass: float = 1.0) -> None:
        """Restores the state after `connect` in a few milliseconds. Can change properties of the robot.

        Args:
            strength: Strength of the motors, as a fraction of the value in the model.
            friction: Friction of all joints, as a fraction of the value in the model.
            head_mass: Mass of the head, as a fraction of the value in the model.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        self._loaded().rewind(strength, friction, head_mass)
        self._begin()

    def command(self, pose: BodyPose) -> None:
        """Sets the target posture of the motors. After an error, the last target is kept.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`; `MOTORS_OFF` unless the motors are
                enabled; `NOT_FINITE` or `UNREACHABLE`.
        """
        simulation = self._advanced()
        if self._motor_mode is not MotorMode.ENABLED:
            raise AgentError(ErrorCode.MOTORS_OFF, "The motors are off: enable them before commanding a posture.")
        simulation.set_targets(self._kinematics.inverse(pose))

    def measure(self) -> Measurement:
        """Returns the present measurement.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        simulation = self._advanced()
        return Measurement(
            time=self._now,
            pose=_pose(simulation),
            joints=simulation.joints(),
            joint_velocities=simulation.joint_velocities(),
            objects=simulation.objects(),
            motor_mode=self._motor_mode,
        )

    def pose(self) -> BodyPose:
        """Returns the present posture. This takes less time than a complete measurement.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        return _pose(self._advanced())

    def overlap(self) -> float:
        """Returns the maximum depth (m) by which bodies of the scene overlap, or 0 if no bodies touch.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        return self._advanced().overlap()

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Enables or disables the motors, or sets gravity compensation.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` or after `close`.
        """
        simulation = self._advanced()
        if mode is not self._motor_mode:
            self._hand.let_go()
            simulation.set_targets(simulation.actuated())
            simulation.set_strength(1.0 if mode is MotorMode.ENABLED else 0.0)
            simulation.set_floating(mode is MotorMode.GRAVITY_COMPENSATION)
        self._motor_mode = mode

    def lead(self, pose: BodyPose) -> None:
        """Lets a simulated hand guide the robot towards a posture. The hand stops 0.5 s after the last call.

        Raises:
            AgentError: `INVALID_GOAL` while the motors are enabled; `ROBOT_DISCONNECTED` before `connect` or after
                `close`.
        """
        self._advanced()
        if self._motor_mode is MotorMode.ENABLED:
            raise AgentError(ErrorCode.INVALID_GOAL, "The motors are enabled: free them before teaching by hand.")
        self._hand.lead(pose, self._now)

    def push(self, torque: Vector) -> None:
        """Applies a torque (N m, in the axes of `base_link`) to the head until `rewind`, like a hand that pushes it.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        self._loaded().push(torque)

    def close(self) -> None:
        """Unloads the simulation."""
        self._simulation = None

    def _begin(self) -> None:
        self._motor_mode = MotorMode.ENABLED
        self._hand.let_go()
        self._dropped_time = 0.0
        self._now = self._clock()

    def _loaded(self) -> Simulation:
        if self._simulation is None:
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "The simulation is not loaded: connect first.")
        return self._simulation

    def _advanced(self) -> Simulation:
        """Advances the simulation to the present and returns it."""
        simulation = self._loaded()
        if self._motor_mode is not MotorMode.ENABLED:
            self._pull(simulation)
        behind = self._clock() - self._now
        dropped = max(0.0, behind - CATCH_UP_LIMIT)
        steps = int((behind - dropped) / simulation.timestep)
        simulation.step(steps)
        self._now += dropped + steps * simulation.timestep
        self._dropped_time += dropped
        return simulation

    def _pull(self, simulation: Simulation) -> None:
        """Simulates the hand by driving the robot's motors, although they are not enabled for commands."""
        pose = self._hand.pull(_pose(simulation), self._now)
        simulation.set_strength(0.0 if pose is None else _HAND_STRENGTH)
        if pose is not None:
            simulation.set_targets(self._kinematics.inverse(pose))


class _SimulatedHand:
    """Simulated hand that guides the robot, as a user's hand guides the real robot.

    The safety gate limits the pull of the hand like a command: in speed, range and lead.
    """

    def __init__(self) -> None:
        self._gate = SafetyGate()
        self._goal: BodyPose | None = None
        self._led = float("-inf")
        self._pulled = float("-inf")

    def lead(self, goal: BodyPose, now: float) -> None:
        """Starts to guide the robot to a goal, or changes the goal. `now` is the time (s) on the steady clock."""
        self._goal, self._led = goal, now

    def let_go(self) -> None:
        """Releases the robot."""
        self._goal = None

    def pull(self, measured: BodyPose, now: float) -> BodyPose | None:
        """Returns the posture to which the hand is pulling the robot, or None if it is not pulling."""
        if self._goal is None or now - self._led > _HAND_PATIENCE:
            self._goal = None
            self._gate.reset(measured)
            self._pulled = now
            return None
        elapsed, self._pulled = now - self._pulled, now
        return self._gate.step(self._goal, measured, elapsed)


def _pose(simulation: Simulation) -> BodyPose:
    head = simulation.head()
    head[2, 3] -= HEAD_BASE_HEIGHT
    body_yaw, *_, right, left = simulation.actuated().tolist()
    return BodyPose(head, -right, -left, body_yaw)
