"""Threads beside the ROS executor: an asyncio event loop, blocking calls from coroutines, and a worker thread."""

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
"""Period of the loop's liveness counter, s."""

_THREADS = 32
"""Maximum number of concurrent blocking calls. Waiting tools could use up the default, which is slightly above the
number of cores, and thereby block a stop."""

_CANCEL_GRACE = 1.0
"""Time for a cancelled call to end before it is abandoned, s."""

Result = TypeVar("Result")

WORKER_PATIENCE = 2.0
"""Time after which a busy thread counts as unresponsive, s. On a busy machine, a picture can take half of it."""


class EventLoop:
    """Asyncio event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._workers = ThreadPoolExecutor(_THREADS, thread_name_prefix="call")
        self._loop.set_default_executor(self._workers)
        self._ticks = 0
        self._ticks_seen = -1
        self._thread = threading.Thread(target=self._run, name="event_loop", daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, T], cancel: CancelToken | None = None) -> Future[T]:
        """Starts a coroutine in the event loop. Thread-safe.

        Args:
            coroutine: Coroutine to run.
            cancel: Token that cancels the task. Unlike cancelling the future, this leaves the result to the coroutine.
        """
        return asyncio.run_coroutine_threadsafe(self._cancellable(coroutine, cancel or CancelToken()), self._loop)

    def call(self, function: Callable[..., None], *arguments: Any) -> None:
        """Schedules a function call in the loop's thread. Calls run in the order of scheduling. Thread-safe."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def working(self) -> bool:
        """Returns whether the loop has made progress since the previous call."""
        turned = self._ticks != self._ticks_seen
        self._ticks_seen = self._ticks
        return turned

    def close(self) -> None:
        """Cancels all tasks, waits up to `_CANCEL_GRACE` until they have ended, and stops the thread."""
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
    """Runs a blocking call in a worker thread. Cancelling the coroutine cancels the call's token.

    A thread cannot be interrupted, so the call has `_CANCEL_GRACE` to react before it is abandoned.

    Args:
        call: Function to run.
        workers: Separate threads for calls that must not wait for others; None for the loop's shared threads.
    """
    token = CancelToken()
    work = asyncio.get_running_loop().run_in_executor(workers, call, token)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        # A cancelled call ends with an error. If nobody retrieved it, asyncio would log it with a traceback.
        work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        token.cancel()
        await asyncio.wait({work}, timeout=_CANCEL_GRACE)
        raise


class LongCalls:
    """Runs long calls of one kind, at most `capacity` at a time. Use in the event loop.

    In the threads that short calls share, long calls could block all others, including the response that they wait for.

    Args:
        kind: Kind of calls for error messages, in the plural.
        capacity: Maximum number of concurrent calls.
    """

    def __init__(self, kind: str, capacity: int) -> None:
        self._kind = kind
        self._capacity = capacity
        self._running = 0
        self._workers = ThreadPoolExecutor(capacity, thread_name_prefix=kind.replace(" ", "_"))

    async def run(self, call: Callable[[CancelToken], T]) -> T:
        """Runs a blocking call. Cancelling the coroutine cancels the call's token.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if `capacity` calls are running, or an error of the call.
        """
        if self._running >= self._capacity:
            message = f"{self._running} {self._kind} are already running. Try again when one has ended."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        self._running += 1
        try:
            return await in_thread(call, self._workers)
        finally:
            self._running -= 1


class Worker:
    """Worker thread that runs one task at a time. An offered task replaces an earlier one that has not begun.

    Args:
        name: Thread name.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._offered: Callable[[], None] | None = None
        self._running: Future[None] | None = None
        self._pulse: Future[None] = self._pool.submit(_nothing)
        self._pulse_due = time.monotonic() + WORKER_PATIENCE

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Queues a task. Later tasks do not replace the task."""
        return self._pool.submit(work)

    def offer(self, work: Callable[[], None]) -> None:
        """Runs a task next, unless another task is offered before it begins.

        Raises:
            Exception: Exception of the previous offered task, so that a bug ends the node instead of being lost.
        """
        with self._lock:
            self._offered = work
            if self._running is not None and not self._running.done():
                return
            before, self._running = self._running, self._pool.submit(self._do_offered)
        if before is not None:
            before.result()

    def alive(self) -> bool:
        """Returns whether the thread is responsive. Call this regularly."""
        if self._pulse.done():
            self._pulse, self._pulse_due = self._pool.submit(_nothing), time.monotonic() + WORKER_PATIENCE
        return time.monotonic() < self._pulse_due

    def close(self) -> None:
        """Finishes the queued tasks and stops the thread."""
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
    """Does nothing. If the worker thread has executed this function, the thread is responsive."""
