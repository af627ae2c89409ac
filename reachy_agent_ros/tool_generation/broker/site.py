"""A server that tools may ask, and the check of an address against such a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import idna

from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_URL = 2000
"""Characters; longer ones many servers refuse."""

LONGEST_QUERY = 1000
"""Characters after the question mark: what a tool may tell a server at once."""

_PORTS = {"http": 80, "https": 443}
_PRINTABLE = re.compile(r"[!-\[\]-~]+")  # ASCII without blanks, control characters and the backslash
_PUBLIC = re.compile(r"\.(?!(?:local|localhost|localdomain|internal|lan|home)$)[a-z][a-z0-9-]*$")  # no number
_FORM = "write it as api.example.org or 192.168.1.7:8080"


@dataclass(frozen=True)
class Site:
    """A server that tools may ask.

    Attributes:
        host: Name in ASCII (IDNA 2008), lower-case, or an address.
        port: The one that counts; None for the two usual ones of HTTP, and then no machine of a private network.
    """

    host: str
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> Site:
        """Reads `host` or `host:port`.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is neither.
        """
        try:
            parts = urlsplit(f"//{text}")
            plain = parts.hostname and not (parts.path or parts.query or parts.fragment or "@" in text)
            port = parts.port
        except ValueError:
            plain = False
        if not plain:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{text!r:.80} is no host: {_FORM}.")
        return cls(_ascii_host(str(parts.hostname)), port)


@dataclass(frozen=True)
class Destination:
    """Where an allowed address leads.

    Attributes:
        url: The address, with the host in ASCII and without a fragment.
        secure: Whether it is https.
        host: Name in ASCII.
        port: TCP port.
        path: Path and query, what the request line has.
        private: Whether a person named this very host and port, which then may be in a private network.
    """

    url: str
    secure: bool
    host: str
    port: int
    path: str
    private: bool


def destination(url: str, sites: Sequence[Site]) -> Destination:
    """Checks an address.

    Args:
        url: Anything.
        sites: What may be asked.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is none, or has no public name; `APPROVAL_REQUIRED`: nobody has allowed it.
    """
    if len(url) > LONGEST_URL:
        raise _refusal(f"the address has {len(url)} characters, more than {LONGEST_URL}")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _refusal(f"{url!r:.80} is no address: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise _refusal(f"{url!r:.80} is no address that begins with http:// or https:// and a host")
    if parts.username is not None or parts.password is not None:
        raise _refusal("an address has no user name and password in it")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _PRINTABLE.fullmatch(path) or "\\" in url:
        raise _refusal("the path or query has characters that must be percent-encoded")
    if len(parts.query) > LONGEST_QUERY:
        raise _refusal(f"the query has {len(parts.query)} characters, more than {LONGEST_QUERY}")
    return _allowed(parts.scheme, _ascii_host(parts.hostname), port, path, sites)


def _allowed(scheme: str, host: str, port: int | None, path: str, sites: Sequence[Site]) -> Destination:
    actual = _PORTS[scheme] if port is None else port
    named = Site(host, actual) in sites
    if not named and not (Site(host) in sites and actual == _PORTS[scheme]):
        there_are = ", ".join(site.host if site.port is None else f"{site.host}:{site.port}" for site in sites)
        message = f"tools may not ask {host}:{actual}, only {there_are or 'no host at all'}; a person may add it"
        # To ask for a public page is no offence; to try a private network's machines is one.
        raise AgentError(ErrorCode.APPROVAL_REQUIRED, message) if _PUBLIC.search(host) else _refusal(message)
    spoken = f"[{host}]" if ":" in host else host
    where = spoken if port is None else f"{spoken}:{port}"
    return Destination(f"{scheme}://{where}{path}", scheme == "https", host, actual, path, private=named)


def _ascii_host(host: str) -> str:
    if ":" in host:
        return host.lower()  # an IPv6 address
    try:
        return idna.encode(host.rstrip("."), uts46=True).decode().lower()
    except idna.IDNAError as error:
        raise _refusal(f"{host!r:.80} is no name of a host: {error}") from None


def _refusal(message: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, message)
