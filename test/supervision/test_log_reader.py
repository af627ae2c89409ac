from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from reachy_agent_ros.supervision.log_reader import LogReader
from reachy_agent_ros.supervision.supervised_process import NodeLog

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Yields a function that adds a line to the log of a node. Each line is later than the previous line."""
    with ExitStack() as opened:
        logs: dict[str, NodeLog] = {}

        def write(node: str, text: str) -> None:
            if node not in logs:
                logs[node] = opened.enter_context(closing(NodeLog(node, tmp_path, 0, 10, False)))
            logs[node].write(text)
            time.sleep(0.002)  # the log has milliseconds

        yield write


def texts(reader: LogReader) -> list[str]:
    return [line.text for line in reader.lines()]


def test_log_reader_merges_lines_of_nodes_by_time(write: Write, tmp_path: Path) -> None:
    write("stt", "first")
    write("agent", "second")
    write("stt", "third")
    lines = list(LogReader(tmp_path).lines())
    assert [(line.node, line.text) for line in lines] == [("stt", "first"), ("agent", "second"), ("stt", "third")]
    assert lines[0].time == pytest.approx(time.time(), abs=60.0)


def test_log_reader_reads_selected_node(write: Write, tmp_path: Path) -> None:
    write("stt", "first")
    write("agent", "second")
    assert texts(LogReader(tmp_path, "agent")) == ["second"]


def test_second_call_of_log_reader_yields_only_new_lines(write: Write, tmp_path: Path) -> None:
    write("stt", "first")
    reader = LogReader(tmp_path)
    assert texts(reader) == ["first"]
    assert texts(reader) == []
    write("stt", "second")
    write("agent", "third")
    assert texts(reader) == ["second", "third"]


def test_incomplete_log_line_is_read_after_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "stt.log"
    file.write_text("2026-11-28 07:00:00,000 begin")
    reader = LogReader(tmp_path)
    assert texts(reader) == []
    with file.open("a") as log:
        log.write("ning\n")
    assert texts(reader) == ["beginning"]


def test_log_reader_yields_rest_of_file_rotated_between_calls(tmp_path: Path) -> None:
    file = tmp_path / "stt.log"
    file.write_text("2026-11-28 07:00:00,000 first\n")
    reader = LogReader(tmp_path)
    assert texts(reader) == ["first"]
    with file.open("a") as log:
        log.write("2026-11-28 07:00:01,000 second\n")
    file.rename(tmp_path / "stt.log.1")
    file.write_text("2026-11-28 07:00:02,000 third\n")
    assert texts(reader) == ["second", "third"]
    assert texts(LogReader(tmp_path)) == ["first", "second", "third"]


def test_log_reader_skips_damaged_lines(tmp_path: Path) -> None:
    (tmp_path / "stt.log").write_bytes(b"\xff\xfe no time\n2026-11-28 07:00:00,000 good \xff\n")
    assert texts(LogReader(tmp_path)) == ["good \ufffd"]


def test_log_reader_accepts_folder_without_logs(tmp_path: Path) -> None:
    assert not LogReader(tmp_path).has_logs
    assert texts(LogReader(tmp_path)) == []
