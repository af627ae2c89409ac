from __future__ import annotations

import signal
import subprocess
import sys

import pytest

IMPORT = "from reachy_agent_ros.ros.rclpy_ext.exit_deadline import exit_within; import ctypes\n"


@pytest.mark.parametrize("stuck", ["ctypes.PyDLL(None).pause()", "ctypes.CDLL(None).pause()", "while True: pass"])
def test_what_is_stuck_ends_all_the_same_even_with_the_interpreters_lock(stuck: str) -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2)\n{stuck}"], timeout=30.0)
    assert ended.returncode == 0


def test_it_ends_with_the_code_it_was_given() -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2, 7)\nwhile True: pass"], timeout=30.0)
    assert ended.returncode == 7


def test_what_ends_before_ends_as_it_would() -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(20.0)\nraise SystemExit(3)"], timeout=15.0)
    assert ended.returncode == 3


@pytest.mark.parametrize("crash", ["ctypes.string_at(0)", "ctypes.CDLL(None).abort()"])
def test_what_crashes_ends_as_well(crash: str) -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2)\n{crash}"], timeout=30.0)
    assert ended.returncode == 0


def test_a_crash_in_another_thread_does_not_keep_the_rest_from_ending() -> None:
    crash = "import threading; threading.Thread(target=ctypes.CDLL(None).abort, daemon=True).start()"
    ended = subprocess.run(
        [sys.executable, "-c", f"{IMPORT}exit_within(20.0)\n{crash}\nraise SystemExit(3)"], timeout=15.0
    )
    assert ended.returncode == 3


def test_what_was_called_off_ends_as_it_would_and_crashes_as_it_would() -> None:
    wait = "import time; call_off = exit_within(0.2); call_off(); time.sleep(0.5)"
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}{wait}\nraise SystemExit(3)"], timeout=30.0)
    assert ended.returncode == 3
    crashed = subprocess.run([sys.executable, "-c", f"{IMPORT}{wait}\nctypes.CDLL(None).abort()"], timeout=30.0)
    assert crashed.returncode == -signal.SIGABRT
