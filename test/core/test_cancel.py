import threading

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.waiting import wait_until


def test_new_cancel_token_is_not_cancelled() -> None:
    token = CancelToken()
    token.raise_if_cancelled()
    assert not token.cancelled
    assert not token.wait(0.0)


def test_cancelled_token_raises_canceled_error() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(AgentError) as caught:
        token.raise_if_cancelled()
    assert caught.value.code is ErrorCode.CANCELED


def test_cancel_ends_wait_in_another_thread() -> None:
    token = CancelToken()
    woken: list[bool] = []
    waiter = threading.Thread(target=lambda: woken.append(token.wait(60.0)))
    waiter.start()
    token.cancel()
    wait_until(lambda: bool(woken), "the waiter to wake")
    waiter.join()
    assert woken == [True]


def test_cancel_callback_runs_once_on_repeated_cancel() -> None:
    token = CancelToken()
    calls: list[str] = []
    token.on_cancel(lambda: calls.append("called"))
    assert calls == []
    token.cancel()
    token.cancel()
    assert calls == ["called"]


def test_callback_added_after_cancel_runs_at_once() -> None:
    token = CancelToken()
    token.cancel()
    calls: list[str] = []
    token.on_cancel(lambda: calls.append("called"))
    assert calls == ["called"]


def test_cancel_callback_may_add_another_callback() -> None:
    token = CancelToken()
    calls: list[str] = []
    token.on_cancel(lambda: token.on_cancel(lambda: calls.append("inner")))
    token.cancel()
    assert calls == ["inner"]
