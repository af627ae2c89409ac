"""Target that runs complete turns of the agent with mutated responses of the model server."""

from __future__ import annotations

import asyncio
import random
import tempfile
import uuid
from pathlib import Path
from typing import Any

from fuzz.targets.reply_samples import broken_reply, pieces_of_reply
from fuzz.targets.reply_server import ReplyServer
from reachy_agent_ros.agent.conversation.conversation import Bounds
from support.agent.world import MindInWorld

_QUESTION = "Do you know why the door over there is as blue as the sea in summer?"  # too long to be learned as a phrase

_CALLS: tuple[tuple[str, object], ...] = (
    *(("transfer_to_robot", {}), ("move_head", {"yaw_deg": 20.0}), ("move_head", '{"yaw_deg": '), ("erase", {})),
    *(("find_object", {"name": "door"}), ("move_head", {"yaw_deg": "far"}), ("fly", {}), ("make_plan", {"goal": 5})),
    *(("remember", {"key": "x", "text": "y"}), ("transfer_to_vision", "null"), ("finish_step", {"number": "1"})),
)


_LONGEST = 20.0
"""Time limit of a turn, s."""

_DECISION = 0.05
"""Time limit of an approval, which nobody answers, s."""


class Turns:
    """Target that asks the agent the same question in every case.

    The model server sends the same mutated response to all requests of the case.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._unseen: list[str] = []
        self._loop.set_exception_handler(lambda _loop, context: self._unseen.append(str(context)))
        self._server = self._loop.run_until_complete(ReplyServer().__aenter__())
        self._mind: Any = None

    def case(self, chance: random.Random) -> bytes:
        """Returns a mutated response stream."""
        return broken_reply(pieces_of_reply(chance, _CALLS), chance)

    def take(self, data: bytes) -> None:
        """Runs one turn. Then checks that the agent still obeys a normal command."""
        self._server.reply = data
        self._loop.run_until_complete(self._take())
        assert not self._unseen, self._unseen.pop()

    async def _take(self) -> None:
        mind = self._mind = self._mind or self._made()
        for link in mind.access.links:
            link.succeeded()  # prevents a pause after a failure
        for kept in (mind.world.calls, mind.events, mind.spans):
            kept.clear()
        told = await mind.say(_QUESTION, session_id=str(uuid.uuid4()))
        assert told.reply or told.error, "the turn ended without a reply or an error"
        assert "erase" not in mind.world.called, "the tool `erase` ran without approval"
        assert set(mind.world.called) <= {tool.name for tool in mind.world.tools}, mind.world.called
        obeyed = await mind.say("look left", session_id="a person")
        assert obeyed.reply == "I looked to the left.", f"the next command was not obeyed: {obeyed}"

    def _made(self) -> Any:
        bounds = Bounds(seconds=_LONGEST)
        folder = Path(tempfile.mkdtemp())  # removed with the scratch folder of the process
        return MindInWorld(folder, self._server, bounds, model_timeout=5.0, approval_time=_DECISION)
