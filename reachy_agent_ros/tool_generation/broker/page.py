"""A page that was fetched, and what fetches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.core.cancel import CancelToken


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
