"""Surface that sends messages, service requests and action goals of all types to a running graph."""

from __future__ import annotations

import base64
import json
import random
from collections import deque
from functools import cached_property

from rclpy.serialization import serialize_message

from fuzz.live.graph_entrances import PATIENCE, Entrance, TopicEntrance, entrances
from fuzz.live.live_surface import LiveSurface, Trial
from fuzz.mutation.byte_mutation import mutated_bytes
from fuzz.mutation.message_values import filled, with_bad_text

_REMEMBERED = 20
"""Number of inputs to store for a failure, because a node may die several messages after the cause."""


class GraphMessages(LiveSurface):
    """Surface that consists of all inputs of a graph.

    A failure file contains the latest inputs as JSON lines, with the serialized message (CDR) in base64.
    """

    name = "graph-messages"
    share = 3_000

    @cached_property
    def _entrances(self) -> list[Entrance]:
        return entrances(self.graph.client.node)

    @cached_property
    def _latest(self) -> deque[bytes]:
        return deque(maxlen=_REMEMBERED)

    def tried(self, chance: random.Random) -> Trial:
        """Implements `LiveSurface`.

        The bytes that topics receive may contain invalid text or a truncated message.
        """
        entrance = chance.choice(self._entrances)
        message = filled(entrance.kind, chance)
        serialized = with_bad_text(serialize_message(message))
        if isinstance(entrance, TopicEntrance):
            if chance.random() < 0.1:
                serialized = serialized[:4] + mutated_bytes(serialized[4:], chance)
            message = serialized
        kept = {"to": entrance.name, "type": str(entrance.kind), "cdr": base64.b64encode(serialized).decode()}
        self._latest.append(json.dumps(kept).encode())
        answered = entrance.send(message)
        silent = "" if answered else f"{entrance.name} did not respond within {PATIENCE:g} s"
        return Trial(b"\n".join(self._latest), answered, silent=silent)
