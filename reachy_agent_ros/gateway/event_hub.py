"""What happens in the graph, for any number of watchers, of whom none can delay another."""

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
"""Events that wait for one watcher; of a slower one the oldest are dropped, and it is told how many."""

KEPT = CAPACITY // 2
"""Events that are kept for who comes back, besides what holds now."""


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: As the API names it: "state", "reply", "trace", "approvals".
        data: JSON values.
        number: Its place among all that happened, 0 for what is a state or a stream.
    """

    kind: str
    data: Mapping[str, Any]
    number: int = field(default=0, compare=False)

    @cached_property
    def text(self) -> str:
        """As it is sent; written once, however many watch."""
        numbered = {"number": self.number} if self.number else {}
        told = {"kind": self.kind, "data": self.data, **numbered}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class Watcher:
    """One who watches, in the event loop's thread.

    Attributes:
        dropped: Events it was too slow for since it was last told.
        streams: Kinds of streams that it wants.
    """

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()
        self._wake = asyncio.Event()
        self.dropped = 0
        self.streams: frozenset[str] = frozenset()

    def put(self, event: Event) -> None:
        """Takes an event; never blocks."""
        if len(self._waiting) >= CAPACITY:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(event)
        self._wake.set()

    async def events(self) -> AsyncIterator[Event]:
        """The events, without end; "dropped" tells of a gap before the next one."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if self.dropped:
                    gap, self.dropped = self.dropped, 0
                    yield Event("dropped", {"events": gap})
                yield self._waiting.popleft()


class EventHub:
    """Passes events on, all of it in the event loop's thread.

    What has a present state ("approvals", "state") is remembered, so that who comes later knows it at once. A stream
    ("pose") costs something, so it flows only while somebody wants it, and only to those. All else is numbered, so that
    who was away for a while can be told what they missed.
    """

    def __init__(self) -> None:
        self._past: deque[Event] = deque(maxlen=KEPT)
        self._first = self._number = time.time_ns() // 1000  # greater than any number of a process before
        self._watchers: set[Watcher] = set()
        self._present: dict[str, Event] = {}
        self._streams: dict[str, Callable[[bool], None]] = {}

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

    def add_stream(self, kind: str, switch: Callable[[bool], None]) -> None:
        """Makes a kind of events a stream.

        Args:
            kind: Of its events.
            switch: Told, in the event loop's thread, when somebody begins to want it, and when nobody does any more.
        """
        self._streams[kind] = switch

    def publish(self, event: Event, *, present: bool = False) -> None:
        """Passes an event on.

        Args:
            event: What happened.
            present: Whether it tells a state that holds until the next event of its kind.
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
        """Lets streams flow to a watcher, and no others; what is no stream always does."""
        before = self._wanted()
        watcher.streams = frozenset(kinds).intersection(self._streams)
        now = self._wanted()
        for kind in before ^ now:
            self._streams[kind](kind in now)

    @contextmanager
    def watch(self, after: int = 0) -> Iterator[Watcher]:
        """A watcher for a `with` block, who is first told all that holds now.

        Args:
            after: Number of the last event that it has seen; 0 for one who wants to know nothing that has passed.
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
        """What happened after an event; first how much of it is kept no more, 0 where that is not known."""
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
