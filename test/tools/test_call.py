import threading
from queue import Queue

from reachy_agent_ros.tools.call import Watchdog


def test_watchdog_callbacks_run_in_order_of_time_limits() -> None:
    watchdog = Watchdog()
    ended: Queue[str] = Queue()
    watchdog.watch(0.2, lambda: ended.put("late"))
    watchdog.watch(0.05, lambda: ended.put("early"))
    assert [ended.get(timeout=5.0), ended.get(timeout=5.0)] == ["early", "late"]
    watchdog.close()


def test_closed_watchdog_does_not_run_callbacks() -> None:
    watchdog = Watchdog()
    called = threading.Event()
    watchdog.watch(3600.0, called.set)
    watchdog.close()
    assert not called.is_set()
