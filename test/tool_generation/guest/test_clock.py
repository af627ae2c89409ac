from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest


class Clock:
    """Host stub with simulated time.

    The time advances by the duration of each sleep, and by two seconds for each other request.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[str] = []

    def answer(self, verb: str, arguments: Mapping[str, Any]) -> Any:
        self.calls.append(verb)
        self.now += arguments["seconds"] if verb == "sleep" else 2.0
        return (self.now, False) if verb == "sleep" else {"clamped": []}


@pytest.mark.slow
@pytest.mark.parametrize(
    "wait",
    [
        "time.sleep(60.0)",
        "asyncio.run(asyncio.sleep(60.0))",
        "asyncio.run(_both())",
        "[express_emotion('joy') for _ in range(30)]",
        "_busily()",
    ],
)
def test_sleep_of_one_virtual_minute_returns_immediately(run: Any, wait: str) -> None:
    source = (
        "import asyncio, time\n"
        "async def _both():\n"
        "    await asyncio.gather(asyncio.sleep(60.0), asyncio.wait_for(asyncio.sleep(30.0), 50.0))\n"
        "def _busily():\n"
        "    end = time.monotonic() + 60.0\n"
        "    while time.monotonic() < end: pass\n"
        "def tool() -> dict:\n"
        "    start = time.time(), time.perf_counter(), time.monotonic_ns()\n"
        f"    {wait}\n"
        "    return {'wall': time.time() - start[0], 'steady': time.perf_counter() - start[1],"
        " 'ns': time.monotonic_ns() - start[2]}\n"
    )
    result = run(source, Clock().answer)["result"]
    assert result["wall"] == pytest.approx(60.0, abs=0.02)
    assert result["steady"] == pytest.approx(60.0, abs=0.02)
    assert result["ns"] == pytest.approx(60e9, abs=2e7)


def test_datetime_follows_virtual_time(run: Any) -> None:
    source = (
        "import time\nfrom datetime import datetime, timedelta, timezone\n"
        "def tool() -> dict:\n"
        "    start, zoned = datetime.now(), datetime.now(timezone.utc)\n"
        "    time.sleep(3600)\n"
        "    return {'s': (datetime.now() - start).total_seconds(), 'z': datetime.now(timezone.utc) > zoned,"
        " 'd': isinstance(start + timedelta(days=1), datetime)}\n"
    )
    result = run(source, Clock().answer)["result"]
    assert result == {"s": pytest.approx(3600.0), "z": True, "d": True}


def test_guest_requests_time_from_host_only_if_time_may_have_changed(run: Any) -> None:
    clock = Clock()
    run(
        "import time\ndef tool() -> dict:\n    return {'t': [time.time() for _ in range(50)]}\n",
        clock.answer,
    )
    assert clock.calls == ["sleep"]


def test_negative_sleep_duration_raises_value_error(run: Any) -> None:
    failed = run("import time\ndef tool() -> dict:\n    time.sleep(-1)\n", Clock().answer)["failed"]
    assert (failed["type"], failed["line"]) == ("ValueError", 3)


def test_live_run_of_tool_uses_real_time(run: Any) -> None:
    source = (
        "import time\n"
        "def tool() -> dict:\n"
        "    start = time.monotonic()\n"
        "    time.sleep(0.01)\n"
        "    return {'s': time.monotonic() - start}\n"
    )
    assert run(source)["result"]["s"] >= 0.01
