"""Sandbox that runs each tool in a new process. Some processes are started in advance."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Answer, Job, Limits, RunEnd
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend, SandboxTier
from reachy_agent_ros.tool_generation.sandbox.execution import execute
from reachy_agent_ros.tool_generation.sandbox.probes import ProbeResult
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess


class Sandbox:
    """Runs every tool in a separate process. `open_sandbox` verifies and creates a sandbox.

    Args:
        backend: Backend that isolates the processes.
        probes: Results of the self-test.
        overhead: Address space that a process takes before it runs any code, bytes.
        spares: Number of processes that are started in advance, with the default limits.
    """

    def __init__(self, backend: SandboxBackend, probes: Sequence[ProbeResult], overhead: int, spares: int) -> None:
        self._backend = backend
        self._overhead = overhead
        self._probes = tuple(probes)
        self._pool = Pool(self._start, spares)

    @property
    def tier(self) -> SandboxTier:
        """Tier of the sandbox."""
        return self._backend.tier

    @property
    def probes(self) -> tuple[ProbeResult, ...]:
        """Results of the self-test, all of which passed."""
        return self._probes

    def run(self, job: Job, answer: Answer, cancel: CancelToken) -> RunEnd:
        """Runs `job` in a separate process and waits for its end. Thread-safe.

        Args:
            job: Job to run.
            answer: Handles the job's requests, in this thread. It should end soon after `cancel`, and within the job's
                time.
            cancel: Token that kills the process.

        Returns:
            Outcome of the run. No action of the tool raises an exception here.
        """
        if cancel.cancelled:
            return RunEnd(error=AgentError(ErrorCode.CANCELED, "Canceled."))
        try:
            process = self._pool.take(job.limits)
        except AgentError as error:
            return RunEnd(error=error)
        try:
            end = execute(process, job, answer, cancel)
        finally:
            self._pool.retire(process)
        if self._pool.closed and end.error is not None and not cancel.cancelled:
            message = "The sandbox was closed before the tool ended. Run the tool again after the restart."
            return RunEnd(error=AgentError(ErrorCode.SHUTTING_DOWN, message), elapsed=end.elapsed)
        return end

    def close(self) -> None:
        """Ends all processes. Running jobs end with `SHUTTING_DOWN`.

        The thread of the pool ends, and with it every process that it has started.
        """
        self._pool.close()
        self._backend.close()

    def _start(self, limits: Limits) -> SandboxProcess:
        return SandboxProcess(self._backend, limits, self._overhead)


class Pool:
    """Pool of processes that are ready.

    One thread starts and reaps them, because a process ends together with the thread that started it.

    Args:
        start: Function that starts a process.
        spares: Number of processes that are started in advance, with the default limits. Others are started on demand.
    """

    def __init__(self, start: Callable[[Limits], SandboxProcess], spares: int) -> None:
        self._start = start
        self._wanted = spares
        self._limits = Limits()
        self._spares: deque[SandboxProcess] = deque()
        self._lock = threading.Lock()
        self._closed = False
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._keeper = threading.Thread(target=self._keep, name="sandbox keeper", daemon=True)
        self._keeper.start()
        self._tasks.put(self._refill)

    @property
    def closed(self) -> bool:
        """Whether the pool is closed."""
        with self._lock:
            return self._closed

    def take(self, limits: Limits) -> SandboxProcess:
        """Returns a process that is ready. The caller must pass it to `retire` after use.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`: no process starts. `SHUTTING_DOWN`: the pool is closed.
        """
        while spare := self._spare(limits):
            if self._is_ready(spare):
                return spare
        process = self._new(limits)
        try:
            process.await_ready(hurry=True)
        except AgentError:
            self.retire(process)
            raise
        return process

    def retire(self, process: SandboxProcess) -> None:
        """Kills a process immediately. A thread of the pool waits for its end."""
        process.kill()
        with self._lock:
            if not self._closed:
                self._tasks.put(process.reap)
                return
        process.reap()

    def close(self) -> None:
        """Ends the spare processes and the thread of the pool, and waits for their end. Processes in use end too."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._tasks.put(None)
        self._keeper.join()

    def _spare(self, limits: Limits) -> SandboxProcess | None:
        with self._lock:
            if limits != self._limits or not self._spares or self._closed:
                return None
            self._tasks.put(self._refill)
            return self._spares.popleft()

    def _is_ready(self, process: SandboxProcess) -> bool:
        try:
            process.await_ready(hurry=True)
        except AgentError:  # it died while waiting; the next start will show whether processes start at all
            self.retire(process)
            return False
        return True

    def _new(self, limits: Limits) -> SandboxProcess:
        future: Future[SandboxProcess] = Future()

        def start() -> None:
            try:
                future.set_result(self._started(limits))
            except AgentError as error:
                future.set_exception(error)

        with self._lock:
            if self._closed:
                raise AgentError(ErrorCode.SHUTTING_DOWN, "The sandbox is closed.")
            self._tasks.put(start)
        return future.result()

    def _started(self, limits: Limits) -> SandboxProcess:
        try:
            return self._start(limits)
        except OSError as error:  # for example, no descriptors left; the keeper must survive this
            raise AgentError(
                ErrorCode.SANDBOX_UNAVAILABLE, f"The sandbox process does not start: {error.strerror}."
            ) from error

    def _refill(self) -> None:
        while len(self._spares) < self._wanted:
            try:
                process = self._started(self._limits)
            except AgentError:  # the next caller gets the error when a process is started on demand
                return
            with self._lock:
                self._spares.append(process)

    def _keep(self) -> None:
        while task := self._tasks.get():
            task()
        for process in self._spares:
            process.reap()
        self._spares.clear()
