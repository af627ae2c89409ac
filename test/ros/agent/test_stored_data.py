import math
import uuid

import pytest

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.sessions.history import HistoryEntry
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.ros.agent.stored_data_messages import memory_message, turn_message
from reachy_agent_ros.ros.agent.stored_data_services import HISTORY_CHARACTERS, HISTORY_PAGE, history_page
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

LONG = HistoryEntry("tool", "x" * HISTORY_CHARACTERS)
SHORT = HistoryEntry("user", "hello")


@pytest.mark.parametrize(
    ("entries", "sent"),
    [
        ([SHORT] * (HISTORY_PAGE + 1), HISTORY_PAGE),
        ([SHORT, LONG], 1),
        ([LONG, SHORT], 1),
        ([HistoryEntry("tool", "x" * (2 * HISTORY_CHARACTERS))], 1),
        ([], 0),
    ],
)
def test_history_page_has_limited_number_of_messages_and_characters(entries: list[HistoryEntry], sent: int) -> None:
    assert history_page(entries, 0) == entries[:sent]


def test_history_page_starts_at_offset() -> None:
    entries = [HistoryEntry("user", str(number)) for number in range(5)]
    assert history_page(entries, 3) == entries[3:]
    assert history_page(entries, 5) == []


def test_time_outside_range_of_ros_timestamp_is_clamped() -> None:
    message = memory_message(MemoryEntry(EntryKind.FACT, "tea", "drink", created=1e11))
    assert seconds_of(message.created) == 2**31 - 1


def test_memory_entry_listed_without_query_has_no_score() -> None:
    assert math.isnan(memory_message(MemoryEntry(EntryKind.FACT, "tea", "drink")).score)


def test_span_message_has_end_time() -> None:
    turn = TracedTurn(uuid.uuid4(), "default", 1000.0, 0, (Span(1, SpanKind.TOOL, "dance", 2.0, 3.0),))
    (span,) = turn_message(turn, with_spans=True).spans
    assert seconds_of(span.header.stamp) == 1005.0
    assert not turn_message(turn).spans
