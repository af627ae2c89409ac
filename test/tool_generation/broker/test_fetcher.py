from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.fetcher import LARGEST, Fetcher, Page, is_public
from reachy_agent_ros.tool_generation.broker.site import Site, destination
from support.web_server import Answer, serving


def fetched(fetcher: Fetcher, url: str, timeout: float | None = None, **headers: str) -> Page:
    return fetcher.get(url, headers, timeout, CancelToken())


def refusal(fetcher: Fetcher, url: str, timeout: float | None = None, **headers: str) -> AgentError:
    with pytest.raises(AgentError) as caught:
        fetched(fetcher, url, timeout, **headers)
    return caught.value


def site(url: str) -> str:
    return url.removeprefix("http://")


def test_fetched_page_contains_only_descriptive_headers() -> None:
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return Answer(b'{"t": 21}', 200, {"Content-Type": "application/json", "Set-Cookie": "a=b"})

    with serving(answer) as url:
        page = fetched(Fetcher([site(url)]), f"{url}/now?city=Rome#there", Accept="application/json")
    assert (page.status, page.body, asked) == (200, b'{"t": 21}', ["/now?city=Rome"])
    assert page.headers["content-type"] == "application/json"
    assert "set-cookie" not in page.headers


def test_fetcher_returns_http_error_pages() -> None:
    with serving(lambda _path: Answer(b"no", 404)) as url:
        assert fetched(Fetcher([site(url)]), url).status == 404


def test_fetcher_ignores_proxy_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with serving(lambda _path: Answer(b"direct")) as url:
        assert fetched(Fetcher([site(url)]), url).body == b"direct"


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "2002:7f00:1::"),
        *("64:ff9b::7f00:1", "2001:0:7f00:1::", "::"),
    ],
)
def test_fetcher_rejects_host_name_that_resolves_to_private_address(address: str) -> None:
    def resolve(_host: str, _port: int, _deadline: Deadline) -> list[str]:
        return ["93.184.216.34", address]

    error = refusal(Fetcher(["api.example.org"], resolve), "http://api.example.org/")
    assert error.code is ErrorCode.INVALID_ARGUMENTS
    assert "private" in error.message


@pytest.mark.parametrize("host", ["[fd12::5]", "printer.example.org"])
def test_error_for_private_address_names_site_that_allows_it(host: str) -> None:
    def resolve(_host: str, _port: int, _deadline: Deadline) -> list[str]:
        return ["fd12::5"]

    message = refusal(Fetcher([host], resolve), f"http://{host}/").message
    allowed = Site.read(message.rpartition("a person may allow ")[2])
    assert destination(f"http://{host}/", [allowed]).private


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822"])
def test_addresses_of_public_servers_are_public(address: str) -> None:
    assert is_public(address)


def test_fetcher_connects_to_address_that_it_checked() -> None:
    """Prevents DNS rebinding: the host name is resolved exactly once, and the connection uses the resolved address."""
    asked: list[str] = []

    def resolve(host: str, _port: int, _deadline: Deadline) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    with serving(lambda _path: Answer(b"here")) as url:
        name = f"robot.invalid:{url.rpartition(':')[2]}"
        assert fetched(Fetcher([name], resolve), f"http://{name}/").body == b"here"
    assert asked == ["robot.invalid"]


def test_fetcher_follows_redirects_only_to_allowed_addresses() -> None:
    def answer(path: str) -> Answer:
        if path == "/within":
            return Answer(b"", 302, {"Location": "/there"})
        if path == "/round":
            return Answer(b"", 301, {"Location": "/round"})
        if path == "/out":
            return Answer(b"", 307, {"Location": "http://127.0.0.1:1/secret"})
        return Answer(b"arrived")

    with serving(answer) as url:
        fetcher = Fetcher([site(url)])
        page = fetched(fetcher, f"{url}/within")
        assert (page.body, page.url) == (b"arrived", f"{url}/there")
        assert "redirects too many times" in refusal(fetcher, f"{url}/round").message
        error = refusal(fetcher, f"{url}/out")
    assert error.code is ErrorCode.SERVER_UNAVAILABLE
    assert "redirects to an address" in error.message


def test_fetcher_rejects_large_or_compressed_response() -> None:
    def answer(path: str) -> Answer:
        return Answer(b"x" * (LARGEST + 1)) if path == "/large" else Answer(b"x", 200, {"Content-Encoding": "gzip"})

    with serving(answer) as url:
        fetcher = Fetcher([site(url)])
        assert "more than" in refusal(fetcher, f"{url}/large").message
        assert "compressed" in refusal(fetcher, f"{url}/gzip").message


def test_timeout_or_cancel_ends_fetch_from_slow_server() -> None:
    held = threading.Event()
    with serving(lambda _path: Answer(b"late", after=held)) as url:
        fetcher = Fetcher([site(url)])
        assert refusal(fetcher, url, timeout=0.1).code is ErrorCode.TIMEOUT
        cancel = CancelToken()
        threading.Timer(0.1, cancel.cancel).start()
        with pytest.raises(AgentError) as caught:
            fetcher.get(url, {}, 5.0, cancel)
        held.set()
    assert caught.value.code is ErrorCode.CANCELED


@contextmanager
def raw_server(behave: Callable[[socket.socket], None]) -> Iterator[str]:
    """Runs a server with custom behavior for each connection, and yields the server address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                with server.accept()[0] as connection:
                    connection.recv(4096)
                    behave(connection)
            except OSError:
                pass  # the client has disconnected

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(10.0)


def drip(connection: socket.socket) -> None:
    for _ in range(2000):
        connection.sendall(b"H")
        if threading.Event().wait(0.01):
            return


def test_fetch_from_slow_server_times_out() -> None:
    with raw_server(drip) as address:
        assert refusal(Fetcher([address]), f"http://{address}/", timeout=0.2).code is ErrorCode.TIMEOUT


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
    ],
)
def test_malformed_http_response_raises_error(sent: bytes) -> None:
    with raw_server(lambda connection: connection.sendall(sent)) as address:
        assert refusal(Fetcher([address]), f"http://{address}/").code is ErrorCode.SERVER_UNAVAILABLE


def test_fetch_from_unreachable_or_unknown_server_raises_error() -> None:
    assert refusal(Fetcher(["127.0.0.1:1"]), "http://127.0.0.1:1/").code is ErrorCode.SERVER_UNAVAILABLE
    assert refusal(Fetcher(["nobody.invalid:80"]), "http://nobody.invalid/").code is ErrorCode.SERVER_UNAVAILABLE


def test_fetcher_requires_valid_certificate_for_https() -> None:
    with serving(lambda _path: Answer(b"plain")) as url:
        error = refusal(Fetcher([site(url)]), f"https://{site(url)}/")
    assert error.code is ErrorCode.SERVER_UNAVAILABLE


@pytest.mark.parametrize(
    "headers", [{"Cookie": "a=b"}, {"Host": "evil"}, {"Accept": "a\r\nHost: evil"}, {"Accept": "ä"}]
)
def test_fetcher_rejects_forbidden_request_headers(headers: dict[str, str]) -> None:
    assert refusal(Fetcher(["127.0.0.1:1"]), "http://127.0.0.1:1/", **headers).code is ErrorCode.INVALID_ARGUMENTS


def test_fetcher_allows_no_host_by_default() -> None:
    sites: Sequence[str] = ()
    assert "no host at all" in refusal(Fetcher(sites), "https://example.org/").message
