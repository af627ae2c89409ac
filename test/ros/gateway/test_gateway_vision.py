"""Vision through the gateway: the real camera and vision nodes with the simulated desk."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from PIL import Image

from reachy_agent_ros.core import names
from support.nodes.gateway_client import gateway_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    state = str(tmp_path_factory.mktemp("state"))
    with ExitStack() as stack:
        processes = [
            stack.enter_context(NodeProcess("hardware_bridge")),
            stack.enter_context(NodeProcess("camera", {"width": 320, "height": 240})),
            stack.enter_context(NodeProcess("vision")),
        ]
        http = stack.enter_context(gateway_client(ros, {"directory": state}))
        for process in processes:
            process.wait_ready()
        http.timeout = PATIENCE
        yield http


@pytest.fixture(scope="module")
def picture(client: httpx.Client) -> dict[str, Any]:
    captured: dict[str, Any] = client.post("vision/capture").json()
    return captured


def names_of(answer: httpx.Response) -> set[str]:
    assert answer.status_code == 200, answer.text
    return {thing["name"] for thing in answer.json()["objects"]}


def test_gateway_capture_returns_camera_image(picture: dict[str, Any]) -> None:
    with Image.open(io.BytesIO(base64.b64decode(picture["image"]))) as image:
        assert (image.format, *image.size) == ("JPEG", 320, 240) == ("JPEG", picture["width"], picture["height"])
    assert picture["timestamp"] > 1e9


def test_uploaded_and_captured_image_yield_same_objects(client: httpx.Client, picture: dict[str, Any]) -> None:
    own = client.post("vision/analyze", json={})
    assert {"duck", "croissant"} & names_of(own)
    jpeg = base64.b64decode(picture["image"])
    brought = client.post("vision/analyze", json={"image": picture["image"], "prompt": "What is on the desk?"})
    assert names_of(brought) == names_of(own)
    assert brought.json()["description"].startswith("I see ")
    assert brought.json()["scene_type"] == ""
    form = client.post("vision/analyze", files={"image": ("desk.jpg", jpeg)}, data={"prompt": "Is there a duck?"})
    raw = client.post("vision/analyze", content=jpeg, headers={"Content-Type": "image/jpeg"})
    assert names_of(form) == names_of(raw) == names_of(own)


@pytest.mark.parametrize(
    ("image", "words"),
    [("no base64!", "expected base64"), (base64.b64encode(b"no picture").decode(), "is not an image")],
)
def test_invalid_uploaded_image_returns_problem(client: httpx.Client, image: str, words: str) -> None:
    answer = client.post("vision/analyze", json={"image": image})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_camera_streams_only_while_client_is_connected(ros: Ros, client: httpx.Client) -> None:
    def watchers() -> int:
        """Returns the number of subscribers of any name.

        DDS announces node names separately, so that some names may be unknown.
        """
        return ros.node.count_subscribers(names.IMAGE)

    # After an earlier question, the vision node stays subscribed for a while.
    wait_until(lambda: watchers() == 0, "nobody to watch")
    with client.stream("GET", "vision/stream") as answer:
        assert answer.headers["content-type"].startswith("multipart/x-mixed-replace")
        parts = b""
        for piece in answer.iter_raw():
            parts += piece
            if parts.count(b"Content-Type: image/jpeg") > 2:
                break
        wait_until(lambda: watchers() == 1, "one watcher")
    wait_until(lambda: watchers() == 0, "nobody to watch")
    head, _, rest = parts.partition(b"\r\n\r\n")
    size = int(head.rpartition(b": ")[2])
    with Image.open(io.BytesIO(rest[:size])) as image:
        image.load()
        assert image.size == (320, 240)
