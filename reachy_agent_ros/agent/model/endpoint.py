"""Where language models are: endpoints, and tiers of them in order of preference for one kind of request."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from reachy_agent_ros.agent.model.budget import Budget

API_KEY_VARIABLE = "REACHY_AGENT_API_KEY"
"""Environment variable with the endpoint's key: secrets are neither parameters nor arguments, which anyone can list."""

LOCAL_OLLAMA = "http://127.0.0.1:11434/v1"
"""Where Ollama answers on this machine, unless a person changed that."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint.

    Attributes:
        url: Base URL, usually ending in `/v1`; empty for none.
        model: Name of the model there.
        timeout: s, for one answer to begin and between two pieces of it.
        max_tokens: Longest answer, tokens, where an agent needs no more.
        connect_timeout: s, for the connection: what an address where nobody is costs.
        api_key: Key, if it wants one.
    """

    url: str = ""
    model: str = ""
    timeout: float = 60.0
    max_tokens: int = 512
    connect_timeout: float = 3.0
    api_key: str = field(default_factory=lambda: os.environ.get(API_KEY_VARIABLE, ""), repr=False)

    @property
    def configured(self) -> bool:
        """Whether there is one at all."""
        return bool(self.url)

    @property
    def root(self) -> str:
        """URL without `/v1`, where servers keep what is not OpenAI's."""
        return self.url.rstrip("/").removesuffix("/v1")

    @property
    def shown(self) -> str:
        """URL for people and logs, without user, password and query."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def headers(self) -> dict[str, str]:
        """Request headers that carry the key."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


@dataclass(frozen=True)
class EndpointTier:
    """Endpoints for quick or for deep thought.

    Attributes:
        endpoints: The next is asked when one fails.
        budget: Of every task.
    """

    endpoints: tuple[Endpoint, ...] = ()
    budget: Budget = field(default_factory=Budget)
