"""The robot's own microphone, which may come and go with its daemon."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reachy_agent_ros.audio.media import MediaProcess
from reachy_agent_ros.audio.sessions import run_sessions
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.stt.chunk import Chunk
from reachy_agent_ros.stt.microphone import SILENT


def listen_to_robot(
    daemon_url: str, deliver: Callable[[Chunk], None], report: Callable[[str], None], cancel: CancelToken
) -> None:
    """Delivers the sound of the robot's microphone until cancelled, and tries again for as long as there is none.

    Args:
        daemon_url: `http://HOST:PORT`.
        deliver: Called in this thread with each piece of at most 32 ms, as many channels as the robot gives.
        report: Called with the reason when there is no microphone, and with an empty text when there is one.
        cancel: Ends it.
    """
    run_sessions(lambda session: _record(daemon_url, f"robot-{session}", deliver, report, cancel), report, cancel)


def _record(
    daemon_url: str,
    stream: str,
    deliver: Callable[[Chunk], None],
    report: Callable[[str], None],
    cancel: CancelToken,
) -> None:
    """Records one session, at the robot's own sample rate."""
    with MediaProcess(daemon_url, "record", cancel) as media:
        report("")
        frame = 2 * media.channels
        most = frame * (media.sample_rate // 32)
        sequence = 0
        rest = b""
        while True:
            data = rest + media.receive(most - len(rest), SILENT)
            whole = len(data) - len(data) % frame
            rest = data[whole:]
            if whole:
                samples = np.frombuffer(data[:whole], "<i2").astype(np.int16)
                deliver(Chunk(samples, media.sample_rate, media.channels, stream=stream, sequence=sequence))
                sequence += 1
