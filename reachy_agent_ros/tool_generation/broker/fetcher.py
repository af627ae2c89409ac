"""Fetches pages for tools: GET, from hosts a person chose, and never from a private network by a trick of names.

A name is resolved once and the connection goes to the address that was checked, so that a name server cannot answer
the check and the connection differently. Proxies that the environment names are not used.
"""

from __future__ import annotations

import http.client
import re
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from urllib.parse import urljoin

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.pinned_connection import PinnedConnection, addresses_of, is_public
from reachy_agent_ros.tool_generation.broker.site import Destination, Site, destination

LONGEST_WAIT = 5.0
"""s for a whole answer, redirects and all: a tool's ten seconds should not go by with waiting."""

LARGEST = 1_000_000
"""Bytes of a body; an answer for programs has a hundredth of that."""

REDIRECTS = 3
"""Each is checked as if the tool had asked for it."""

_SENT = ("accept", "accept-language", "user-agent")
_TOLD = ("content-type", "date", "etag", "last-modified", "retry-after")
_LONGEST_HEADER = 500
_HEADER = re.compile(r"[ -~]*")
_REDIRECTING = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Page:
    """An answer to GET.

    Attributes:
        status: HTTP status.
        url: Where it came from in the end.
        headers: A few that tell what the body is, by lower-case names.
        body: Bytes.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes


class Web(Protocol):
    """What fetches pages."""

    def get(self, url: str, headers: Mapping[str, str], timeout: float | None, cancel: CancelToken) -> Page:
        """Fetches a page.

        Args:
            url: Address.
            headers: What the tool wants to send.
            timeout: s that the tool is willing to wait for all of it, None for as long as one may.
            cancel: Ends the wait.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it may not be asked for; `SERVER_UNAVAILABLE`, `TIMEOUT`, `CANCELED`.
        """
        ...


class Fetcher:
    """Implements `Web`. Any thread may use it.

    Args:
        sites: What may be asked: `host`, or `host:port`, which may be in a private network too.
        resolve: Looks a name up.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: one of the sites is none.
    """

    def __init__(
        self, sites: Sequence[str] = (), resolve: Callable[[str, int, Deadline], list[str]] = addresses_of
    ) -> None:
        self._sites = [Site.read(site) for site in sites]
        self._resolve = resolve

    def get(self, url: str, headers: Mapping[str, str], timeout: float | None, cancel: CancelToken) -> Page:
        """Implements `Web`."""
        deadline = Deadline(min(timeout or LONGEST_WAIT, LONGEST_WAIT))
        sent = _sendable(headers)
        place = destination(url, self._sites)
        for _ in range(REDIRECTS + 1):
            page, onward = self._fetch(place, sent, deadline, cancel)
            if not onward:
                return page
            place = self._redirected(place, onward)
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} sends from one address to the next")

    def _redirected(self, place: Destination, onward: str) -> Destination:
        try:
            return destination(urljoin(place.url, onward), self._sites)
        except AgentError as error:
            message = f"{place.host} sends elsewhere, where tools may not go: {error.message}"
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None

    def _fetch(
        self, place: Destination, headers: Mapping[str, str], deadline: Deadline, cancel: CancelToken
    ) -> tuple[Page, str]:
        """One request. Returns the answer, and the address it sends to, empty where to none."""
        addresses = self._resolve(place.host, place.port, deadline)
        if not place.private and not all(map(is_public, addresses)):
            message = f"{place.host} is in a private network; a person may allow {place.host}:{place.port}"
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        tls = self._tls if place.secure else None
        connection = PinnedConnection(place.host, place.port, addresses, tls, deadline)
        alarm = threading.Timer(deadline.remaining, connection.abort)
        alarm.daemon = True
        alarm.start()
        cancel.on_cancel(connection.abort)
        try:
            return _exchanged(connection, place, headers)
        except (OSError, http.client.HTTPException) as error:
            cancel.raise_if_cancelled()
            raise _failure(place, error, deadline) from error
        finally:
            alarm.cancel()
            connection.close()

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


def _exchanged(connection: PinnedConnection, place: Destination, headers: Mapping[str, str]) -> tuple[Page, str]:
    host = place.url.split("/")[2]
    connection.request("GET", place.path, headers={"Host": host, "Accept-Encoding": "identity", **headers})
    response = connection.getresponse()
    if response.status in _REDIRECTING and response.headers["Location"]:
        return Page(response.status, place.url, {}, b""), response.headers["Location"]
    body = response.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} sent more than {LARGEST} bytes")
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} sent a compressed answer, which nobody asked for")
    told = {name: response.headers[name][:_LONGEST_HEADER] for name in _TOLD if name in response.headers}
    return Page(response.status, place.url, told, body), ""


def _failure(place: Destination, error: Exception, deadline: Deadline) -> AgentError:
    if deadline.passed or isinstance(error, TimeoutError):
        return AgentError(ErrorCode.TIMEOUT, f"{place.host} did not answer in time")
    return AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} cannot be reached: {error or type(error).__name__}")


def _sendable(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if name.lower() not in _SENT or not _HEADER.fullmatch(value):
            message = f"the header {name!r:.40} may not be sent; Accept, Accept-Language and User-Agent may, in ASCII"
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return {"User-Agent": "reachy_agent_ros", **{name.title(): value for name, value in headers.items()}}
