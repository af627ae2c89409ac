"""A demonstration's bag written anew: whole where it was cut, shorter, or from another robot's topics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from reachy_agent_ros.core import names
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.learning.demonstrations.bag import connections, raw_messages
from reachy_agent_ros.learning.demonstrations.bag_file import opened
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.learning.demonstrations.channels import ABOUT, CHANNELS
from reachy_agent_ros.learning.demonstrations.demonstration import Quality

_SYNC_EVERY = 1000
"""Messages."""

_FOR_EVER = 1e8
"""s."""


def rewritten(
    source: Path,
    target: Path,
    between: tuple[float, float] = (0.0, math.inf),
    topics: Mapping[str, str] | None = None,
) -> float:
    """Copies what a demonstration holds, in the order of time.

    Args:
        source: A bag that can be read; it stays as it is.
        target: Folder of the new one; must not exist.
        between: Seconds from the first message on that are copied.
        topics: Names of the source's topics by channel, where they are other ones than ours.

    Returns:
        s between the first and the last message that was copied.

    Raises:
        AgentError: What `opened` and `BagWriter` raise; what there is of the target is the caller's to remove.
    """
    topics = topics or {}
    with opened(source) as bag:
        start = bag.reader.start_time
        first, last = (start + min(moment, _FOR_EVER) * 1e9 for moment in between)
        channels = {
            (connection.topic, connection.msgtype): channel
            for channel in (*CHANNELS, ABOUT)
            for connection in connections(bag, channel, topics.get(channel, ""))
        }
        chosen = [one for one in bag.reader.connections if (one.topic, one.msgtype) in channels]
        writer = BagWriter(target, NAMESPACE)
        begin = end = 0
        for number, (connection, moment, raw) in enumerate(bag.messages(chosen)):
            channel = channels[connection.topic, connection.msgtype]
            if channel != ABOUT and not first <= moment <= last:
                continue
            writer.write(channel, int(max(moment, first)), bytes(raw))
            if channel != ABOUT:
                begin, end = begin or moment, moment
            if number % _SYNC_EVERY == 0:
                writer.sync()
        writer.close()
    return (end - begin) / 1e9


def measured_quality(path: Path, cut: bool) -> Quality:
    """Of a bag that was not recorded here, or not to its end.

    Args:
        path: Its folder.
        cut: Whether its end is missing.
    """
    with opened(path) as bag:
        samples = sum(connection.msgcount for connection in bag.reader.connections)
        moments = np.array([moment for moment, _ in raw_messages(bag, names.HEAD_POSE)], dtype=float) / 1e9
    if len(moments) < 2:
        return Quality(samples, cut=cut)
    length = float(moments[-1] - moments[0])
    rate = (len(moments) - 1) / length if length else 0.0
    return Quality(samples, rate=round(rate, 2), longest_gap=float(np.diff(moments).max()), cut=cut)
