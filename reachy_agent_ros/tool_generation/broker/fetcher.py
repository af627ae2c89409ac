"""Fetches web pages for tools. Connects only to verified addresses.

It resolves a name once and connects to exactly the addresses that were verified, so that a later DNS response cannot
lead the connection into a private network.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.site import Destination, Site, destination

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Prefix of the addresses with which a network without IPv4 reaches IPv4 servers (RFC 6052)."""

LONGEST_WAIT = 5.0
"""Time limit for a complete response including redirects, s, well below the usual time limit of a tool."""

LARGEST = 1_000_000
"""Maximum size of a body, bytes. A typical API response is a hundredth of this size."""

REDIRECTS = 3
"""Maximum number of redirects. Each one is checked like a request of the tool."""

_SENT = ("accept", "accept-language", "user-agent")
_TOLD = ("content-type", "date", "etag", "last-modified", "retry-after")
_LONGEST_HEADER = 500
_HEADER = re.compile(r"[ -~]*")
_REDIRECTING = (301, 302, 303, 307, 308)


def _addresses_of(host: str, port: int, deadline: Deadline) -> list[str]:
    """Resolves a host name to its addresses.

    Raises:
        AgentError: `SERVER_UNAVAILABLE` or `TIMEOUT`.
    """
    found: Future[list[Any]] = Future()
    # The library call has no time limit. A daemon thread does not delay the end of the program.
    threading.Thread(target=_look_up, args=(host, port, found), name="resolver", daemon=True).start()
    try:
        rows = found.result(deadline.remaining)
    except TimeoutError:
        raise AgentError(ErrorCode.TIMEOUT, f"resolving {host} took too long") from None
    except OSError as error:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{host} cannot be found: {error.strerror}") from error
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def is_public(address: str) -> bool:
    """Returns whether an IP address is public.

    Addresses of this machine, of private networks and of tunnels into them are not public. An address that NAT64
    translates is public if the IPv4 address that it contains is.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if ip in _NAT64:
        ip = ipaddress.IPv4Address(ip.packed[-4:])  # the server that the gateway of the network connects to
    if isinstance(ip, ipaddress.IPv6Address):
        return ip.is_global and ip in _GLOBAL_UNICAST and ip.sixtofour is None and ip.teredo is None
    return ip.is_global and not ip.is_multicast


class _PinnedConnection(http.client.HTTPConnection):
    """HTTP connection to the first address in a list that is reachable.

    Args:
        host: Host name, for verifying the certificate.
        port: TCP port.
        addresses: Addresses to try, in this order.
        tls: TLS context that verifies certificates; None for http.
        deadline: Deadline for connecting. Later, only `abort` ends the connection.
    """

    def __init__(
        self, host: str, port: int, addresses: Sequence[str], tls: ssl.SSLContext | None, deadline: Deadline
    ) -> None:
        super().__init__(host, port)
        self._addresses = addresses
        self._tls = tls
        self._deadline = deadline

    def connect(self) -> None:
        """Connects to the server, and verifies that its certificate matches its name."""
        plain = self._reached()
        if self._tls is None:
            self.sock = plain
            return
        secure = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = secure  # from here on, `abort` can close it
        secure.do_handshake()

    def abort(self) -> None:
        """Closes the connection from another thread. A socket timeout would not stop a slow sender."""
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)

    def _reached(self) -> socket.socket:
        failure: OSError = OSError("no address")
        for address in self._addresses:
            try:
                return socket.create_connection((address, self.port), max(self._deadline.remaining, 0.001))
            except OSError as error:
                failure = error
        raise failure


@dataclass(frozen=True)
class Page:
    """Response to a GET request.

    Attributes:
        status: HTTP status.
        url: URL after redirects.
        headers: Headers that describe the body, by lower-case name.
        body: Content of the response.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes


class Fetcher:
    """Fetches web pages. Thread-safe.

    Args:
        sites: Allowed servers as `host` or `host:port`. With a port, the server may be in a private network.
        resolve: Resolves a host name.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a site is malformed.
    """

    def __init__(
        self, sites: Sequence[str] = (), resolve: Callable[[str, int, Deadline], list[str]] = _addresses_of
    ) -> None:
        self._sites = [Site.read(site) for site in sites]
        self._resolve = resolve

    @classmethod
    def of(cls, hosts: str) -> Fetcher:
        """Creates a fetcher for a comma-separated list of sites.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a site is malformed.
        """
        return cls([host.strip() for host in hosts.split(",") if host.strip()])

    def get(self, url: str, headers: Mapping[str, str], timeout: float | None, cancel: CancelToken) -> Page:
        """Fetches a page.

        Args:
            url: URL of the page.
            headers: Headers from the tool.
            timeout: Time to wait for the complete response, s, at most `LONGEST_WAIT`; None for `LONGEST_WAIT`.
            cancel: Token that ends the wait.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the URL or a header is not allowed; `APPROVAL_REQUIRED`: the server is not
                allowed; `SERVER_UNAVAILABLE`, `TIMEOUT`, `CANCELED`.
        """
        deadline = Deadline(min(timeout or LONGEST_WAIT, LONGEST_WAIT))
        sent = _sendable(headers)
        place = destination(url, self._sites)
        for _ in range(REDIRECTS + 1):
            page, onward = self._fetch(place, sent, deadline, cancel)
            if not onward:
                return page
            place = self._redirected(place, onward)
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} redirects too many times")

    def _redirected(self, place: Destination, onward: str) -> Destination:
        try:
            return destination(urljoin(place.url, onward), self._sites)
        except AgentError as error:
            message = f"{place.host} redirects to an address that tools may not request: {error.message}"
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None

    def _fetch(
        self, place: Destination, headers: Mapping[str, str], deadline: Deadline, cancel: CancelToken
    ) -> tuple[Page, str]:
        """Sends one request. Returns the response, and the URL of a redirect or ""."""
        addresses = self._resolve(place.host, place.port, deadline)
        if not place.private and not all(map(is_public, addresses)):
            message = f"{place.host} is in a private network; a person may allow {Site(place.host, place.port)}"
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        tls = self._tls if place.secure else None
        connection = _PinnedConnection(place.host, place.port, addresses, tls, deadline)
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


def _look_up(host: str, port: int, found: Future[list[Any]]) -> None:
    try:
        found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except OSError as error:
        found.set_exception(error)
    except UnicodeError:
        found.set_exception(OSError(0, "not a valid host name"))


def _exchanged(connection: _PinnedConnection, place: Destination, headers: Mapping[str, str]) -> tuple[Page, str]:
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
        raise AgentError(
            ErrorCode.SERVER_UNAVAILABLE, f"{place.host} sent a compressed response, which was not requested"
        )
    told = {name: response.headers[name][:_LONGEST_HEADER] for name in _TOLD if name in response.headers}
    return Page(response.status, place.url, told, body), ""


def _failure(place: Destination, error: Exception, deadline: Deadline) -> AgentError:
    if deadline.passed or isinstance(error, TimeoutError):
        return AgentError(ErrorCode.TIMEOUT, f"{place.host} did not answer in time")
    return AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{place.host} cannot be reached: {error or type(error).__name__}")


def _sendable(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if name.lower() not in _SENT or not _HEADER.fullmatch(value):
            message = f"the header {name!r:.40} is not allowed; use Accept, Accept-Language or User-Agent, in ASCII"
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return {"User-Agent": "reachy_agent_ros", **{name.title(): value for name, value in headers.items()}}
