"""Camera pictures, image analysis and the camera stream over ROS."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reachy_agent_msgs.msg import Detection
from reachy_agent_msgs.srv import AnalyzeScene, CaptureImage
from sensor_msgs.msg import CompressedImage

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.helpers.helper import Helper
from reachy_agent_ros.gateway.models.vision import AnalysisAnswer, CaptureAnswer, DetectedObject, View
from reachy_agent_ros.ros.gateway.node_calls import NodeParameters
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import LATEST

CAPTURE = {View.EYE: 5.0, View.STUDIO: 40.0}
"""Time limit of a picture by view, s; the renderer of the simulated robot may take 30 s."""

LOADING = 60.0
"""Time for a detector to load and run, in addition to the vision model's time limit, s."""

LOOKS = 8
"""Maximum number of concurrent requests."""

_VIEWS = {View.EYE: CaptureImage.Request.EYE, View.STUDIO: CaptureImage.Request.STUDIO}

_SETTINGS = ("detector", "model_endpoint", "model_name", "model_timeout")

PATIENCE = 5.0
"""Time without a picture after which the camera counts as unavailable, s."""


class RosVision:
    """Implements `VisionService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        call: Calls a function in the event loop's thread.
    """

    def __init__(self, node: AgentNode, watches: HeartbeatWatches, call: Callable[..., None]) -> None:
        vision = watches.of(names.VISION)
        self._pictures = ServiceCaller(node, CaptureImage, names.CAPTURE_IMAGE, watches.of(names.CAMERA))
        self._questions = ServiceCaller(node, AnalyzeScene, names.ANALYZE_SCENE, vision)
        self._settings = NodeParameters(node, watches, names.VISION, _SETTINGS)
        self._requests = LongCalls("image requests", LOOKS)
        self._stream = _CameraStream(node, call)
        self._viewer = Helper("reachy_agent_ros.gateway.helpers.picture_viewer")

    async def capture(self, view: View) -> CaptureAnswer:
        """Implements `VisionService.capture`."""
        request = CaptureImage.Request(view=_VIEWS[view])
        answer = await self._requests.run(lambda token: self._pictures.ask(request, CAPTURE[view], token))
        return CaptureAnswer(
            image=base64.b64encode(answer.image.data).decode(),
            timestamp=seconds_of(answer.image.header.stamp),
            width=answer.camera_info.width,
            height=answer.camera_info.height,
        )

    async def analyze(self, question: str) -> AnalysisAnswer:
        """Implements `VisionService.analyze`. `scene_type` is always empty."""
        timeout = LOADING + (await self._settings.values())["model_timeout"]
        request = AnalyzeScene.Request(question=question)
        answer = await self._requests.run(lambda token: self._questions.ask(request, timeout, token))
        objects = [_detected_object(one) for one in answer.detections]
        return AnalysisAnswer(description=answer.answer, objects=objects, scene_type="")

    async def analyze_picture(self, picture: bytes, question: str) -> AnalysisAnswer:
        """Implements `VisionService.analyze_picture` in a helper process, with the detector and model of `vision`."""
        settings = await self._settings.values()
        with TemporaryDirectory(prefix="reachy-agent-") as folder:
            file = Path(folder) / "picture"
            await asyncio.to_thread(file.write_bytes, picture)
            request = {"path": str(file), "question": question, **settings}
            answer = await self._viewer.ask(request, LOADING + 2.0 * settings["model_timeout"])
        return AnalysisAnswer.model_validate(answer)

    def watch(self) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Implements `VisionService.watch`."""
        return self._stream.watch()

    async def close(self) -> None:
        """Stops the helper process."""
        await self._viewer.close()


class _CameraStream:
    """Camera stream for any number of clients. Subscribes only while a client watches, so that the camera can pause.

    Args:
        node: The gateway's node, whose executor runs the callbacks.
        call: Calls a function in the event loop's thread.
    """

    def __init__(self, node: AgentNode, call: Callable[..., None]) -> None:
        self._node = node
        self._call = call
        self._watchers: set[asyncio.Queue[bytes]] = set()
        self._subscriptions: list[Any] = []

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[bytes]]:
        """Implements `VisionService.watch`."""
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


def _detected_object(message: Detection) -> DetectedObject:
    left, top, right, bottom = map(float, message.box)
    return DetectedObject(name=message.label, confidence=message.confidence, box=(left, top, right, bottom))


async def _pictures(newest: asyncio.Queue[bytes]) -> AsyncIterator[bytes]:
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                picture = await newest.get()
        except TimeoutError:
            raise AgentError(
                ErrorCode.CAMERA_UNAVAILABLE, f"The camera sent no picture for {PATIENCE:.0f} s."
            ) from None
        yield picture
