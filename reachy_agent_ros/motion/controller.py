"""From what people and programs want to what the motors are commanded: the player, then the gate."""

from __future__ import annotations

import math
from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.head_fault import PATIENCE, HeadFault
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.player import Activity, Player
from reachy_agent_ros.motion.request import LONGEST, Gaze, Named, plan
from reachy_agent_ros.robot.finding import Finding, ReportLog, TargetError, TargetVerdict
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.protocol import Measurement, MotorMode
from reachy_agent_ros.robot.stream import TIMEOUT, Standstill
from reachy_agent_ros.robot.target_validation import Target

_SILENT = f"The stream of targets was silent for {TIMEOUT} s, so the robot holds."
_UNDER_WAY = "This stream was being sent when the emergency stop was reset; it has to fall silent before it moves."
_OLD = "The motion loop stood still, so what was sent meanwhile is old and moves nothing."


class MotionController:
    """Everything but the clock and the robot.

    The motion loop calls `cycle`, `rejected` and `disconnected`; one other thread calls the rest.

    Args:
        breath: How the robot breathes when it has nothing to do.
        head_fault_time: Seconds that the measured head may be far from the commanded one before that is a fault: the
            robot then holds and takes no motion.

    Attributes:
        gate: The safety gate in use.
        reports: What it found.
        measurement: The latest sample, None before the first and while the robot does not answer.
    """

    def __init__(self, breath: Breath | None = None, head_fault_time: float = PATIENCE) -> None:
        self.gate = SafetyGate()
        self.reports = ReportLog()
        self.measurement: Measurement | None = None
        self._begins = True
        self._player = Player(breath or Breath())
        self._standstill = Standstill()
        self._fault = HeadFault(head_fault_time)
        self._last_target = -math.inf
        self._reset = False

    @property
    def commander(self) -> str:
        """Who holds the robot, empty when nobody does."""
        return self._player.commander

    @property
    def fault(self) -> AgentError | None:
        """The error that rejects every motion while the head stays away from its command; None without that fault."""
        return self._fault.error

    @property
    def activity(self) -> Activity:
        """What the body is doing."""
        return Activity.STOPPED if self.gate.stop_reason is not None else self._player.activity

    @property
    def posture(self) -> BodyPose:
        """The posture of the primary motion alone, without layers and breath."""
        return self._player.course.posture

    @property
    def breathing(self) -> bool:
        """Whether the idle move plays."""
        return self._player.course.breathing

    def listening(self, now: float) -> bool:
        """Whether head and antennas are kept still for the ears."""
        return self._player.course.listening.active(now)

    @property
    def held(self) -> bool:
        """Whether somebody asked the body to be still, and nothing has moved it since."""
        return self._player.held

    @property
    def last_stop(self) -> int:
        """Another number with every hold and emergency stop, 0 before the first."""
        return self._player.last_stop

    def execute(
        self,
        wish: Target | Gaze | Named,
        commander: str,
        on_end: Callable[[AgentError | None], None],
        duration: float = 0.0,
        allowance: float = 0.0,
    ) -> tuple[Playback, tuple[Finding, ...]]:
        """Begins a motion.

        Args:
            wish: What is wanted.
            commander: Who wants it.
            on_end: Called once, in any thread and without delay, with None or what went wrong.
            duration: s; 0 is the motion's own, or as fast as is gentle.
            allowance: Time limit, s; 0 is the duration and two seconds.

        Returns:
            The motion and what was clamped.

        Raises:
            AgentError: It does not begin, and why.
        """
        try:
            if not commander:
                raise AgentError(ErrorCode.INVALID_GOAL, "A motion needs the name of who commands it.")
            if not 0.0 <= allowance <= LONGEST:
                raise AgentError(
                    ErrorCode.INVALID_GOAL, f"A time allowance is 0 to {LONGEST:.0f} s, not {allowance} s."
                )
            self._require_able()
            planned = plan(wish, duration, self.gate, self._player.course.posture)
            playback = Playback(commander, planned, on_end, allowance or None)
            self._player.play(playback)
        except TargetError as error:
            self.reports.add(commander, error.finding())
            raise
        for finding in planned.findings:
            self.reports.add(commander, finding)
        return playback, planned.findings

    def stream(self, target: Target, commander: str, now: float) -> None:
        """Follows one target of a stream. What is wrong with it goes to `reports`: nobody waits for an answer."""
        under_way = now - self._last_target <= TIMEOUT
        self._last_target = now
        try:
            self._require_able()
            self._reset = self._reset and under_way
            if self._reset:
                raise TargetError(ErrorCode.STALE_COMMAND, _UNDER_WAY, "stream")
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
        """Puts a secondary layer on top of the motion; what is wrong with it goes to `reports`.

        Args:
            source: One of `OffsetSource`.
            offset: What it adds.
            now: s.
            last_stop: The last one that who sends a gaze knows of.
        """
        try:
            self._player.offset(source, offset, now, last_stop)
        except TargetError as error:
            self.reports.add(f"offset {source}", error.finding())

    def switch_layer(self, source: OffsetSource, on: bool) -> None:
        """Lets a source's layer have its effect, or fades it out for as long as it is off."""
        self._player.course.layers.switch(source, on)

    def listen(self, listening: bool, now: float) -> None:
        """Keeps the body still that nobody moves, for half a second from now or until false."""
        self._player.course.listening.note(listening, now)

    def think(self, thinking: bool) -> None:
        """Interrupts the breath while the mind works; no motion is touched by it."""
        self._player.course.thinking = thinking

    def teach(self, target: Target, commander: str) -> BodyPose | None:
        """Where a hand may lead a robot whose motors do not resist.

        Returns:
            The posture, None where it may not; what is wrong goes to `reports`: nobody waits for an answer.
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
        """Reports that this robot is led by a person's own hand and by nothing else."""
        message = "Only a simulated robot is taught by a topic: take a real one by its head."
        self.reports.add(commander, TargetError(ErrorCode.INVALID_GOAL, message, "robot").finding())

    def cancel(self, playback: Playback, error: AgentError, holding: bool = False) -> None:
        """Ends one motion in a smooth stop, if it is still being played."""
        self._player.cancel(playback, error, holding)

    def hold(self) -> None:
        """Ends whatever is going on in a smooth stop; layers stay as they are until a motion or gaze is asked for."""
        self._player.hold(AgentError(ErrorCode.CANCELED, "The robot was asked to hold."))

    def end_motion(self, error: AgentError) -> None:
        """Ends whatever is going on in a smooth stop; layers go on, and gazes stay valid.

        Args:
            error: What the one who commanded it is told.
        """
        self._player.interrupt(error)

    def stop(self, reason: str) -> None:
        """Latches the emergency stop: the next cycle holds the measured posture."""
        self.gate.stop(reason)
        self._player.note_stop()
        self._player.interrupt(AgentError(ErrorCode.EMERGENCY_STOPPED, f"Emergency stop: {self.gate.stop_reason}."))

    def release(self) -> None:
        """Ends the emergency stop; nothing that was going on resumes, not even a stream that is still being sent."""
        self._reset = self.gate.stop_reason is not None
        self._player.interrupt(AgentError(ErrorCode.EMERGENCY_STOPPED, "The emergency stop was just reset."))
        self.gate.release()

    def cycle(self, measurement: Measurement, now: float, dt: float) -> BodyPose | None:
        """One turn of the loop: takes a sample, returns the command, or None while the motors are off."""
        self._standstill.step(now)
        if self.measurement is None:
            self._begin_at(measurement.pose)  # whatever was commanded before, the robot is where it is
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
        failure = self._player.observe(measurement.pose, command, wanted, now)
        if failure is not None:
            self._report_failure(commander, failure)
        fault = self._fault.observe(measurement.pose, command, now)
        if fault is not None:
            commander = self.commander
            self._player.interrupt(fault)
            self._report_failure(commander, fault)
        return command

    def _begin_at(self, pose: BodyPose) -> None:
        """Begins anew from a measured posture.

        The next command is that posture, at rest. Otherwise a robot that is found asleep, and leaves that place by
        itself, would begin with a speed that the watch of the commands cannot tell from a jump.
        """
        self.gate.reset(pose)
        self._player.settle_at(self.gate.state)
        self._begins = True

    def rejected(self, error: AgentError) -> None:
        """The robot did not take the last command: it ends the motion, and goes on from where the robot is."""
        commander = self.commander
        self._player.interrupt(error)
        self._report_failure(commander, error)
        if self.measurement is not None:
            self._begin_at(self.measurement.pose)

    def disconnected(self, error: AgentError) -> None:
        """The robot does not answer: whatever is going on fails."""
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
                message = f"{course.share:.0%} of the offset of {source.name} is used: all of it would not fit."
                finding = Finding("offset", 1.0, course.share, TargetVerdict.CLAMPED, ErrorCode.NONE, message)
                self.reports.add(f"offset {source:d}", finding)

    def _report_failure(self, commander: str, error: AgentError) -> None:
        nan = float("nan")
        self.reports.add(commander, Finding("motion", nan, nan, TargetVerdict.NOT_FOLLOWED, error.code, error.message))


def _motors_off() -> TargetError:
    return TargetError(ErrorCode.MOTORS_OFF, "The motors are not enabled: enable them first.", "motors")
