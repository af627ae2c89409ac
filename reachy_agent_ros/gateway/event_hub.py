"""Distribution of graph events to any number of watchers. A slow watcher does not delay other watchers."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

CAPACITY = 256
"""Maximum number of queued events per watcher. If a watcher is slower, the oldest events are dropped and counted."""

KEPT = CAPACITY // 2
"""Number of past events kept for watchers that reconnect, in addition to the current states."""


@dataclass(frozen=True)
class Event:
    """Event in the graph, as sent to clients.

    Attributes:
        kind: Kind as in the API: "state", "reply", "trace", "approvals".
        data: Data of the event, JSON values.
        number: Sequence number; 0 for states, streams, and events that only one client receives.
    """

    kind: str
    data: Mapping[str, Any]
    number: int = field(default=0, compare=False)

    @cached_property
    def text(self) -> str:
        """JSON text of the event, serialized once for all watchers."""
        numbered = {"number": self.number} if self.number else {}
        told = {"kind": self.kind, "data": self.data, **numbered}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class Watcher:
    """Event queue of one client. Use from the thread of the event loop.

    Attributes:
        dropped: Number of events lost since the last report because the client was too slow.
        streams: Kinds of streams to which the client has subscribed.
    """

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()
        self._wake = asyncio.Event()
        self.dropped = 0
        self.streams: frozenset[str] = frozenset()

    def put(self, event: Event) -> None:
        """Queues an event. Never blocks."""
        if len(self._waiting) >= CAPACITY:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(event)
        self._wake.set()

    async def events(self) -> AsyncIterator[Event]:
        """Yields events indefinitely. If events were lost, first yields a "dropped" event."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if self.dropped:
                    gap, self.dropped = self.dropped, 0
                    yield Event("dropped", {"events": gap})
                yield self._waiting.popleft()


class EventHub:
    """Distributes events to watchers. Use from the thread of the event loop.

    States ("approvals", "state") are kept; a new watcher immediately receives the current ones. Streams ("pose") are
    expensive, so they run only while there are subscribers, and only for subscribers. All other events are numbered, so
    that a client that reconnects can receive the events that it missed.
    """

    def __init__(self) -> None:
        self._past: deque[Event] = deque(maxlen=KEPT)
        self._first = self._number = time.time_ns() // 1000  # greater than any number of an earlier process
        self._watchers: set[Watcher] = set()
        self._present: dict[str, Event] = {}
        self._streams: dict[str, Callable[[bool], None]] = {}

    @property
    def watchers(self) -> int:
        """Number of watchers."""
        return len(self._watchers)

    def add_stream(self, kind: str, switch: Callable[[bool], None]) -> None:
        """Registers an event kind as a stream, which is active only while it has subscribers.

        Args:
            kind: Kind of the events.
            switch: Called in the thread of the event loop: True for the first subscriber, False after the last.
        """
        self._streams[kind] = switch

    def publish(self, event: Event, *, present: bool = False) -> None:
        """Sends an event to all watchers. Sends an event of a stream only to the subscribers of the stream.

        Args:
            event: Event to distribute.
            present: Whether the event is a state that is valid until the next event of its kind.
        """
        if present:
            self._present[event.kind] = event
        elif event.kind not in self._streams:
            self._number += 1
            event = replace(event, number=self._number)
            self._past.append(event)
        for watcher in self._watchers:
            if event.kind not in self._streams or event.kind in watcher.streams:
                watcher.put(event)

    def choose(self, watcher: Watcher, kinds: Collection[str]) -> None:
        """Sets the streams that a watcher receives, in addition to all other events."""
        before = self._wanted()
        watcher.streams = frozenset(kinds).intersection(self._streams)
        now = self._wanted()
        for kind in before ^ now:
            self._streams[kind](kind in now)

    @contextmanager
    def watch(self, after: int = 0) -> Iterator[Watcher]:
        """Yields a watcher for a `with` block. The watcher first receives all current states.

        Args:
            after: Number of the last event that the client has received; 0 for no past events.
        """
        watcher = Watcher()
        for event in (*self._present.values(), *self._missed(after)):
            watcher.put(event)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self.choose(watcher, ())
            self._watchers.discard(watcher)

    def _missed(self, after: int) -> Iterator[Event]:
        """Yields the events with a number above `after`. If some were lost, first yields a "dropped" event."""
        if not 0 < after < self._number:
            return
        missed = [event for event in self._past if event.number > after]
        if after < self._first:
            yield Event("dropped", {"events": 0})
        elif lost := self._number - after - len(missed):
            yield Event("dropped", {"events": lost})
        yield from missed

    def _wanted(self) -> frozenset[str]:
        return frozenset[str]().union(*(watcher.streams for watcher in self._watchers))
