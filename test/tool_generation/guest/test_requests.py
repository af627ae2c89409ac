from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.guest import host, requests
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.context import ToolContext
from support.robot.direct_link import DirectLink
from support.web_server import Answer, serving


def answer(path: str) -> Answer:
    if path.startswith("/weather"):
        body = json.dumps({"path": path, "t": "21 °C"}, ensure_ascii=False)
        return Answer(body.encode(), 200, {"Content-Type": "application/json"})
    if path == "/latin":
        return Answer("Grüße".encode("latin-1"), 200, {"Content-Type": "text/plain; charset=ISO-8859-1"})
    return Answer(b"not here", 404)


@pytest.fixture
def url(tmp_path: Path) -> Any:
    with serving(answer) as url:
        body = RecordingBody()
        equipment = Equipment(tmp_path, Fetcher([url.removeprefix("http://")]))
        broker = Broker(body, ToolContext(body, Deadline(30.0), lambda _progress: None), equipment, {Need.WEB})
        host.connect(DirectLink(broker.answer))
        yield url
        broker.close()


def test_requests_module_fetches_json_from_allowed_host(url: str) -> None:
    parameters = {"city": "Rome & Milan", "days": [1, 2], "none": None}
    response = requests.get(f"{url}/weather", params=parameters, headers={"Accept": "application/json"}, timeout=(1, 2))
    assert response.json() == {"path": "/weather?city=Rome+%26+Milan&days=1&days=2", "t": "21 °C"}
    assert (response.status_code, response.ok) == (200, True)
    assert response.headers["Content-Type"] == response.headers.get("content-type") == "application/json"
    assert "CONTENT-TYPE" in response.headers


def test_response_text_uses_encoding_sent_by_server(url: str) -> None:
    assert requests.get(f"{url}/latin").text == "Grüße"


def test_http_error_status_raises_only_in_raise_for_status(url: str) -> None:
    response = requests.get(f"{url}/missing")
    assert (response.ok, response.text) == (False, "not here")
    with pytest.raises(requests.HTTPError, match="404") as caught:
        response.raise_for_status()
    assert caught.value.response is response
    with pytest.raises(requests.exceptions.JSONDecodeError):
        response.json()


@pytest.mark.parametrize("place", ["http://example.org/", "http://169.254.169.254/latest", "file:///etc/passwd"])
def test_requests_module_rejects_urls_of_sites_without_permission(url: str, place: str) -> None:
    with pytest.raises(requests.RequestException, match=r"INVALID_ARGUMENTS|APPROVAL_REQUIRED"):
        requests.get(place)


def test_error_for_missing_requests_attribute_lists_available_attributes(url: str) -> None:
    with pytest.raises(AttributeError, match=r"requests\.post is not available in a tool; available: .*get"):
        requests.post  # noqa: B018 - the attribute itself is missing
    with pytest.raises(TypeError, match="verify"):
        requests.get(url, verify=False)  # type: ignore[call-arg] # as in a tool written for the real requests library
