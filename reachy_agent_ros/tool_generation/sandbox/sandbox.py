"""Runs tools in boxes."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Answer, Job, RunEnd
from reachy_agent_ros.tool_generation.limits import Limits
from reachy_agent_ros.tool_generation.sandbox.box import Box
from reachy_agent_ros.tool_generation.sandbox.enclosure import Enclosure
from reachy_agent_ros.tool_generation.sandbox.execution import execute
from reachy_agent_ros.tool_generation.sandbox.pool import Pool
from reachy_agent_ros.tool_generation.sandbox.probes import ProbeResult
from reachy_agent_ros.tool_generation.sandbox.tier import Tier


class Sandbox:
    """A fresh box for every run. `open_sandbox` makes one, after it has proven it.

    Args:
        enclosure: How boxes are closed.
        probes: What proved it.
        overhead: bytes of address space that a box takes before it runs anything.
        spares: Boxes that wait, with the usual limits.
    """

    def __init__(self, enclosure: Enclosure, probes: Sequence[ProbeResult], overhead: int, spares: int) -> None:
        self._enclosure = enclosure
        self._overhead = overhead
        self._probes = tuple(probes)
        self._pool = Pool(self._start, spares)

    @property
    def tier(self) -> Tier:
        """Which kind of box it has."""
        return self._enclosure.tier

    @property
    def probes(self) -> tuple[ProbeResult, ...]:
        """What was tried to prove it, and stopped."""
        return self._probes

    def run(self, job: Job, answer: Answer, cancel: CancelToken) -> RunEnd:
        """Runs `job` in a box of its own; any thread may call it, and it blocks until the run has ended.

        Args:
            job: What to run.
            answer: Answers its calls, in this thread. It should end soon after `cancel`, and within the job's time.
            cancel: Kills the box.

        Returns:
            How it ended; nothing that the tool does raises.
        """
        if cancel.cancelled:
            return RunEnd(error=AgentError(ErrorCode.CANCELED, "Cancelled."))
        try:
            box = self._pool.take(job.limits)
        except AgentError as error:
            return RunEnd(error=error)
        try:
            return execute(box, job, answer, cancel)
        finally:
            self._pool.retire(box)

    def close(self) -> None:
        """Ends the spares; returns when no process is left. Runs under way end by themselves."""
        self._pool.close()
        self._enclosure.close()

    def _start(self, limits: Limits) -> Box:
        return Box(self._enclosure, limits, self._overhead)
