"""Reachy Mini simulated in our own process: no daemon, no second clock, true object poses."""

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
"""Longest time, s, that one call catches up on; more would delay a caller that is already late even further."""

_HAND_PATIENCE = 0.5
"""Seconds without a new goal after which the hand lets go."""

_HAND_STRENGTH = 0.5
"""Strength with which the hand pulls, as a share of the simulated motors' own."""


class MujocoRobot:
    """Robot backend `mujoco`. Physics advances to the present inside `command` and `measure`, in the caller's thread.

    If longer than `CATCH_UP_LIMIT` has passed since the last call, only that much is simulated; the rest is added to
    `dropped_time`. Disabled motors free the joints, and gravity compensation carries the robot's weight as well. In
    both modes a hand can lead the robot and commands are refused; enabled motors hold the posture in which it is.

    Args:
        scene: One of `description.SCENES`.
        clock: Steady clock, s.
        places: As for `Simulation`.
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
        """Time since `connect` that was not simulated, s."""
        return self._dropped_time

    def connect(self) -> None:
        """Loads the scene with the robot in its neutral pose and everything at rest. Takes about 2 s.

        Raises:
            AgentError: `INVALID_GOAL` for an unknown scene or object; `ROBOT_DISCONNECTED` if there is no model.
        """
        self._simulation = Simulation(self._scene, self._kinematics.inverse(BodyPose()), self._places)
        self._begin()

    def rewind(self, strength: float = 1.0, friction: float = 1.0, head_mass: float = 1.0) -> None:
        """Restores the state after `connect` in a few milliseconds, with other properties of the robot if given.

        Args:
            strength: Strength of the motors, as a share of the model's.
            friction: Friction of the joints with motors, likewise.
            head_mass: Mass of the head, likewise.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        self._loaded().rewind(strength, friction, head_mass)
        self._begin()

    def command(self, pose: BodyPose) -> None:
        """Sets the posture the motors pull to from now on.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`; `MOTORS_OFF` unless they are enabled;
                `NOT_FINITE` or `UNREACHABLE`. The last target then stays.
        """
        simulation = self._advanced()
        if self._motor_mode is not MotorMode.ENABLED:
            raise AgentError(ErrorCode.MOTORS_OFF, "The motors are off: enable them before commanding a posture.")
        simulation.set_targets(self._kinematics.inverse(pose))

    def measure(self) -> Measurement:
        """The posture now.

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
        """The posture now, which takes less time than a whole measurement.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        return _pose(self._advanced())

    def overlap(self) -> float:
        """Depth by which bodies of the scene overlap now, m; 0 if none touch.

        Raises:
            AgentError: `ROBOT_DISCONNECTED` before `connect` and after `close`.
        """
        return self._advanced().overlap()

    def set_motor_mode(self, mode: MotorMode) -> None:
        """Enables or disables the motors, or has them compensate gravity only.

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
        """Has a simulated hand lead the robot towards a posture. It lets go half a second after the last call.

        Raises:
            AgentError: `INVALID_GOAL` while the motors are enabled; `ROBOT_DISCONNECTED` before `connect` or after
                `close`.
        """
        self._advanced()
        if self._motor_mode is MotorMode.ENABLED:
            raise AgentError(ErrorCode.INVALID_GOAL, "The motors are enabled: free them before teaching by hand.")
        self._hand.lead(pose, self._now)

    def push(self, torque: Vector) -> None:
        """Applies a torque, N m in `base_link`'s axes, to the head until `rewind`, as a pushing hand does.

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
        """The simulation, advanced to the present."""
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
        """Lets the hand act through motors that are not enabled."""
        pose = self._hand.pull(_pose(simulation), self._now)
        simulation.set_strength(0.0 if pose is None else _HAND_STRENGTH)
        if pose is not None:
            simulation.set_targets(self._kinematics.inverse(pose))


class _SimulatedHand:
    """A hand that leads the robot's head, as a person leads the real one.

    It never pulls faster, further or further ahead of the robot than a command may.
    """

    def __init__(self) -> None:
        self._gate = SafetyGate()
        self._goal: BodyPose | None = None
        self._led = float("-inf")
        self._pulled = float("-inf")

    def lead(self, goal: BodyPose, now: float) -> None:
        """Takes hold, or goes on leading; `now` is on the steady clock, s."""
        self._goal, self._led = goal, now

    def let_go(self) -> None:
        """Takes the hand away."""
        self._goal = None

    def pull(self, measured: BodyPose, now: float) -> BodyPose | None:
        """The posture that it pulls the robot to now; None if it does not hold the robot."""
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
