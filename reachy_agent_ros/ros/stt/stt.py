"""Node `stt`: recognizes speech from a topic, a microphone, the robot or a file."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk, BargeIn, Heartbeat, SpeechActivity, Transcript
from reachy_agent_msgs.srv import TranscribeFile

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.turn.completeness import LANGUAGES, CompletenessClassifier
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, stamp_message
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService
from reachy_agent_ros.ros.stt.hearing_messages import (
    chunk_from_message,
    transcript_message,
)
from reachy_agent_ros.ros.stt.human_voices import HumanVoices
from reachy_agent_ros.ros.stt.self_noise import ListeningSignal, SelfNoise
from reachy_agent_ros.stt.audio_capture import AudioCapture
from reachy_agent_ros.stt.audio_input import listen, listen_to_robot, play_to_ears
from reachy_agent_ros.stt.barge_in import BargeInRules
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.full_duplex import FullDuplex, Interruption
from reachy_agent_ros.stt.listener import ActivityState, Listener, ListeningActivity, SpeechHandlers
from reachy_agent_ros.stt.recognizer import Recognizer
from reachy_agent_ros.stt.smart_turn import SmartTurn
from reachy_agent_ros.stt.transcription import transcribe
from reachy_agent_ros.stt.turn_end import TurnEnd
from reachy_agent_ros.stt.utterance import Heard
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS, VOICE_DETECTORS, Silero
from reachy_agent_ros.stt.whisper import Whisper

MOST_CLIPPED = 0.001
"""Maximum fraction of clipped samples that does not affect recognition."""


class Stt(AgentNode):
    """Node that publishes `transcript`, `speech_activity`, `listening` and `barge_in`, and serves `transcribe_file`.

    The topic is always subscribed to, whatever the source, so that a recording can be played to a robot with a
    microphone.


    Raises:
        AgentError: A model is missing or is not the pinned version.
    """

    def __init__(self) -> None:
        super().__init__(names.STT)
        source = self.parameter("source")
        file = self.parameter("file")
        device = self.parameter("device")
        daemon_url = self.parameter("daemon_url")
        self._transcripts = self.create_publisher(Transcript, names.TRANSCRIPT, STANDARD)
        self._activities = self.create_publisher(SpeechActivity, names.SPEECH_ACTIVITY, STANDARD)
        self._interruptions = self.create_publisher(BargeIn, names.BARGE_IN, STANDARD)
        self._listening = ListeningSignal(self)
        self._voices = HumanVoices(self)
        self._self_noise = SelfNoise(self)
        self._ears = AudioCapture(self._listener(), self._refused)
        self._files = _FileTranscription(self, self._recognizer)
        self._seen_ticks = -1
        self._heard = 0
        self._rejected = 0
        self._cancel = CancelToken()
        self.create_subscription(AudioChunk, names.AUDIO_CAPTURE, self._capture, AUDIO)
        self.state = Heartbeat.READY
        self._source = self._start_source(source, file, device, daemon_url)

    def _listener(self) -> Listener:
        detector = self.parameter("detector")
        model = self.parameter("model")
        threads = self.parameter("cpu_threads")
        language = self.parameter("language")
        self._recognizer = partial(Whisper, model, threads, language)
        recognizer = self._recognizer()
        recognizer.warm_up()
        return Listener(
            VOICE_DETECTORS[detector](),
            recognizer,
            self._endpointing(language),
            self._self_noise.noise,
            SpeechHandlers(self._publish_activity, self._publish_final, self._failed, self._publish_draft),
            self._duplex(),
        )

    def _endpointing(self, language: str) -> Endpointing:
        hangover = self.parameter("hangover")
        merge = self.parameter("merge")
        longest = self.parameter("longest")
        shortest_silence = self.parameter("shortest_silence")
        longest_silence = self.parameter("longest_silence")
        return Endpointing(
            hangover=round(hangover / FRAME_SECONDS),
            longest=round(longest / FRAME_SECONDS),
            merge=round(merge / FRAME_SECONDS),
            turn_end=self._turn_end(language),
            shortest_silence=round(shortest_silence / FRAME_SECONDS),
            longest_silence=round(max(shortest_silence, longest_silence) / FRAME_SECONDS),
        )

    def _turn_end(self, language: str) -> TurnEnd | None:
        """Returns the estimate of the end of turn. It is None, with a warning, if the words cannot be judged."""
        if self.parameter("end_of_turn") == "silence":
            return None
        if language.partition("-")[0] not in LANGUAGES:
            self.get_logger().warning(f"Only silence ends a turn: the words of {language!r} cannot be judged.")
            return None
        try:
            completeness = CompletenessClassifier()
        except AgentError as error:
            self.get_logger().warning(f"Only silence ends a turn. {error.message}")
            return None
        return TurnEnd(completeness.probability, self._turn_sound())

    def _turn_sound(self) -> SmartTurn | None:
        try:
            return SmartTurn()
        except AgentError as error:
            self.get_logger().warning(f"Only the words and silence end a turn. {error.message}")
            return None

    def _duplex(self) -> FullDuplex | None:
        mode = self.parameter("duplex")
        if mode == "half":
            return None
        own_sound = self._self_noise.noise.sound if mode == "reference" else None
        return FullDuplex(own_sound, BargeInRules(), self._publish_barge_in)

    def _start_source(self, source: str, file: str, device: str, daemon_url: str) -> threading.Thread | None:
        if source == "topic":
            return None
        if source == "microphone":
            thread = threading.Thread(target=listen, args=(device, self._ears.put, self.note_problem, self._cancel))
        elif source == "robot":
            robot_args = (daemon_url, self._ears.put, self.note_problem, self._cancel)
            thread = threading.Thread(target=listen_to_robot, args=robot_args)
        else:
            thread = threading.Thread(target=self._play, args=(Path(file),))
        thread.start()
        return thread

    def _play(self, file: Path) -> None:
        try:
            play_to_ears(read_sound(file), file.name, self._ears.put, self._cancel)
        except AgentError as error:
            self.note_problem(error.message)

    def working(self) -> bool:
        """Returns whether the capture thread has made progress."""
        seen, self._seen_ticks = self._seen_ticks, self._ears.ticks
        return seen != self._seen_ticks

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of speech recognition and the audio level."""
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
        level = self._ears.meter.read()
        clips = level.clipped > MOST_CLIPPED
        yield self.status(
            "level",
            DiagnosticStatus.WARN if clips else DiagnosticStatus.OK,
            "too loud: the signal is clipped" if clips else "fine",
            level_dbfs=f"{level.level_dbfs:.1f}",
            peak_dbfs=f"{level.peak_dbfs:.1f}",
            clipped=f"{level.clipped:.4f}",
            offset=f"{level.offset:.4f}",
        )

    def close(self) -> None:
        """Stops the audio source, the capture and the recognizer."""
        self._cancel.cancel()
        if self._source is not None:
            self._source.join()
        self._files.close()
        self._ears.close()
        self._voices.close()

    def _capture(self, message: AudioChunk) -> None:
        self._ears.put(chunk_from_message(message))

    def _publish_activity(self, activity: ListeningActivity) -> None:
        speaking = activity.state in (ActivityState.LISTENING, ActivityState.ENDPOINTING)
        self._listening.update(speaking)
        self._voices.update(speaking)
        self._activities.publish(
            SpeechActivity(
                header=self.header(),
                state=int(activity.state),
                speech_probability=activity.speech_probability,
                level_dbfs=activity.level_dbfs,
            )
        )

    def _publish_barge_in(self, interruption: Interruption) -> None:
        self._interruptions.publish(
            BargeIn(
                header=self.header(),
                stage=int(interruption.stage),
                stop=interruption.stop,
                text=interruption.text,
                speech_start=stamp_message(interruption.began),
            )
        )

    def _publish_draft(self, heard: Heard) -> None:
        self._transcripts.publish(transcript_message(heard, is_final=False))
        self._voices.hear(heard, is_final=False)

    def _publish_final(self, heard: Heard) -> None:
        self._heard += 1
        self._rejected += bool(heard.recognition.rejection)
        self._transcripts.publish(transcript_message(heard, is_final=True))
        self._voices.hear(heard, is_final=True)

    def _refused(self, error: AgentError) -> None:
        self.get_logger().warning(f"Audio rejected: {error.message}", throttle_duration_sec=1.0)

    def _failed(self, error: BaseException) -> None:
        self.get_logger().error(f"Cannot decode an utterance: {error!r}")


class _FileTranscription:
    """Transcribes files one at a time, with separate models, so that live speech recognition is not blocked.

    Args:
        node: Node that serves the requests.
        load: Loads a recognizer; called on the first request.
    """

    def __init__(self, node: Node, load: Callable[[], Recognizer]) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="files")
        self._service = SlowService(node, TranscribeFile, names.TRANSCRIBE_FILE, self._begin)

    def close(self) -> None:
        """Drops the files that are waiting, and stops the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _models(self) -> tuple[Silero, Recognizer]:
        return Silero(), self._load()

    def _begin(self, request: TranscribeFile.Request) -> Future[TranscribeFile.Response]:
        return self._thread.submit(self._transcribe, Path(request.path))

    def _transcribe(self, path: Path) -> TranscribeFile.Response:
        samples = read_sound(path)
        detector, recognizer = self._models
        start = time.monotonic()
        heard = transcribe(samples, detector, recognizer)
        if heard.rejected:
            raise AgentError(ErrorCode.NO_SPEECH, heard.reason)
        return TranscribeFile.Response(
            text=heard.text,
            language=heard.language,
            confidence=heard.confidence,
            audio_duration=duration_message(samples.size / SAMPLE_RATE),
            decode_time=duration_message(time.monotonic() - start),
        )


def main() -> int:
    """Runs the node."""
    return run(Stt)


if __name__ == "__main__":
    sys.exit(main())
