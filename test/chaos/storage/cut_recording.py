"""Fault that truncates a recording at a random byte."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.demonstrations.bag import Bag
from reachy_agent_ros.learning.demonstrations.bag_writer import CHUNK, BagWriter
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore

_MESSAGES = 1000
_NOISE = 1000  # incompressible bytes in each message


@dataclass(frozen=True)
class CutRecording:
    """Readable part of a truncated recording.

    Attributes:
        before: Number of messages before the cut, estimated from the size of the file.
        read: Number of messages that can be read.
        whole: Whether all messages that can be read are unchanged.
        chunk: Maximum number of messages in one chunk.
    """

    before: int
    read: int
    whole: bool
    chunk: int


def cut_recording(folder: Path, random: Random) -> CutRecording:
    """Records messages, truncates the file at a random byte, and reads the remaining part.

    Args:
        folder: Folder of the bag, which must not exist.
        random: Source of the content and the position of the cut.
    """
    contents = [random.randbytes(_NOISE) for _ in range(_MESSAGES)]
    writer = BagWriter(folder, names.NAMESPACE)
    for number, content in enumerate(contents):
        writer.write(names.IMAGE, number, _image(content))
    writer.close()
    (path,) = folder.glob("*.mcap")
    size = path.stat().st_size
    cut = random.randrange(size)
    with path.open("r+b") as file:
        file.truncate(cut)
    found = [message.content.data.tobytes() for message in Bag(folder).messages(names.IMAGE)]
    return CutRecording(cut * _MESSAGES // size, len(found), found == contents[: len(found)], CHUNK // _NOISE + 1)


def _image(content: bytes) -> bytes:
    types, kind = typestore().types, type_of(names.IMAGE)
    stamp = types["builtin_interfaces/msg/Time"](sec=0, nanosec=0)
    header = types["std_msgs/msg/Header"](stamp=stamp, frame_id="")
    message = types[kind](header=header, format="jpeg", data=np.frombuffer(content, np.uint8))
    return bytes(typestore().serialize_cdr(message, kind))
