from __future__ import annotations

import threading
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import pytest
import rclpy.task
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.client import Client
from rclpy.context import Context
from rclpy.service import Service
from reachy_agent_msgs.srv import DetectObjects
from std_srvs.srv import SetBool

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.rclpy_ext import service_server
from reachy_agent_ros.ros.rclpy_ext.process import EventlessNode, create_executor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.ros.rclpy_ext.service_server import LateAnswers, SlowService
from support.nodes.node_process import Ros
from support.waiting import wait_until

Begin = Callable[[DetectObjects.Request], Future[DetectObjects.Response]]

DROPPED = "failed to send response (timeout): client will not receive response"
"""Warning of rclpy if the middleware has not discovered the client of a response."""

Ask = Callable[[bool], Any]

BUSY = 200
"""Iterations per second that show busy-waiting. An executor that waits for work iterates about 12 times per second."""


@pytest.fixture
def serve(ros: Ros) -> Callable[[Begin], Client[Any, Any]]:
    kept: list[SlowService] = []

    def start(begin: Begin) -> Client[Any, Any]:
        name = f"slow_{uuid.uuid4().hex}"
        kept.append(SlowService(ros.node, DetectObjects, name, begin))
        client = ros.node.create_client(DetectObjects, name)
        assert client.wait_for_service(10.0)
        return client

    return start


def answer(future: Any) -> DetectObjects.Response:
    wait_until(future.done, "an answer")
    return future.result()


def test_slow_service_responds_when_its_future_completes(serve) -> None:
    works: list[Future[DetectObjects.Response]] = []

    def begin(_request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        works.append(Future())
        return works[-1]

    client = serve(begin)
    future = client.call_async(DetectObjects.Request())
    wait_until(lambda: bool(works), "the work to begin")
    assert not future.done()
    works[0].set_result(DetectObjects.Response(error_msg="seen"))
    assert answer(future).error_msg == "seen"


def test_each_concurrent_request_receives_its_own_response(serve) -> None:
    works: dict[str, Future[DetectObjects.Response]] = {}

    def begin(request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        return works.setdefault(request.labels[0], Future())

    client = serve(begin)
    names = ["duck", "apple", "croissant"]
    futures = {name: client.call_async(DetectObjects.Request(labels=[name])) for name in names}
    wait_until(lambda: len(works) == len(names), "all the work to begin")
    for name in reversed(names):
        works[name].set_result(DetectObjects.Response(error_msg=name))
    assert {name: answer(future).error_msg for name, future in futures.items()} == {name: name for name in names}


def test_slow_service_returns_error_of_its_future_in_response(serve) -> None:
    def fail() -> DetectObjects.Response:
        raise AgentError(ErrorCode.NOT_FOUND, "Nothing there.")

    with ThreadPoolExecutor() as worker:
        client = serve(lambda _request: worker.submit(fail))
        response = answer(client.call_async(DetectObjects.Request()))
    assert (response.error_code, response.error_msg) == (ErrorCode.NOT_FOUND, "Nothing there.")


def test_slow_service_returns_error_raised_by_begin_in_response(serve) -> None:
    def refuse(_request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        raise AgentError(ErrorCode.INVALID_GOAL, "Nonsense.")

    client = serve(refuse)
    response = answer(client.call_async(DetectObjects.Request()))
    assert (response.error_code, response.error_msg) == (ErrorCode.INVALID_GOAL, "Nonsense.")


class Executing:
    """Node whose executor runs only when the test calls it."""

    def __init__(self, context: Context) -> None:
        self.node = EventlessNode("executing", namespace=NAMESPACE, context=context)
        self.executor = create_executor(context)
        self.executor.add_node(self.node)

    def close(self) -> None:
        self.executor.shutdown()
        self.node.destroy_node()

    def ask(self, ros: Ros, kind: type, name: str, begun: Callable[[], bool]) -> None:
        """Sends a request from another node and spins until the service has begun to handle it."""
        client = ros.node.create_client(kind, name)
        wait_until(client.service_is_ready, "the service")
        client.call_async(kind.Request())  # type: ignore[attr-defined]
        wait_until(lambda: self.turns(1) > 0 and begun(), "the service to begin")
        ros.node.destroy_client(client)

    def turns(self, most: int) -> int:
        """Returns how often `spin_once` returns within one second. The count stops at `most`."""
        deadline = Deadline(1.0)
        count = 0
        while count < most and not deadline.passed:
            self.executor.spin_once(timeout_sec=0.1)
            count += 1
        return count


@pytest.fixture
def executing(ros: Ros) -> Iterator[Executing]:
    executing = Executing(ros.node.context)
    yield executing
    executing.close()


@pytest.mark.skipif(find_spec("rclpy.experimental") is None, reason="this rclpy has no EventsExecutor")
def test_waiting_coroutine_keeps_rclpy_executor_busy(ros: Ros, executing: Executing) -> None:
    begun: list[bool] = []

    async def serve(_request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        begun.append(True)
        await rclpy.task.Future(executor=executing.executor)
        return response

    executing.node.create_service(SetBool, "coroutine", serve)
    executing.ask(ros, SetBool, "coroutine", lambda: bool(begun))
    assert executing.turns(BUSY) == BUSY, "rclpy waits for work now: see the README of rclpy_ext"


def test_waiting_slow_service_leaves_executor_idle(ros: Ros, executing: Executing) -> None:
    works: list[Future[DetectObjects.Response]] = []

    def begin(_request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        works.append(Future())
        return works[-1]

    SlowService(executing.node, DetectObjects, "slow", begin)
    executing.ask(ros, DetectObjects, "slow", lambda: bool(works))
    assert executing.turns(BUSY) < BUSY


def test_parameter_of_unknown_type_crashes_rclpy_node(ros: Ros, executing: Executing) -> None:
    client = ros.node.create_client(SetParameters, "executing/set_parameters")
    wait_until(client.service_is_ready, "the service")
    client.call_async(SetParameters.Request(parameters=[Parameter(value=ParameterValue(type=255))]))
    with pytest.raises(ValueError, match="255"):
        wait_until(lambda: executing.turns(1) == 0, "the request")
    ros.node.destroy_client(client)


def test_middleware_drops_response_to_undiscovered_client(
    ros: Ros, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_server, "PATIENCE", 0.2)
    service = ros.node.create_service(SetBool, "unmatched", lambda _request, response: response)
    LateAnswers(lost.append).of(service)
    # The client's QoS profile is incompatible with that of the service, so it is never matched.
    client = ros.node.create_client(SetBool, "unmatched", qos_profile=LATCHED)
    answers: list[Any] = []

    def is_lost() -> bool:
        answers.append(client.call_async(SetBool.Request()))
        return bool(lost)

    wait_until(is_lost, "the loss")
    assert lost[0] == "A response of unmatched is lost: the middleware has not discovered the client."
    assert not any(answer.done() for answer in answers)
    ros.node.destroy_client(client)
    ros.node.destroy_service(service)


@pytest.mark.usefixtures("another_middleware")
def test_services_behave_as_in_rclpy_with_another_middleware(
    ros: Ros, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warnings, "showwarning", shown := warnings.showwarning)
    service = ros.node.create_service(SetBool, "plain", lambda _request, response: response)
    before = service.send_response
    answers = LateAnswers(lost.append)
    answers.of(service)
    assert service.send_response == before
    assert warnings.showwarning is shown
    client = ros.node.create_client(SetBool, "plain")
    wait_until(client.service_is_ready, "the service")
    wait_until(client.call_async(SetBool.Request()).done, "the answer")
    monkeypatch.setattr(service_server, "time", clock := Clock())
    answers.let_arrive()
    assert clock.now == 100.0, "the node waited before leaving"
    ros.node.destroy_client(client)
    ros.node.destroy_service(service)


class Middleware:
    """Drops responses with `success=False`, like the middleware before it has discovered the client."""

    def __init__(self, service: Service[Any, Any]) -> None:
        self._send = service.send_response
        service.send_response = self._send_or_drop  # type: ignore[method-assign]
        self.knows = False
        self.attempts = 0

    def _send_or_drop(self, response: Any, header: Any) -> None:
        if response.success or self.knows:
            self._send(response, header)
            return
        self.attempts += 1
        warnings.warn(DROPPED, RuntimeWarning, stacklevel=1)


@pytest.fixture
def lost() -> list[str]:
    """List of responses that were reported as lost."""
    return []


@pytest.fixture
def middleware(ros: Ros, lost: list[str]) -> Iterator[Middleware]:
    def serve(request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success = request.data
        return response

    service = ros.node.create_service(SetBool, "late", serve)
    middleware = Middleware(service)
    LateAnswers(lost.append).of(service)
    yield middleware
    ros.node.destroy_service(service)


@pytest.fixture
def ask(ros: Ros, middleware: Middleware) -> Iterator[Ask]:
    """Function that calls the service and returns a future for the response.

    The response to a request with `False` is dropped.
    """
    client = ros.node.create_client(SetBool, "late")
    wait_until(client.service_is_ready, "the service")
    yield lambda data: client.call_async(SetBool.Request(data=data))
    ros.node.destroy_client(client)


def test_response_is_resent_until_client_is_discovered(ask: Ask, middleware: Middleware, lost: list[str]) -> None:
    answer = ask(False)
    wait_until(lambda: middleware.attempts > 2, "further attempts")
    other = ask(True)
    wait_until(other.done, "an answer to somebody else")
    assert not answer.done()
    middleware.knows = True
    wait_until(answer.done, "the answer that was late")
    assert not answer.result().success
    assert lost == []


def test_many_dropped_responses_are_delivered_eventually(ask: Ask, middleware: Middleware) -> None:
    for _ in range(2):
        middleware.knows = False
        before = middleware.attempts
        answers = [ask(False) for _ in range(5)]
        wait_until(lambda before=before: middleware.attempts > before + 10, "further attempts")
        middleware.knows = True
        wait_until(lambda answers=answers: all(answer.done() for answer in answers), "all of the answers")


def test_response_to_client_that_stays_undiscovered_is_reported_lost(
    ask: Ask, middleware: Middleware, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_server, "PATIENCE", 0.2)
    ask(False)
    wait_until(lambda: bool(lost), "the loss")
    attempts = middleware.attempts
    assert lost == ["A response of late is lost: the middleware has not discovered the client."]
    middleware.knows = True
    wait_until(ask(False).done, "an answer to somebody who is known")
    assert middleware.attempts == attempts > 1


def test_number_of_responses_to_resend_is_limited(
    ask: Ask, middleware: Middleware, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_server, "AT_ONCE", 2)
    answers = [ask(False) for _ in range(3)]
    wait_until(lambda: bool(lost), "the loss of one")
    middleware.knows = True
    wait_until(lambda: sum(answer.done() for answer in answers) == 2, "the two that waited")


def test_responses_of_destroyed_service_are_not_resent(ros: Ros, lost: list[str]) -> None:
    service = ros.node.create_service(SetBool, "leaving", lambda _request, response: response)
    middleware = Middleware(service)
    LateAnswers(lost.append).of(service)
    client = ros.node.create_client(SetBool, "leaving")
    wait_until(client.service_is_ready, "the service")
    client.call_async(SetBool.Request())
    wait_until(lambda: middleware.attempts > 0, "an attempt")
    ros.node.destroy_service(service)
    middleware.knows = True
    wait_until(lambda: "late answers" not in [thread.name for thread in threading.enumerate()], "the last attempt")
    ros.node.destroy_client(client)
    assert lost == []


class Clock:
    """Replacement of the module `time` with a clock that advances only while a caller sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_node_waits_until_response_is_delivered_before_shutdown(
    ros: Ros, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_server, "time", clock := Clock())
    service = ros.node.create_service(SetBool, "leaving", lambda _request, response: response)
    answers = LateAnswers(lost.append)
    answers.of(service)
    answers.let_arrive()
    assert clock.now == 100.0, "no response was sent"
    client = ros.node.create_client(SetBool, "leaving")
    wait_until(client.service_is_ready, "the service")
    wait_until(client.call_async(SetBool.Request()).done, "the answer")
    clock.sleep(service_server.ARRIVAL / 2)
    answers.let_arrive()
    assert clock.now == pytest.approx(100.0 + service_server.ARRIVAL)
    answers.let_arrive()
    assert clock.now == pytest.approx(100.0 + service_server.ARRIVAL), "the response had already arrived"
    ros.node.destroy_client(client)
    ros.node.destroy_service(service)


def test_warnings_of_other_code_are_not_suppressed(recwarn: pytest.WarningsRecorder, middleware: Middleware) -> None:
    warnings.warn("another warning", RuntimeWarning, stacklevel=1)
    assert [str(shown.message) for shown in recwarn] == ["another warning"]
