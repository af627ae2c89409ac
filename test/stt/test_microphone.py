import threading

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.stt.microphone import listen
from support.waiting import wait_until


@pytest.mark.slow
def test_a_missing_microphone_is_reported_and_looked_for_until_cancelled() -> None:
    reports: list[str] = []
    cancel = CancelToken()
    thread = threading.Thread(target=listen, args=("no such microphone", lambda _: None, reports.append, cancel))
    thread.start()
    wait_until(lambda: len(reports) >= 2, 20.0)
    assert all(reports)
    cancel.cancel()
    thread.join(10.0)
    assert not thread.is_alive()
