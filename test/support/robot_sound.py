"""Test setup for robot audio with a fake SDK and a daemon with media support."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from support import TEST

SDK = TEST / "robot" / "sdk"


class RobotSound:
    """Fake sound card that tests control with files in a folder: `unplugged`, `hung` and `crash`."""

    def __init__(self, url: str, room: Path) -> None:
        self.url = url
        self.room = room

    @property
    def events(self) -> list[str]:
        path = self.room / "events"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def heard(self) -> NDArray[np.float32]:
        """Returns all audio sent to the loudspeaker."""
        path = self.room / "heard"
        return np.frombuffer(path.read_bytes(), np.float32) if path.exists() else np.zeros(0, np.float32)


@contextmanager
def robot_sound(monkeypatch: pytest.MonkeyPatch, room: Path, *, no_media: bool = False) -> Iterator[RobotSound]:
    """Makes the audio process use the fake SDK during a `with` block."""
    monkeypatch.setenv("REACHY_AGENT_SDK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(SDK))
    monkeypatch.setenv("ROOM", str(room))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(no_media))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield RobotSound(f"http://127.0.0.1:{server.server_port}", room)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(no_media: bool) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"state": "running", "no_media": no_media}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
