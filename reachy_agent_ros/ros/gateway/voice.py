"""Speech over ROS: events of the dialogue, audio files, and a microphone that only one client can use at a time."""

from __future__ import annotations

import array
import asyncio
import time
import uuid
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk
from reachy_agent_msgs.srv import TranscribeFile
from std_msgs.msg import Header, String
from std_srvs.srv import SetBool

from reachy_agent_ros.agent.permissions.principal import Principal, client_stream
from reachy_agent_ros.audio.samples import SAMPLE_RATE
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.event_hub import Watcher
from reachy_agent_ros.gateway.helpers.helper import Helper
from reachy_agent_ros.gateway.models.voice import Microphone, SpeechRequest, TranscriptionAnswer
from reachy_agent_ros.ros.gateway.events import DialogueEvents
from reachy_agent_ros.ros.gateway.node_calls import NodeParameters
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, STANDARD

READING = 30.0
"""Time for the helper process to start and to decode an audio file, s."""

RECOGNITION = 120.0
"""Time for recognizing ten minutes of speech, s; the first file also loads the models."""

RECOGNITIONS = 4
"""Maximum number of concurrent transcriptions."""

SYNTHESIS = 60.0
"""Time for synthesizing five minutes of speech, s; the first text also loads the voice."""

LEAD = 0.5
"""Time by which audio may be ahead of real time, s, because a network delivers delayed audio in bursts."""

PIECE = 3_200
"""Size of the audio in one message, bytes: 0.1 s."""

_TOPIC = "topic"


class RosVoice:
    """Implements `SpeechService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        call: Calls a function in the event loop's thread.
    """

    def __init__(self, node: AgentNode, watches: HeartbeatWatches, call: Callable[..., None]) -> None:
        self._microphones = _MicrophoneLender(node, watches)
        self._left = node.create_publisher(String, names.VOICE_LEFT, STANDARD)
        self._dialogue = DialogueEvents(node, call)
        self._files = ServiceCaller(node, TranscribeFile, names.TRANSCRIBE_FILE, watches.of(names.STT))
        self._voices = NodeParameters(node, watches, names.TTS, ["voice_path", "voices_path"])
        self._recognitions = LongCalls("recognitions", RECOGNITIONS)
        self._reader = Helper("reachy_agent_ros.gateway.helpers.sound_reader")
        self._writer = Helper("reachy_agent_ros.gateway.helpers.speech_writer")

    def watch(self) -> AbstractContextManager[Watcher]:
        """Implements `SpeechService.watch`."""
        return self._dialogue.watch()

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Microphone:
        """Implements `SpeechService.open`."""
        return await self._microphones.lend(client=client, button=button, speaker=speaker)

    def leave(self, client: str) -> None:
        """Implements `SpeechService.leave`."""
        self._left.publish(String(data=client))

    async def transcribe(self, sound: bytes) -> TranscriptionAnswer:
        """Implements `SpeechService.transcribe`. A helper process decodes the untrusted file for the node `stt`."""
        with TemporaryDirectory(prefix="reachy-agent-") as folder:
            file, plain = Path(folder) / "sound", Path(folder) / "plain.wav"
            await asyncio.to_thread(file.write_bytes, sound)
            read = await self._reader.ask({"path": str(file), "wav": str(plain)}, READING)
            request = TranscribeFile.Request(path=str(plain))
            answer = await self._recognitions.run(lambda token: self._files.ask(request, RECOGNITION, token))
        return TranscriptionAnswer(
            transcription=answer.text,
            confidence=answer.confidence,
            duration=read["duration"],
            language=answer.language,
        )

    async def synthesize(self, speech: SpeechRequest) -> bytes:
        """Implements `SpeechService.synthesize` in a helper process, with the voices of the node `tts`."""
        configured = await self._voices.values()
        with TemporaryDirectory(prefix="reachy-agent-") as folder:
            file = Path(folder) / "speech.wav"
            request = {
                "text": speech.text,
                "voice": speech.voice,
                "speed": speech.speed,
                "path": str(file),
                **configured,
            }
            await self._writer.ask(request, SYNTHESIS)
            return await asyncio.to_thread(file.read_bytes)

    async def close(self) -> None:
        """Stops the helper processes."""
        await self._reader.close()
        await self._writer.close()


class _MicrophoneLender:
    """Assigns the microphone to one client at a time. Use only in the event loop's thread.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._sound = node.create_publisher(AudioChunk, names.AUDIO_CAPTURE, AUDIO)
        self._settings = NodeParameters(node, watches, names.STT, ["source"])
        self._button = ServiceCaller(node, SetBool, names.PUSH_TO_TALK, watches.of(names.AGENT))
        self._lent = False

    async def lend(self, *, client: str, button: bool, speaker: Principal) -> _RosMicrophone:
        """Implements `SpeechService.open`."""
        if self._lent:
            raise AgentError(
                ErrorCode.COMMANDER_BUSY, "Another client is speaking to the robot. Wait until it has finished."
            )
        self._lent = True
        try:
            await self._require_open()
            if button:
                await self._push(True)
        except BaseException:
            self._lent = False
            raise
        stream = client_stream(speaker, client, str(uuid.uuid4()))
        return _RosMicrophone(stream, self._sound.publish, self._released if button else None, self._take_back)

    async def _require_open(self) -> None:
        source = (await self._settings.values())["source"]
        if source != _TOPIC:
            message = (
                f"The robot listens to its own audio source ({source}): speak to it there, or type. "
                "To speak here, set the parameter source:=topic of the node stt."
            )
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, message)

    async def _push(self, down: bool) -> None:
        await in_thread(lambda token: self._button.call(SetBool.Request(data=down), cancel=token))

    async def _released(self) -> None:
        await self._push(False)

    def _take_back(self) -> None:
        self._lent = False


class _RosMicrophone:
    """Implements `Microphone` as one stream on the capture topic.

    Args:
        stream: Id of the stream, which identifies the speaker.
        publish: Publishes a chunk.
        release: Releases the push-to-talk button; None if it is not pressed.
        give_back: Called at the end, after which another client may speak.
    """

    def __init__(
        self,
        stream: str,
        publish: Callable[[AudioChunk], None],
        release: Callable[[], Coroutine[Any, Any, None]] | None,
        give_back: Callable[[], None],
    ) -> None:
        self._publish = publish
        self._release = release
        self._give_back = give_back
        self._stream = stream
        self._sequence = 0
        self._spoken = -float("inf")

    async def hear(self, sound: bytes) -> None:
        """Implements `Microphone.hear`. Sends 0.1 s of audio at a time."""
        for start in range(0, len(sound), PIECE):
            ahead = self._spoken - time.monotonic()
            if ahead > LEAD:
                await asyncio.sleep(ahead - LEAD)
            samples = array.array("h", sound[start : start + PIECE])
            self._spoken = max(self._spoken, time.monotonic()) + len(samples) / SAMPLE_RATE
            self._send(samples, last=False)

    async def close(self) -> None:
        """Implements `Microphone.close`."""
        self._send(array.array("h"), last=True)
        try:
            if self._release is not None:
                await self._release()
        finally:
            self._give_back()

    def _send(self, samples: array.array[int], *, last: bool) -> None:
        self._publish(
            AudioChunk(
                header=Header(stamp=wall_stamp()),
                sample_rate=SAMPLE_RATE,
                channels=1,
                sequence=self._sequence,
                stream=self._stream,
                last=last,
                data=samples,
            )
        )
        self._sequence += 1
