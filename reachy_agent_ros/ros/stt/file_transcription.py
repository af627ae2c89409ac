"""The service `transcribe_file`."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.srv import TranscribeFile

from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
from reachy_agent_ros.ros.rclpy_ext.slow_service import SlowService
from reachy_agent_ros.stt.recogniser import Recogniser
from reachy_agent_ros.stt.silero import Silero
from reachy_agent_ros.stt.transcription import transcribe


class FileTranscription:
    """Transcribes files one after the other, with models of its own: the ears wait for none of them.

    Args:
        node: Node that serves it.
        load: Loads a recogniser; called at the first request.
    """

    def __init__(self, node: Node, load: Callable[[], Recogniser]) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="files")
        self._service = SlowService(node, TranscribeFile, names.TRANSCRIBE_FILE, self._begin)

    def close(self) -> None:
        """Takes no more files."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _models(self) -> tuple[Silero, Recogniser]:
        return Silero(), self._load()

    def _begin(self, request: TranscribeFile.Request) -> Future[TranscribeFile.Response]:
        return self._thread.submit(self._transcribe, Path(request.path))

    def _transcribe(self, path: Path) -> TranscribeFile.Response:
        samples = read_sound(path)
        detector, recogniser = self._models
        start = time.monotonic()
        heard = transcribe(samples, detector, recogniser)
        if heard.rejected:
            raise AgentError(ErrorCode.NO_SPEECH, heard.reason)
        return TranscribeFile.Response(
            text=heard.text,
            language=heard.language,
            confidence=heard.confidence,
            audio_duration=duration_message(samples.size / SAMPLE_RATE),
            decode_time=duration_message(time.monotonic() - start),
        )
