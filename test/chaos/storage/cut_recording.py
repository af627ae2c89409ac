"""A recording that is cut off at any byte."""

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
_NOISE = 1000  # B a message, which no compression makes smaller


@dataclass(frozen=True)
class CutRecording:
    """Readable part of the recording.

    Attributes:
        before: Messages that were written before the cut, by their bytes.
        read: Those that can be read.
        whole: Whether each of these is as it was written.
        chunk: Messages of one chunk, at most.
    """

    before: int
    read: int
    whole: bool
    chunk: int


def cut_recording(folder: Path, random: Random) -> CutRecording:
    """Records, cuts the file at a random byte, and reads what is left.

    Args:
        folder: Of the bag; must not exist.
        random: Decides where.
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
