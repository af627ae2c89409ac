"""Web servers that tools may access, and the check whether a URL is on one of these servers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import idna

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.url_host import url_host

LONGEST_URL = 2000
"""Maximum number of characters in a URL. Many servers reject longer ones."""

LONGEST_QUERY = 1000
"""Maximum number of characters in a query, which limits the data that a tool can send to a server at once."""

_PORTS = {"http": 80, "https": 443}
_PRINTABLE = re.compile(r"[!-\[\]-~]+")  # ASCII without spaces, control characters and the backslash
_PUBLIC = re.compile(r"\.(?!(?:local|localhost|localdomain|internal|lan|home)$)[a-z][a-z0-9-]*$")  # not a number
_FORM = "write it as api.example.org, 192.168.1.7:8080 or [fd12::5]:8080"


@dataclass(frozen=True)
class Site:
    """Server from which tools may request pages.

    Attributes:
        host: ASCII host name (IDNA 2008, lower case) or IP address, an IPv6 address without brackets.
        port: Allowed port. None allows the default ports of HTTP, but no host in a private network.
    """

    host: str
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> Site:
        """Parses `host` or `host:port`.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the text is malformed.
        """
        try:
            parts = urlsplit(f"//{text}")
            plain = parts.hostname and not (parts.path or parts.query or parts.fragment or "@" in text)
            port = parts.port
        except ValueError:
            plain = False
        if not plain:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid host {text!r:.80}: {_FORM}.")
        return cls(_ascii_host(str(parts.hostname)), port)

    def __str__(self) -> str:
        """Returns the site in the form that `read` parses."""
        host = url_host(self.host)
        return host if self.port is None else f"{host}:{self.port}"


@dataclass(frozen=True)
class Destination:
    """Parts of a URL on an allowed server.

    Attributes:
        url: Complete URL with an ASCII host and without a fragment.
        secure: Whether the scheme is https.
        host: ASCII host name.
        port: TCP port.
        path: Path and query, as in a request line.
        private: Whether a person allowed exactly this host and port, which may then be in a private network.
    """

    url: str
    secure: bool
    host: str
    port: int
    path: str
    private: bool


def destination(url: str, sites: Sequence[Site]) -> Destination:
    """Checks that a URL is on one of the allowed servers.

    Args:
        url: Any text.
        sites: Allowed servers.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the URL is malformed, or its server is not allowed and has no public name;
            `APPROVAL_REQUIRED`: the server has a public name, but is not allowed.
    """
    if len(url) > LONGEST_URL:
        raise _refusal(f"the URL has {len(url)} characters, more than {LONGEST_URL}")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _refusal(f"invalid URL {url!r:.80}: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise _refusal(f"invalid URL {url!r:.80}: expected http:// or https:// and a host")
    if parts.username is not None or parts.password is not None:
        raise _refusal("invalid URL: it must not contain a user name or password")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _PRINTABLE.fullmatch(path) or "\\" in url:
        raise _refusal("the path or query contains characters that must be percent-encoded")
    if len(parts.query) > LONGEST_QUERY:
        raise _refusal(f"the query has {len(parts.query)} characters, more than {LONGEST_QUERY}")
    return _allowed(parts.scheme, _ascii_host(parts.hostname), port, path, sites)


def _allowed(scheme: str, host: str, port: int | None, path: str, sites: Sequence[Site]) -> Destination:
    actual = _PORTS[scheme] if port is None else port
    wanted = Site(host, actual)
    named = wanted in sites
    if not named and not (Site(host) in sites and actual == _PORTS[scheme]):
        there_are = ", ".join(map(str, sites))
        message = f"tools may not request {wanted}, only {there_are or 'no host at all'}; a person can allow it"
        # Requesting a public page is not a violation, but trying out hosts of a private network is.
        raise AgentError(ErrorCode.APPROVAL_REQUIRED, message) if _PUBLIC.search(host) else _refusal(message)
    return Destination(f"{scheme}://{Site(host, port)}{path}", scheme == "https", host, actual, path, private=named)


def _ascii_host(host: str) -> str:
    if ":" in host:
        return host.lower()  # an IPv6 address
    try:
        return idna.encode(host.rstrip("."), uts46=True).decode().lower()
    except idna.IDNAError as error:
        raise _refusal(f"invalid host name {host!r:.80}: {error}") from None


def _refusal(message: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, message)
