"""Speech to text: sound from a topic, a microphone or a file becomes transcripts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import AudioChunk, Heartbeat, SpeakingState, SpeechActivity, Transcript
from std_msgs.msg import Header

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.hearing.chunk import Chunk
from reachy_agent_ros.hearing.ears import Ears
from reachy_agent_ros.hearing.endpointer import Endpointing
from reachy_agent_ros.hearing.listener import Activity, ActivityState, Heard, Listener
from reachy_agent_ros.hearing.microphone import listen
from reachy_agent_ros.hearing.own_voice import OwnVoice
from reachy_agent_ros.hearing.sound_player import play_to_ears
from reachy_agent_ros.hearing.voice_detector import FRAME_SECONDS
from reachy_agent_ros.hearing.voice_detectors import VOICE_DETECTORS
from reachy_agent_ros.hearing.whisper import Whisper
from reachy_agent_ros.nodes.base import AgentNode, run
from reachy_agent_ros.nodes.convert import duration_message, uuid_message
from reachy_agent_ros.nodes.listening_signal import ListeningSignal
from reachy_agent_ros.nodes.qos import AUDIO, LATCHED, STANDARD


class Stt(AgentNode):
    """Publishes `transcript`, `speech_activity` and `listening`.

    The topic is open whatever the source, so a recording can be played to a robot that has a microphone.

    Raises:
        AgentError: A model is missing or not the pinned one.
    """

    def __init__(self) -> None:
        super().__init__(names.STT)
        source = self.parameter(
            "source", "topic", "What it listens to besides its topic.", choices=("topic", "microphone", "file")
        )
        file = self.parameter("file", "", "Sound file to play once in real time when source is file.")
        device = self.parameter("device", "", "Part of the microphone's name; empty: the system's default.")
        self._transcripts = self.create_publisher(Transcript, names.TRANSCRIPT, STANDARD)
        self._activities = self.create_publisher(SpeechActivity, names.SPEECH_ACTIVITY, STANDARD)
        self._listening = ListeningSignal(self)
        self._own_voice = OwnVoice()
        self._ears = Ears(self._listener(), self._refused)
        self._seen_ticks = -1
        self._heard = 0
        self._rejected = 0
        self._cancel = CancelToken()
        self.create_subscription(AudioChunk, names.AUDIO_CAPTURE, self._capture, AUDIO)
        self.create_subscription(SpeakingState, names.SPEAKING_STATE, self._speaking, LATCHED)
        self.state = Heartbeat.READY
        self._source = self._start_source(source, file, device)

    def _listener(self) -> Listener:
        model_path = self.parameter(
            "model_path", "", "Folder of a Whisper model converted to CTranslate2; empty: the packaged tiny.en."
        )
        detector = self.parameter("detector", "silero", "What finds speech.", choices=tuple(VOICE_DETECTORS))
        threads = self.parameter("cpu_threads", 2, "Threads of one decode.", low=1, high=16)
        hangover = self.parameter("hangover", 0.288, "Silence that ends an utterance, s.", low=0.16, high=2.0)
        longest = self.parameter(
            "longest", 15.0, "Length after which an utterance ends in any case, s.", low=1.0, high=26.0
        )
        recogniser = Whisper(Path(model_path) if model_path else None, threads)
        recogniser.warm_up()
        rules = Endpointing(hangover=round(hangover / FRAME_SECONDS), longest=round(longest / FRAME_SECONDS))
        return Listener(
            VOICE_DETECTORS[detector](),
            recogniser,
            rules,
            self._own_voice,
            self._publish_activity,
            self._publish,
            self._failed,
        )

    def _start_source(self, source: str, file: str, device: str) -> threading.Thread | None:
        if source == "topic":
            return None
        if source == "microphone":
            thread = threading.Thread(target=listen, args=(device, self._ears.put, self._missing, self._cancel))
        else:
            thread = threading.Thread(target=self._play, args=(Path(file),))
        thread.start()
        return thread

    def _play(self, file: Path) -> None:
        try:
            play_to_ears(read_sound(file), file.name, self._ears.put, self._cancel)
        except AgentError as error:
            self._missing(error.message)

    def working(self) -> bool:
        """Whether the ears' thread has moved."""
        seen, self._seen_ticks = self._seen_ticks, self._ears.ticks
        return seen != self._seen_ticks

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """What was heard and what was missed."""
        level = DiagnosticStatus.WARN if self.state == Heartbeat.DEGRADED else DiagnosticStatus.OK
        yield self.status(
            "hearing",
            level,
            self.state_detail or "listening",
            utterances=self._heard,
            rejected=self._rejected,
            lost_chunks=self._ears.lost,
            dropped_chunks=self._ears.dropped,
        )

    def close(self) -> None:
        """Ends the source, the ears and the decoder."""
        self._cancel.cancel()
        if self._source is not None:
            self._source.join()
        self._ears.close()

    def _capture(self, message: AudioChunk) -> None:
        self._ears.put(
            Chunk(
                samples=np.asarray(message.data, np.int16),
                sample_rate=message.sample_rate,
                channels=message.channels,
                stream=message.stream,
                sequence=message.sequence,
                last=message.last,
            )
        )

    def _speaking(self, message: SpeakingState) -> None:
        self._own_voice.update(message.speaking, message.text)

    def _publish_activity(self, activity: Activity) -> None:
        self._listening.update(activity.state in (ActivityState.LISTENING, ActivityState.ENDPOINTING))
        self._activities.publish(
            SpeechActivity(
                header=self.header(),
                state=int(activity.state),
                speech_probability=activity.speech_probability,
                level_dbfs=activity.level_dbfs,
            )
        )

    def _publish(self, heard: Heard) -> None:
        recognition = heard.recognition
        self._heard += 1
        self._rejected += bool(recognition.rejection)
        self._transcripts.publish(
            Transcript(
                header=Header(stamp=_stamp(heard.ended)),
                utterance_id=uuid_message(heard.utterance_id),
                text=recognition.text,
                is_final=True,
                rejected=int(recognition.rejection),
                confidence=recognition.confidence,
                average_log_probability=recognition.average_log_probability,
                no_speech_probability=recognition.no_speech_probability,
                language=recognition.language,
                audio_duration=duration_message(heard.audio_duration),
                endpoint_delay=duration_message(heard.endpoint_delay),
                decode_time=duration_message(recognition.decode_time),
                source=heard.stream,
            )
        )

    def _refused(self, error: AgentError) -> None:
        self.get_logger().warning(f"Sound refused: {error.message}", throttle_duration_sec=1.0)

    def _missing(self, reason: str) -> None:
        """Notes that the source is missing, or with an empty reason that it is back."""
        if reason and reason != self.state_detail:
            self.get_logger().warning(reason)
        self.state = Heartbeat.DEGRADED if reason else Heartbeat.READY
        self.state_detail = reason

    def _failed(self, error: BaseException) -> None:
        self.get_logger().error(f"An utterance could not be decoded: {error!r}")


def _stamp(seconds: float) -> Time:
    return Time(sec=int(seconds), nanosec=int(seconds % 1.0 * 1e9))


def main() -> int:
    """Runs the node."""
    return run(Stt)


if __name__ == "__main__":
    sys.exit(main())
