"""Threads beside the executor that serves ROS: an asyncio event loop, blocking calls from it, and a worker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode

T = TypeVar("T")

_TICK = 0.05
"""Seconds between two signs of life of the loop."""

_THREADS = 32
"""Blocking calls at once. The default, a few more than cores, could be used up by tools that wait, and a stop with
them."""

_CANCEL_GRACE = 1.0
"""Seconds a cancelled call has to end before it is left to itself."""

Result = TypeVar("Result")

WORKER_PATIENCE = 2.0
"""s that one piece of work may take: on a machine with better things to do, a picture may take half of that."""


class EventLoop:
    """Runs coroutines until closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._workers = ThreadPoolExecutor(_THREADS, thread_name_prefix="call")
        self._loop.set_default_executor(self._workers)
        self._ticks = 0
        self._ticks_seen = -1
        self._thread = threading.Thread(target=self._run, name="event_loop", daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, T], cancel: CancelToken | None = None) -> Future[T]:
        """Starts a coroutine, from any thread.

        Args:
            coroutine: What to run.
            cancel: Cancels its task; unlike cancelling the future, that leaves it the last word on its result.
        """
        return asyncio.run_coroutine_threadsafe(self._cancellable(coroutine, cancel or CancelToken()), self._loop)

    def call(self, function: Callable[..., None], *arguments: Any) -> None:
        """Calls a function in the loop's thread, from any thread, in the order of these calls."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def working(self) -> bool:
        """Whether the loop has turned since this was last asked."""
        turned = self._ticks != self._ticks_seen
        self._ticks_seen = self._ticks
        return turned

    def close(self) -> None:
        """Cancels what runs, waits for its end and ends the thread."""
        asyncio.run_coroutine_threadsafe(_cancel_others(), self._loop).result(2 * _CANCEL_GRACE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._loop.close()

    async def _cancellable(self, coroutine: Coroutine[Any, Any, T], cancel: CancelToken) -> T:
        task = asyncio.ensure_future(coroutine)

        def cancel_task() -> None:
            self._loop.call_soon_threadsafe(task.cancel)

        cancel.on_cancel(cancel_task)
        return await task

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._tick()
        self._loop.run_forever()

    def _tick(self) -> None:
        self._ticks += 1
        self._loop.call_later(_TICK, self._tick)


async def in_thread(call: Callable[[CancelToken], T], workers: Executor | None = None) -> T:
    """Runs a blocking call in a worker thread; cancelling this cancels the token the call was given.

    A thread cannot be interrupted, so the call gets a moment to notice before it is left behind.

    Args:
        call: What to run.
        workers: Threads for what must not wait behind other calls; None: those that all calls share.
    """
    token = CancelToken()
    work = asyncio.get_running_loop().run_in_executor(workers, call, token)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        token.cancel()
        await asyncio.wait({work}, timeout=_CANCEL_GRACE)
        raise


class LongCalls:
    """Runs calls of one kind side by side, and refuses one too many.

    In the threads that short calls share, as many of these would keep back whatever is asked next: the very answer to
    the question for which they wait, too. Use it from the event loop.

    Args:
        kind: What they are, in the plural, for people.
        capacity: So many at once.
    """

    def __init__(self, kind: str, capacity: int) -> None:
        self._kind = kind
        self._capacity = capacity
        self._running = 0
        self._workers = ThreadPoolExecutor(capacity, thread_name_prefix=kind.replace(" ", "_"))

    async def run(self, call: Callable[[CancelToken], T]) -> T:
        """Runs a blocking call; cancelling this cancels the token the call was given.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: too many run already.
        """
        if self._running >= self._capacity:
            message = f"{self._running} {self._kind} are under way already; try again when one has ended."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        self._running += 1
        try:
            return await in_thread(call, self._workers)
        finally:
            self._running -= 1


class Worker:
    """Does one thing after another. What is offered is done only if nothing newer was offered meanwhile.

    Args:
        name: Of the thread.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._offered: Callable[[], None] | None = None
        self._running: Future[None] | None = None
        self._pulse: Future[None] = self._pool.submit(_nothing)
        self._pulse_due = time.monotonic() + WORKER_PATIENCE

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Does this in its turn, whatever comes after it."""
        return self._pool.submit(work)

    def offer(self, work: Callable[[], None]) -> None:
        """Does this next, unless something else is offered before its turn.

        Raises:
            Exception: What the work before raised: a bug ends the node, instead of going unseen.
        """
        with self._lock:
            self._offered = work
            if self._running is not None and not self._running.done():
                return
            before, self._running = self._running, self._pool.submit(self._do_offered)
        if before is not None:
            before.result()

    def alive(self) -> bool:
        """Whether the thread still comes to its turns; to be asked now and then."""
        if self._pulse.done():
            self._pulse, self._pulse_due = self._pool.submit(_nothing), time.monotonic() + WORKER_PATIENCE
        return time.monotonic() < self._pulse_due

    def close(self) -> None:
        """Finishes what was submitted, and takes no more."""
        self._pool.shutdown()

    def _do_offered(self) -> None:
        while True:
            with self._lock:
                work, self._offered = self._offered, None
                if work is None:
                    self._running = None
                    return
            work()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_CANCEL_GRACE)


def _nothing() -> None:
    """Takes its turn."""
