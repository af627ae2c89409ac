"""Endpoints of language models, and tiers of endpoints in order of preference."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from reachy_agent_ros.agent.model.budget import Budget

API_KEY_VARIABLE = "REACHY_AGENT_API_KEY"
"""Environment variable for the key of an endpoint. Unlike parameters and command-line arguments, it is secret."""

LOCAL_OLLAMA = "http://127.0.0.1:11434/v1"
"""Default URL of Ollama on this machine."""


@dataclass(frozen=True)
class Endpoint:
    """Endpoint of a language model with the OpenAI API.

    Attributes:
        url: Base URL, usually ending in `/v1`; empty for none.
        model: Name of the model at the endpoint.
        timeout: Time limit until an answer starts, and between two pieces of it, s.
        max_tokens: Maximum length of an answer, tokens. An agent may request more.
        connect_timeout: Time limit for connecting, s, which is also the delay caused by an unreachable address.
        api_key: Key, empty if none is needed.
    """

    url: str = ""
    model: str = ""
    timeout: float = 60.0
    max_tokens: int = 512
    connect_timeout: float = 3.0
    api_key: str = field(default_factory=lambda: os.environ.get(API_KEY_VARIABLE, ""), repr=False)

    @property
    def configured(self) -> bool:
        """Whether the endpoint has a URL."""
        return bool(self.url)

    @property
    def root(self) -> str:
        """URL without `/v1`, for requests that are not part of the OpenAI API."""
        return self.url.rstrip("/").removesuffix("/v1")

    @property
    def shown(self) -> str:
        """URL without user, password and query, for logs and messages."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers with the API key; empty if no key is set."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


@dataclass(frozen=True)
class EndpointTier:
    """Ordered list of endpoints for either quick or deep requests.

    Attributes:
        endpoints: Endpoints in order; if one fails, the next one is used.
        budget: Budget of each task.
    """

    endpoints: tuple[Endpoint, ...] = ()
    budget: Budget = field(default_factory=Budget)
