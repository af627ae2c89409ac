import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from rclpy.client import Client
from reachy_agent_msgs.srv import DetectObjects

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.slow_service import SlowService
from support.nodes.node_process import Ros
from support.waiting import wait_until

Begin = Callable[[DetectObjects.Request], Future[DetectObjects.Response]]


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
    wait_until(future.done, 10.0, "an answer")
    return future.result()


def test_it_answers_when_the_work_is_done_and_not_before(serve) -> None:
    works: list[Future[DetectObjects.Response]] = []

    def begin(_request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        works.append(Future())
        return works[-1]

    client = serve(begin)
    future = client.call_async(DetectObjects.Request())
    wait_until(lambda: bool(works), 20.0, "the work to begin")
    assert not future.done()
    works[0].set_result(DetectObjects.Response(error_msg="seen"))
    assert answer(future).error_msg == "seen"


def test_every_question_gets_the_answer_to_itself(serve) -> None:
    works: dict[str, Future[DetectObjects.Response]] = {}

    def begin(request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        return works.setdefault(request.labels[0], Future())

    client = serve(begin)
    names = ["duck", "apple", "croissant"]
    futures = {name: client.call_async(DetectObjects.Request(labels=[name])) for name in names}
    wait_until(lambda: len(works) == len(names), 20.0, "all the work to begin")
    for name in reversed(names):
        works[name].set_result(DetectObjects.Response(error_msg=name))
    assert {name: answer(future).error_msg for name, future in futures.items()} == {name: name for name in names}


def test_an_error_of_the_work_is_the_answer(serve) -> None:
    def fail() -> DetectObjects.Response:
        raise AgentError(ErrorCode.NOT_FOUND, "Nothing there.")

    with ThreadPoolExecutor() as worker:
        client = serve(lambda _request: worker.submit(fail))
        response = answer(client.call_async(DetectObjects.Request()))
    assert (response.error_code, response.error_msg) == (ErrorCode.NOT_FOUND, "Nothing there.")


def test_a_question_that_is_refused_is_answered_with_the_reason(serve) -> None:
    def refuse(_request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        raise AgentError(ErrorCode.INVALID_GOAL, "Nonsense.")

    client = serve(refuse)
    response = answer(client.call_async(DetectObjects.Request()))
    assert (response.error_code, response.error_msg) == (ErrorCode.INVALID_GOAL, "Nonsense.")
