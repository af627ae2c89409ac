import threading
from queue import Queue

from reachy_agent_ros.tools.call import Watchdog


def test_limits_end_in_the_order_of_their_times() -> None:
    watchdog = Watchdog()
    ended: Queue[str] = Queue()
    watchdog.watch(0.2, lambda: ended.put("late"))
    watchdog.watch(0.05, lambda: ended.put("early"))
    assert [ended.get(timeout=5.0), ended.get(timeout=5.0)] == ["early", "late"]
    watchdog.close()


def test_a_closed_watchdog_calls_nobody_back() -> None:
    watchdog = Watchdog()
    called = threading.Event()
    watchdog.watch(3600.0, called.set)
    watchdog.close()
    assert not called.is_set()
