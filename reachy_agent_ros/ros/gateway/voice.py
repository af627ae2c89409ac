"""Ears and voice over ROS."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from reachy_agent_msgs.srv import TranscribeFile
from std_msgs.msg import String

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.event_hub import Watcher
from reachy_agent_ros.gateway.helpers.helper import Helper
from reachy_agent_ros.gateway.ports.voice import Microphone, Transcription
from reachy_agent_ros.ros.gateway.dialogue_events import DialogueEvents
from reachy_agent_ros.ros.gateway.ears import Ears
from reachy_agent_ros.ros.gateway.node_parameters import NodeParameters
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat_watches import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.long_calls import LongCalls
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

READING = 30.0
"""s for a sound file to be read, and for the process that does it to start."""

RECOGNITION = 120.0
"""s for ten minutes of speech, with the models that are loaded at the first file."""

RECOGNITIONS = 4
"""At once."""

SYNTHESIS = 60.0
"""s for five minutes of speech, likewise."""


class RosVoice:
    """Implements `gateway.ports.voice.Voice`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        call: Calls a function in the event loop's thread.
    """

    def __init__(self, node: AgentNode, watches: HeartbeatWatches, call: Callable[..., None]) -> None:
        self._ears = Ears(node, watches)
        self._left = node.create_publisher(String, names.VOICE_LEFT, STANDARD)
        self._dialogue = DialogueEvents(node, call)
        self._files = ServiceCaller(node, TranscribeFile, names.TRANSCRIBE_FILE, watches.of(names.STT))
        self._voices = NodeParameters(node, watches, names.TTS, ["voice_path", "voices_path"])
        self._recognitions = LongCalls("recognitions", RECOGNITIONS)
        self._reader = Helper("reachy_agent_ros.gateway.helpers.sound_reader")
        self._writer = Helper("reachy_agent_ros.gateway.helpers.speech_writer")

    def watch(self) -> AbstractContextManager[Watcher]:
        """Tells what is heard and said."""
        return self._dialogue.watch()

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Microphone:
        """Makes a client the one that the robot hears."""
        return await self._ears.lend(client=client, button=button, speaker=speaker)

    def leave(self, client: str) -> None:
        """Ends what a client asked for."""
        self._left.publish(String(data=client))

    async def transcribe(self, sound: bytes) -> Transcription:
        """What a sound file says: read by a helper, because it is a stranger's, and recognised by the ears' node."""
        with TemporaryDirectory(prefix="reachy-agent-") as folder:
            file, plain = Path(folder) / "sound", Path(folder) / "plain.wav"
            await asyncio.to_thread(file.write_bytes, sound)
            read = await self._reader.ask({"path": str(file), "wav": str(plain)}, READING)
            request = TranscribeFile.Request(path=str(plain))
            answer = await self._recognitions.run(lambda token: self._files.call(request, RECOGNITION, token))
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
        return Transcription(answer.text, answer.confidence, read["duration"], answer.language)

    async def synthesise(self, text: str, voice: str, speed: float) -> bytes:
        """A text as a wav file, in the voices that the robot has."""
        configured = await self._voices.values()
        with TemporaryDirectory(prefix="reachy-agent-") as folder:
            file = Path(folder) / "speech.wav"
            request = {"text": text, "voice": voice, "speed": speed, "path": str(file), **configured}
            await self._writer.ask(request, SYNTHESIS)
            return await asyncio.to_thread(file.read_bytes)

    async def close(self) -> None:
        """Ends the helpers."""
        await self._reader.close()
        await self._writer.close()
