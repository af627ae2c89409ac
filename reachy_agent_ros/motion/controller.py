"""Motion controller: turns requests and streams into motor commands that the safety gate limits."""

from __future__ import annotations

import math
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.continuation import Continuation, continued
from reachy_agent_ros.motion.drowsiness import Alertness, Liveliness
from reachy_agent_ros.motion.gaze import direction_of
from reachy_agent_ros.motion.head_fault import PATIENCE, HeadFault
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.player import Activity, Player
from reachy_agent_ros.motion.request import LONGEST, Gaze, MotionPlan, Named, plan
from reachy_agent_ros.robot.finding import Finding, ReportLog, TargetError, TargetVerdict
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from reachy_agent_ros.robot.stream import TIMEOUT, Standstill
from reachy_agent_ros.robot.target_validation import Target

_SILENT = f"The stream of targets was silent for {TIMEOUT} s, so the robot holds its posture."
_UNDER_WAY = "This stream was active when the emergency stop was reset: pause it before it can move the robot again."
_OLD = "Outdated target: the motion loop stalled after it was sent."


class MotionController:
    """Controller that combines player, safety gate and fault detection.

    The motion loop provides the time and the measurements.

    The motion loop calls `cycle`, `rejected` and `disconnected`; one other thread calls all other methods.

    Args:
        breath: Breathing of the idle robot.
        liveliness: Idle life of the robot.
        head_fault_time: Time for which the measured head pose may be far from the commanded one before this is a fault,
            s. During a fault, the robot holds its posture and rejects motions.

    Attributes:
        gate: Safety gate.
        reports: Findings about targets and motions.
        measurement: Latest measurement; None before the first one and while the robot does not respond.
    """

    def __init__(
        self, breath: Breath | None = None, head_fault_time: float = PATIENCE, liveliness: Liveliness | None = None
    ) -> None:
        self.gate = SafetyGate()
        self.reports = ReportLog()
        self.measurement: Measurement | None = None
        self._begins = True
        self._player = Player(breath or Breath())
        self.enliven(liveliness or Liveliness())
        self._standstill = Standstill()
        self._fault = HeadFault(head_fault_time)
        self._last_target = -math.inf
        self._pace = 1.0
        self._reset = False

    @property
    def commander(self) -> str:
        """Name of the commander that controls the robot; empty if no commander does."""
        return self._player.commander

    @property
    def fault(self) -> AgentError | None:
        """Error that rejects all motions during a head fault; None without a head fault."""
        return self._fault.error

    @property
    def activity(self) -> Activity:
        """Current activity of the body."""
        return Activity.STOPPED if self.gate.stop_reason is not None else self._player.activity

    @property
    def posture(self) -> BodyPose:
        """Posture of the primary motion, without layers and breathing."""
        return self._player.course.posture

    @property
    def breathing(self) -> bool:
        """Whether the robot is playing the idle move."""
        return self._player.course.breathing

    @property
    def alertness(self) -> Alertness:
        """How awake the robot is."""
        return self._player.course.alertness

    def listening(self, now: float) -> bool:
        """Returns whether the head and the antennas are kept still because the robot is listening."""
        return self._player.course.listening.active(now)

    @property
    def held(self) -> bool:
        """Whether the robot was asked to hold its posture and has not moved since."""
        return self._player.held

    @property
    def last_stop(self) -> int:
        """Number that changes with every hold and emergency stop; 0 before the first of them."""
        return self._player.last_stop

    def execute(
        self,
        wish: Target | Gaze | Named | Continuation,
        commander: str,
        on_end: Callable[[AgentError | None], None],
        duration: float = 0.0,
        allowance: float = 0.0,
    ) -> tuple[Playback, tuple[Finding, ...]]:
        """Starts a motion.

        Args:
            wish: Requested target, gaze or named move, or the rest of the motion that was stopped last.
            commander: Name of the sender.
            on_end: Callback that is called once, in any thread and without delay, with None or with the error that
                ended the motion.
            duration: Duration, s; 0 for the default duration of the move, or a gentle speed.
            allowance: Time limit, s; 0 for the duration plus 2 s.

        Returns:
            The motion and the findings about clamped values.

        Raises:
            AgentError: `INVALID_GOAL` without a commander or for an invalid time limit; `ROBOT_DISCONNECTED`;
                `MOTORS_OFF`; `NOT_REACHED` during a head fault; `COMMANDER_BUSY`; `NOT_FOUND` if there is no motion to
                continue; or an error of `plan`.
        """
        try:
            if not commander:
                raise AgentError(ErrorCode.INVALID_GOAL, "The motion has no commander: name the sender.")
            if not 0.0 <= allowance <= LONGEST:
                raise AgentError(
                    ErrorCode.INVALID_GOAL, f"Invalid time allowance {allowance} s: expected 0 to {LONGEST:.0f} s."
                )
            self._require_able()
            planned = self._planned(wish, duration)
            pace = 1.0 if duration else self._pace  # who names a duration means it
            playback = Playback(commander, planned, on_end, allowance or None, pace)
            self._player.play(playback)
        except TargetError as error:
            self.reports.add(commander, error.finding())
            raise
        for finding in planned.findings:
            self.reports.add(commander, finding)
        return playback, planned.findings

    def change_pace(self, pace: float, now: float) -> None:
        """Sets the pace of the current motion and of the next ones without a duration of their own.

        Args:
            pace: Multiple of a motion's own speed, `SLOWEST_PACE` to `FASTEST_PACE`; less if the limits require it.
            now: Time on the steady clock, s.
        """
        self._pace = pace
        self._player.change_pace(pace, now)

    def _planned(self, wish: Target | Gaze | Named | Continuation, duration: float) -> MotionPlan:
        course = self._player.course
        if not isinstance(wish, Continuation):
            return plan(wish, duration, self.gate, course.posture, course.start)
        if self._player.unfinished is None:
            raise AgentError(ErrorCode.NOT_FOUND, "There is no stopped motion to continue.")
        return continued(self._player.unfinished, self.gate, course.start)

    def stream(self, target: Target, commander: str, now: float) -> None:
        """Moves toward a target of a stream. Adds errors to `reports`, because the sender waits for no response."""
        under_way = now - self._last_target <= TIMEOUT
        self._last_target = now
        try:
            self._require_able()
            self._reset = self._reset and under_way
            if self._reset:
                raise TargetError(ErrorCode.EMERGENCY_STOPPED, _UNDER_WAY, "stream")
            if self._standstill.lately(now):
                raise TargetError(ErrorCode.STALE_COMMAND, _OLD, "stream")
            self._player.stream(commander, now)
            admitted = self.gate.admit(target, self._player.course.posture)
        except TargetError as error:
            self.reports.add(commander, error.finding())
            return
        self._player.follow(admitted.pose)
        for finding in admitted.findings:
            self.reports.add(commander, finding)

    def offset(self, source: int, offset: Offset, now: float, last_stop: int = 0) -> None:
        """Sets a secondary layer on top of the motion. Adds errors to `reports`.

        Args:
            source: One of `OffsetSource`.
            offset: Offset to add.
            now: Time on the steady clock, s.
            last_stop: Latest `last_stop` known to the sender of a face or gaze offset.
        """
        try:
            self._player.offset(source, offset, now, last_stop)
        except TargetError as error:
            self.reports.add(f"offset {source}", error.finding())

    def switch_layer(self, source: OffsetSource, on: bool) -> None:
        """Enables the layer of a source, or fades it out and keeps it disabled."""
        self._player.course.layers.switch(source, on)

    def listen(self, listening: bool, now: float) -> None:
        """Keeps an idle robot still while it listens, because motors are noisy.

        The robot stays still for 0.5 s, or until the method is called with False.
        """
        self._player.course.listening.note(listening, now)

    def breathe(self, breath: Breath) -> None:
        """Sets the parameters of breathing. They apply from the next time that the robot starts to breathe."""
        self._player.course.breath = breath

    def enliven(self, liveliness: Liveliness) -> None:
        """Sets the parameters of the idle life. They apply immediately."""
        self._player.course.life.liveliness = liveliness

    def think(self, thinking: bool) -> None:
        """Pauses breathing while the agent is thinking, and wakes an idle robot. Motions continue."""
        self._player.course.thinking = thinking

    def attend(self, attentive: bool) -> None:
        """Wakes an idle robot and ends its glances while somebody has its attention. Motions and breathing continue."""
        self._player.course.attentive = attentive

    def notice(self, point: Vector, frame: str, now: float) -> None:
        """Draws the attention of an idle robot to a point. Adds errors to `reports`.

        Args:
            point: x, y, z in `frame`, m. The robot turns its head as far toward the point as its idle life permits.
            frame: `base_link` or `head_base`.
            now: Time on the steady clock, s.
        """
        try:
            yaw, pitch = direction_of(point, frame)
        except AgentError as error:
            self.reports.add("point of interest", TargetError(error.code, error.message, "point").finding())
            return
        self._player.notice(yaw, pitch, now)

    def teach(self, target: Target, commander: str) -> BodyPose | None:
        """Validates the posture to which a robot is to be guided by hand. The motors must not be enabled.

        Returns:
            The posture to guide the robot to, or None if the target is rejected. Errors go to `reports`, because the
            sender does not wait for a response.
        """
        try:
            measurement = self._require_answer()
            if measurement.motor_mode is MotorMode.ENABLED:
                message = "The motors are enabled: free them before teaching."
                raise TargetError(ErrorCode.INVALID_GOAL, message, "motors")
            admitted = self.gate.admit(target, measurement.pose)
        except TargetError as error:
            self.reports.add(commander, error.finding())
            return None
        for finding in admitted.findings:
            self.reports.add(commander, finding)
        return admitted.pose

    def refuse_lesson(self, commander: str) -> None:
        """Rejects a streamed demonstration, because a real robot can only be guided by hand.

        The error is added to `reports`.
        """
        message = "Only a simulated robot can be led by a topic: lead a real one by its head."
        self.reports.add(commander, TargetError(ErrorCode.INVALID_GOAL, message, "robot").finding())

    def cancel(self, playback: Playback, error: AgentError, holding: bool = False) -> None:
        """Ends a motion with a smooth stop if it is still playing."""
        self._player.cancel(playback, error, holding)

    def hold(self) -> None:
        """Ends the current motion with a smooth stop. Layers are frozen until the next motion or gaze."""
        self._player.hold(AgentError(ErrorCode.CANCELED, "The robot was asked to hold."))

    def end_motion(self, error: AgentError) -> None:
        """Ends the current motion with a smooth stop. Layers continue, and gazes stay valid.

        Args:
            error: Error for the commander of the motion.
        """
        self._player.interrupt(error)

    def stop(self, reason: str) -> None:
        """Latches the emergency stop. From the next cycle on, the robot holds the measured posture."""
        self.gate.stop(reason)
        self._player.note_stop()
        self._player.interrupt(AgentError(ErrorCode.EMERGENCY_STOPPED, f"Emergency stop: {self.gate.stop_reason}."))

    def release(self) -> None:
        """Resets the emergency stop. No motion resumes, not even a stream that is still being sent."""
        self._reset = self.gate.stop_reason is not None
        self._player.interrupt(AgentError(ErrorCode.EMERGENCY_STOPPED, "The emergency stop was just reset."))
        self.gate.release()

    def cycle(self, measurement: Measurement, now: float, dt: float) -> BodyPose | None:
        """Processes a measurement. Returns the next command, or None while the motors are not enabled."""
        self._standstill.step(now)
        if self.measurement is None:
            self._begin_at(measurement.pose)  # the last command may be far from the robot's present posture
            self._fault.clear()
        self.measurement = measurement
        if measurement.motor_mode is not MotorMode.ENABLED:
            self._player.interrupt(_motors_off())
            self._begin_at(measurement.pose)
            self._fault.clear()
            return None
        if self.gate.stop_reason is not None:
            self._fault.clear()
            return self._held(measurement.pose, dt)
        if self._fault.error is not None:
            held = self._held(measurement.pose, dt)
            self._fault.observe(measurement.pose, held, now)
            return held
        silent = self._player.expire(now)
        if silent is not None:
            self.reports.add(silent, TargetError(ErrorCode.STALE_COMMAND, _SILENT, "stream").finding())
        wanted, trimmed = self._player.wanted(self.gate.state, measurement.pose, now)
        self._report_reduced_layers()
        command = self.gate.step(trimmed, measurement.pose, 0.0 if self._begins else dt)
        self._begins = False
        commander = self.commander
        failure = self._player.observe(measurement, command, wanted, now)
        if failure is not None:
            self._report_failure(commander, failure)
        fault = self._fault.observe(measurement.pose, command, now)
        if fault is not None:
            commander = self.commander
            self._player.interrupt(fault)
            self._report_failure(commander, fault)
        return command

    def _begin_at(self, pose: BodyPose) -> None:
        """Sets the command to a measured posture and continues from there.

        The next command is that posture, at rest. Otherwise, a robot that is asleep at startup and then rises would
        begin with a speed that `CommandWatch` counts as a jump.
        """
        self.gate.reset(pose)
        self._player.settle_at(self.gate.state)
        self._begins = True

    def rejected(self, error: AgentError) -> None:
        """Handles the rejection of a command by the robot: ends the motion and continues from the measured posture."""
        commander = self.commander
        self._player.interrupt(error)
        self._report_failure(commander, error)
        if self.measurement is not None:
            self._begin_at(self.measurement.pose)

    def disconnected(self, error: AgentError) -> None:
        """Handles the loss of the connection to the robot: ends the current motion with `error`."""
        self.measurement = None
        self._player.interrupt(error)

    def _held(self, measured: BodyPose, dt: float) -> BodyPose:
        command = self.gate.step(None, measured, dt)
        self._player.settle_at(self.gate.state)
        return command

    def _require_able(self) -> None:
        if self._require_answer().motor_mode is not MotorMode.ENABLED:
            raise _motors_off()
        if self._fault.error is not None:
            raise self._fault.error

    def _require_answer(self) -> Measurement:
        measurement = self.measurement
        if measurement is None:
            raise TargetError(ErrorCode.ROBOT_DISCONNECTED, "The robot does not answer.", "robot")
        return measurement

    def _report_reduced_layers(self) -> None:
        course = self._player.course
        if course.share < 1.0:
            for source in course.layers.active:
                message = f"Only {course.share:.0%} of the offset of {source.name} fits within the limits and is used."
                finding = Finding("offset", 1.0, course.share, TargetVerdict.CLAMPED, ErrorCode.NONE, message)
                self.reports.add(f"offset {source:d}", finding)

    def _report_failure(self, commander: str, error: AgentError) -> None:
        nan = float("nan")
        self.reports.add(commander, Finding("motion", nan, nan, TargetVerdict.NOT_FOLLOWED, error.code, error.message))


def _motors_off() -> TargetError:
    return TargetError(ErrorCode.MOTORS_OFF, "The motors are not enabled: enable them first.", "motors")
