"""Recorder that stores spans in the background, so that turns do not wait for the disk."""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.agent.terminal_text import truncated
from reachy_agent_ros.agent.traces.trace import Span
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.core.errors import AgentError

_log = logging.getLogger(__name__)

QUEUE_LENGTH = 1_000
"""Maximum number of spans that wait to be written: more than the longest turn has."""


MAX_TEXT = 4_000
"""Maximum length of stored arguments, summaries and errors, characters: traces should not contain whole web pages."""


class TraceRecorder:
    """Stores spans in its own thread. `record` is thread-safe.

    Args:
        store: Store of the spans.
        keep: Retention rule for turns.
        redact: Removes personal data from a text. Called in the thread that writes.
        length: Maximum number of spans that wait to be written. Further spans are dropped, counted and reported.
    """

    def __init__(
        self,
        store: TraceStore,
        keep: TraceRetention | None = None,
        redact: Callable[[str], str] = str,
        length: int = QUEUE_LENGTH,
    ) -> None:
        self._store = store
        self._keep = keep or TraceRetention()
        self._redact = redact
        self._waiting: queue.Queue[SpanRecord | None] = queue.Queue(length)
        self._lock = threading.Lock()
        self._lost: Counter[tuple[uuid.UUID, str]] = Counter()
        self._dropped = 0
        self._failed = False
        self._thread = threading.Thread(target=self._write_all, name="trace_recorder", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        """Number of spans dropped since the start."""
        return self._dropped

    def record(self, turn_id: uuid.UUID, session_id: str, span: Span) -> None:
        """Queues a finished span for storage. Does not wait for the disk."""
        record = SpanRecord(turn_id, session_id, time.time(), span)
        try:
            self._waiting.put_nowait(record)
        except queue.Full:
            self._drop([record])

    def close(self) -> None:
        """Writes the queued spans and ends the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _write_all(self) -> None:
        going_on = True
        while going_on:
            taken = [self._waiting.get()]
            while not self._waiting.empty():
                taken.append(self._waiting.get())
            going_on = None not in taken
            self._write([record for record in taken if record is not None])

    def _write(self, records: list[SpanRecord]) -> None:
        clean = [replace(record, span=_redacted(record.span, self._redact)) for record in records]
        with self._lock:
            lost = dict(self._lost)
        try:
            self._store.add(clean, lost, self._keep)
        except AgentError as error:
            self._drop(records)
            if not self._failed:  # logged once, not for every span that fails
                _log.warning("Turns are not recorded: %s", error)
            self._failed = True
            return
        if lost:
            with self._lock:
                self._lost -= Counter(lost)
            _log.warning("%d spans were not recorded.", sum(lost.values()))
        self._failed = False

    def _drop(self, records: list[SpanRecord]) -> None:
        with self._lock:
            self._lost.update((record.turn_id, record.session_id) for record in records)
            self._dropped += len(records)


def _redacted(span: Span, redact: Callable[[str], str]) -> Span:
    """Redacts the texts of a span, then truncates them to `MAX_TEXT`.

    Redaction comes first, because it might not recognize truncated personal data.
    """

    def text(value: str) -> str:
        return truncated(redact(value), MAX_TEXT)

    error = None if span.error is None else AgentError(span.error.code, text(span.error.message))
    return replace(span, arguments_json=text(span.arguments_json), summary=text(span.summary), error=error)
