import re
import threading

from reachy_agent_ros.ros.rclpy_ext import pulse
from reachy_agent_ros.ros.rclpy_ext.pulse import Pulse
from support.waiting import wait_until


def ignore(_reason: str) -> None:
    """For a pulse that is lost nowhere."""


def test_it_beats_on_while_the_loop_is_busy_with_one_long_turn(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "LOOP_PATIENCE", 60.0)
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    sender.turn()
    wait_until(lambda: len(beats) >= 5, 20.0, "five beats after one turn")
    sender.close()


def test_a_loop_that_has_not_turned_yet_or_not_for_long_has_no_pulse(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "LOOP_PATIENCE", 0.05)
    monkeypatch.setattr(pulse, "HEARTBEAT_PERIOD", 0.01)
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    threading.Event().wait(0.1)
    assert beats == []

    def turned_and_beat() -> bool:
        sender.turn()
        return bool(beats)

    wait_until(turned_and_beat, 20.0, "the first beat")

    def silent() -> bool:
        count = len(beats)
        threading.Event().wait(0.1)
        return len(beats) == count

    wait_until(silent, 20.0, "the beats to stop")
    sender.close()


def test_a_closed_pulse_beats_no_more() -> None:
    beats: list[int] = []
    sender = Pulse(lambda: beats.append(1), ignore)
    sender.turn()
    sender.close()
    sender.close()
    count = len(beats)
    threading.Event().wait(0.25)
    assert len(beats) == count


def test_who_stood_still_for_so_long_that_others_forgot_it_is_told_for_how_long_and_beats_no_more(monkeypatch) -> None:
    monkeypatch.setattr(pulse, "FORGOTTEN", 0.0)  # every wait is longer
    beats: list[int] = []
    told: list[str] = []
    sender = Pulse(lambda: beats.append(1), told.append)
    sender.turn()
    wait_until(lambda: bool(told), 20.0, "to be told")
    sender.close()
    assert len(told) == 1
    assert re.match(r"Stood still for \d+\.\d s\.", told[0])
    assert beats == []
