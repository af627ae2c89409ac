"""Topic and service for background jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future

from reachy_agent_msgs.msg import Job as JobMessage
from reachy_agent_msgs.msg import JobList
from reachy_agent_msgs.srv import ChangeJob

from reachy_agent_ros.agent.jobs.job import Job, JobState
from reachy_agent_ros.agent.jobs.job_runner import JobRunner
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

STATES = tuple(JobState)
"""States in the order of the constants of the message `Job`."""


class JobServices:
    """Publishes the background jobs, and serves requests to change them on the agent's event loop.

    Args:
        node: Node that publishes and serves.
        runner: Runs the jobs.
        loop: Event loop of the agent.
    """

    def __init__(self, node: AgentNode, runner: JobRunner, loop: EventLoop) -> None:
        self._node = node
        self._runner = runner
        self._loop = loop
        self._changes: Mapping[int, Callable[[int], Awaitable[Job]]] = {
            ChangeJob.Request.CANCEL: runner.cancel,
            ChangeJob.Request.PAUSE: runner.pause,
            ChangeJob.Request.RESUME: runner.resume,
        }
        self._publisher = node.create_publisher(JobList, names.JOBS, LATCHED)
        self._service = SlowService(node, ChangeJob, names.CHANGE_JOB, self._submit)
        self.publish()

    def publish(self) -> None:
        """Publishes all jobs."""
        jobs = [self._message(job) for job in self._runner.queue.jobs()]
        self._publisher.publish(JobList(header=self._node.header(), jobs=jobs))

    def _submit(self, request: ChangeJob.Request) -> Future[ChangeJob.Response]:
        return self._loop.submit(self._change(request))

    async def _change(self, request: ChangeJob.Request) -> ChangeJob.Response:
        change = self._changes.get(request.change)
        if change is None:
            message = f"Invalid change {request.change}: expected 0 to {max(self._changes)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return ChangeJob.Response(job=self._message(await change(request.id)))

    def _message(self, job: Job) -> JobMessage:
        has_result = not job.state.is_active and job.state is not JobState.CANCELED
        return JobMessage(
            id=job.identity,
            kind=job.kind,
            description=self._runner.description(job, job.language),
            state=STATES.index(job.state),
            progress=job.progress,
            status=job.status,
            result=self._runner.announcement(job) if has_result else "",
            language=job.language,
            created=stamp_message(job.created),
            ended=stamp_message(job.ended),
        )
