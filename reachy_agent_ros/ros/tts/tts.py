"""Node `tts`: speaks the texts of the action `say`, with a queue, interruptions and head movement."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import AgentState, BargeIn, Heartbeat, MotionOffset, SpeakingState
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.emergency_stop import EmergencyStopWatch
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of, uuid_message, vector_message
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, SENSOR, STANDARD
from reachy_agent_ros.ros.tts.playback import PlaybackSink
from reachy_agent_ros.ros.tts.speech_acts import SpeechActs
from reachy_agent_ros.tts.loudspeaker import Loudspeaker, RobotLoudspeaker
from reachy_agent_ros.tts.request import check_script, checked_text
from reachy_agent_ros.tts.sink import Ducked, Sink, WavSink
from reachy_agent_ros.tts.speaker import Speaker, SpeechQueue
from reachy_agent_ros.tts.speech_motion import HeadOffset, SpeechMotionPlayer, SpeechMotionSender
from reachy_agent_ros.tts.utterance import SpeechItem, SpeechProgress, Spoken
from reachy_agent_ros.tts.voice import Piper
from reachy_agent_ros.tts.voices import Voices

WORDS = "Sorry, I lost my train of thought. Please say that again."


class Tts(AgentNode):
    """Node that serves `say` and `stop_speaking`, and publishes audio, the state of speech, and head offsets.

    Raises:
        AgentError: The voice is missing or is not the pinned version.
    """

    def __init__(self) -> None:
        super().__init__(names.TTS)
        voice_path = self.parameter("voice_path")
        self._acts = self._speech_acts()
        self._state = self.create_publisher(SpeakingState, names.SPEAKING_STATE, LATCHED)
        voices_path = self.parameter("voices_path")
        self._voice = Piper(Path(voice_path) if voice_path else None)
        self._voices = Voices(self._voice, Path(voices_path) if voices_path else None)
        self._ticks = 0
        self._seen_ticks = -1
        self._loudspeaker: Loudspeaker | RobotLoudspeaker | None = None
        self._sound = Ducked(self._sinks())
        self._wobbler = self._create_wobbler()
        self._offsets = self.create_publisher(MotionOffset, names.MOTION_OFFSET, SENSOR)
        self._wobble = SpeechMotionSender(self._wobbler, self._move_head)
        self._speaker = Speaker(self._voices.default, [self._sound, self._wobbler], self._tick, self._wobbler.foresee)
        self._queue = SpeechQueue(self._speaker, self._fall_silent, self._tick)
        self._server = GoalServer(self, Say, names.SAY, self._begin)
        self.create_service(Trigger, names.STOP_SPEAKING, self._stop_speaking, qos_profile=CALLS)
        self.create_subscription(BargeIn, names.BARGE_IN, self._interrupted, STANDARD)
        self._emergency_stop_watch = EmergencyStopWatch(self, self._stop)
        self._apology = _Apology(self, self._apologize)
        self._fall_silent()
        if self.state == Heartbeat.STARTING:
            self.state = Heartbeat.READY

    def _speech_acts(self) -> SpeechActs:
        policies = self.folder("policies", "policies")
        return SpeechActs(self, policies)

    def _sinks(self) -> list[Sink]:
        sink = self.parameter("sink")
        folder = self.folder("directory", "speech")
        device = self.parameter("device")
        daemon_url = self.parameter("daemon_url")
        sinks: list[Sink] = [PlaybackSink(self)]
        if sink == "file":
            sinks.append(WavSink(folder, self.note_problem))
        elif sink == "speaker":
            self._loudspeaker = Loudspeaker(device, self.note_problem)
            self._loudspeaker.probe()
            sinks.append(self._loudspeaker)
        elif sink == "robot":
            self._loudspeaker = RobotLoudspeaker(daemon_url, self.note_problem)
            sinks.append(self._loudspeaker)
        return sinks

    def _create_wobbler(self) -> SpeechMotionPlayer:
        amplitude = self.parameter("wobble")
        lead = self.parameter("wobble_lead")
        loudspeaker = self._loudspeaker
        return SpeechMotionPlayer(amplitude, lead, lambda: 0.0 if loudspeaker is None else loudspeaker.latency)

    def working(self) -> bool:
        """Returns whether the speaking thread has made progress."""
        seen, self._seen_ticks = self._seen_ticks, self._ticks
        return seen != self._seen_ticks

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the speech output."""
        level = DiagnosticStatus.WARN if self.state == Heartbeat.DEGRADED else DiagnosticStatus.OK
        yield self.status(
            "speaking",
            level,
            self.state_detail or "ready",
            voice=self._voice.name,
            voices=", ".join(self._voices.names),
            made_as_a_whole=self._voice.whole_because or "no",
            waiting=self._server.running,
            taught=self._acts.problem or "in use",
        )

    def close(self) -> None:
        """Stops the speech and the threads."""
        self._queue.close()
        self._speaker.close()
        self._wobble.close()
        if isinstance(self._loudspeaker, RobotLoudspeaker):
            self._loudspeaker.close()

    def _begin(self, goal: Goal) -> None:
        def report(progress: SpeechProgress) -> None:
            position = duration_message(progress.position)
            goal.report(Say.Feedback(clause=progress.clause, position=position))

        utterance = self._utterance(
            goal.request, goal.id, report, lambda spoken: goal.end(_result(spoken), spoken.error)
        )
        self._queue.say(utterance, interrupt=goal.request.interrupt)
        goal.cancel.on_cancel(lambda: self._silence(utterance))

    def _apologize(self, words: str) -> None:
        try:
            utterance = self._utterance(
                Say.Goal(text=words), uuid.uuid4(), lambda _progress: None, lambda _spoken: None
            )
        except AgentError as error:  # for example a voice for another script
            self.get_logger().warning(f"The agent failed during a turn, and the apology cannot be spoken: {error}")
        else:
            self._queue.say(utterance, interrupt=True)  # because the rest of the current reply will never arrive

    def _utterance(
        self,
        wanted: Say.Goal,
        identity: uuid.UUID,
        report: Callable[[SpeechProgress], None],
        end: Callable[[Spoken], None],
    ) -> SpeechItem:
        language = self._voices.language(wanted.voice)
        text = checked_text(wanted.text, language)
        check_script(text, language, wanted.voice or self._voice.name)
        speech = self._acts.begin(wanted)

        def progressed(progress: SpeechProgress) -> None:
            report(progress)
            self._show(identity, progress)

        def ended(spoken: Spoken) -> None:
            end(spoken)
            self._acts.end(speech, spoken.error)

        return SpeechItem(
            text=text,
            speed=speech.speed,
            volume=speech.volume,
            time_allowance=seconds_of(wanted.time_allowance),
            on_progress=progressed,
            on_done=ended,
            utterance_id=identity,
            voice=lambda: self._voices.load(wanted.voice),
        )

    def _silence(self, utterance: SpeechItem) -> None:
        self._queue.stop(utterance, AgentError(ErrorCode.CANCELED, "Canceled."))

    def _stop_speaking(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        stopped = self._queue.stop_all(AgentError(ErrorCode.CANCELED, f"Stopped by a call of {names.STOP_SPEAKING}."))
        response.success = True
        response.message = f"{stopped} stopped." if stopped else "Nothing was being said."
        return response

    def _stop(self) -> None:
        self._queue.stop_all(AgentError(ErrorCode.EMERGENCY_STOPPED, "The robot and its speech were stopped."))

    def _interrupted(self, message: BargeIn) -> None:
        if message.stage == BargeIn.SUSPECTED:
            self._sound.lower()
            return
        if message.stage == BargeIn.CONFIRMED:
            self._queue.stop_all(AgentError(ErrorCode.CANCELED, "Somebody else began to speak."))
        self._sound.restore()

    def _show(self, identity: uuid.UUID, progress: SpeechProgress) -> None:
        self._state.publish(
            SpeakingState(
                header=self.header(),
                speaking=True,
                utterance_id=uuid_message(identity),
                text=progress.clause,
                position=duration_message(progress.position),
            )
        )

    def _move_head(self, offset: HeadOffset) -> None:
        self._offsets.publish(
            MotionOffset(
                header=self.header(names.HEAD_FRAME),
                source=MotionOffset.SPEECH,
                translation=vector_message(offset.translation),
                rotation=vector_message(offset.rotation),
            )
        )

    def _fall_silent(self) -> None:
        self._state.publish(SpeakingState(header=self.header()))

    def _tick(self) -> None:
        self._ticks += 1


class _Apology:
    """Speaks an apology if the agent crashes or hangs during a turn.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.
        say: Called with the words to say, once for each lost turn.
    """

    def __init__(self, node: AgentNode, say: Callable[[str], None]) -> None:
        self._say = say
        self._in_turn = False
        self._agent = HeartbeatMonitor(node, names.AGENT)
        self._agent.on_lost(self._lose)
        node.create_subscription(AgentState, names.AGENT_STATE, self._take, LATCHED)

    def _take(self, message: AgentState) -> None:
        self._in_turn = message.state == AgentState.PROCESSING

    def _lose(self) -> None:
        if self._in_turn:
            self._in_turn = False
            self._say(WORDS)


def _result(spoken: Spoken) -> Say.Result:
    return Say.Result(
        audio_duration=duration_message(spoken.audio_duration),
        first_audio=duration_message(spoken.first_audio),
        spoken_text=spoken.text,
    )


def main() -> int:
    """Runs the node."""
    return run(Tts)


if __name__ == "__main__":
    sys.exit(main())
