"""Failure reports, which contain the state of the objects under test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import MODULE_PATH, ROOT, failure_report
from support.logged_process import LoggedProcess
from support.waiting import wait_until

LOUD = "for number in range(100): print('line', number, flush=True)\nimport signal\nsignal.pause()"


@pytest.fixture(autouse=True)
def _nothing_of_other_tests() -> Iterator[None]:
    yield
    failure_report.begin()


def failed_wait() -> str:
    with pytest.raises(AssertionError) as error:
        wait_until(lambda: False, "nothing", timeout=0.0)
    return str(error.value)


def test_failed_wait_reports_last_output_lines_of_process() -> None:
    with LoggedProcess([sys.executable, "-c", LOUD], "loud") as process:
        wait_until(lambda: "line 99" in process.output, "the last line")
        report = failed_wait()
    assert f"loud (process {process.pid})" in report
    assert "\n    line 60\n" in report
    assert report.endswith("    line 99")
    assert "line 59" not in report
    assert "loud" not in failed_wait()


def test_failed_wait_reports_exit_code_of_process() -> None:
    with LoggedProcess([sys.executable, "-c", "exit('no voice')"], "mute") as process:
        process.wait(20.0)
        report = failed_wait()
    assert "ended with code 1" in report
    assert "no voice" in report


def test_failed_wait_reports_calls() -> None:
    with pytest.raises(OSError, match="no route"), failure_report.observed("move", "left"):
        raise OSError("no route")
    for _ in range(2):
        with failure_report.observed("move", "right") as call:
            call.answered(SimpleNamespace(error_code=3, error_msg="too far"))
    with failure_report.observed("move", "up"):
        report = failed_wait()
    assert "- move left: raised OSError('no route')\n" in report
    assert "- move right: answered {'error_code': 3, 'error_msg': 'too far'} (2 times)\n" in report
    assert "- move up: still executing after 0." in report
    failure_report.begin()
    assert "move" not in failed_wait()


def test_failed_wait_reports_only_latest_calls() -> None:
    for number in range(20):
        with failure_report.observed("move", number):
            pass
    report = failed_wait()
    assert "move 10:" in report
    assert "move 9:" not in report


def test_failure_is_reported_even_if_description_of_object_raises_error() -> None:
    class Broken:
        def describe(self) -> str:
            raise OSError("gone")

    broken = Broken()
    failure_report.register(broken)
    assert "cannot describe itself: OSError('gone')" in failed_wait()
    failure_report.unregister(broken)
    assert "gone" not in failed_wait()


TESTS = """
import sys
from support.logged_process import LoggedProcess
from support.waiting import wait_until

def started():
    return LoggedProcess([sys.executable, "-c", "print('no voice')"], "mute")

def test_other_wait():
    with started() as process:
        process.wait(20)
        assert process.output == ""

def test_wait_until():
    with started() as process:
        process.wait(20)
        wait_until(lambda: False, timeout=0.0)

def test_that_passes():
    with started() as process:
        process.wait(20)
"""


@pytest.mark.slow
def test_each_failed_test_shows_failure_report_once(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text(TESTS)
    # -rN omits the final summary, whose lines pytest truncates to the width of the terminal unless CI is set.
    command = [sys.executable, "-m", "pytest", "-rN", "-p", "conftest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": MODULE_PATH},
        capture_output=True,
        text=True,
        timeout=100.0,
    )
    assert "2 failed, 1 passed" in done.stdout
    assert done.stdout.count(failure_report.TITLE) == 2
    assert done.stdout.count("    no voice") == 2
