"""The eye's newest picture for any number of watchers, of whom none delays another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sensor_msgs.msg import CompressedImage

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import LATEST

PATIENCE = 5.0
"""s without a picture after which the camera gives none."""


class EyeStream:
    """Subscribes while somebody watches: nobody draws what nobody looks at.

    Args:
        node: Whose executor runs the callbacks.
        call: Calls a function in the event loop's thread.
    """

    def __init__(self, node: AgentNode, call: Callable[..., None]) -> None:
        self._node = node
        self._call = call
        self._watchers: set[asyncio.Queue[bytes]] = set()
        self._subscriptions: list[Any] = []

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[bytes]]:
        """As `gateway.ports.vision.Vision.watch`."""
        newest: asyncio.Queue[bytes] = asyncio.Queue(1)
        if not self._watchers:
            self._node.in_executor(self._join)
        self._watchers.add(newest)
        try:
            yield _pictures(newest)
        finally:
            self._watchers.discard(newest)
            if not self._watchers:
                self._node.in_executor(self._leave)

    def _join(self) -> None:
        self._subscriptions.append(self._node.create_subscription(CompressedImage, names.IMAGE, self._receive, LATEST))

    def _leave(self) -> None:
        while self._subscriptions:
            self._node.destroy_subscription(self._subscriptions.pop())

    def _receive(self, message: CompressedImage) -> None:
        self._call(self._pass_on, bytes(message.data))

    def _pass_on(self, jpeg: bytes) -> None:
        for newest in self._watchers:
            if newest.full():
                newest.get_nowait()
            newest.put_nowait(jpeg)


async def _pictures(newest: asyncio.Queue[bytes]) -> AsyncIterator[bytes]:
    while True:
        try:
            yield await asyncio.wait_for(newest.get(), PATIENCE)
        except TimeoutError:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera gives no pictures.") from None
