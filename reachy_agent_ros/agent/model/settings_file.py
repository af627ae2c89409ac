"""Settings file of the language models, which the user edits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints

from reachy_agent_ros.agent.model.budget import Budget
from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint, EndpointTier
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form

LARGEST_FILE = 100_000
"""Maximum size of the file, bytes. A handwritten file has about a hundredth of this size."""


FILE_NAME = "models.yaml"
"""Name of the file in the state directory."""


TURNS_OWN = Budget(tokens=10_000_000, seconds=3600.0)
"""Budget of a single endpoint without a file, whose turns are limited only by `turn_time` and `turn_tokens`."""


def load_tiers(path: Path, named: Endpoint) -> tuple[EndpointTier, EndpointTier | None]:
    """Reads the quick and the deep tier of endpoints from the settings file.

    Args:
        path: Path of the file, which need not exist.
        named: Endpoint that takes precedence over the file if it is configured.

    Returns:
        The quick tier, without endpoints if none is configured, and the deep tier or None.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid. The message names the problem and its position.
    """
    if named.configured:
        return EndpointTier((named,), TURNS_OWN), None
    if not path.exists():
        return EndpointTier(), None
    written = read_form(path, _File, LARGEST_FILE, "The models are not used")
    return written.quick.tier(), written.deep.tier() if written.deep else None


def tiers_of(parameters: Mapping[str, Any]) -> tuple[EndpointTier, EndpointTier | None]:
    """Returns the quick and the deep tier for the parameters of the node `agent`; see `load_tiers`.

    Args:
        parameters: Values of `directory`, `model_endpoint` and `model_name`; others, such as `model_timeout`, are
            optional.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file or `model_endpoint` is invalid.
    """
    url = parameters["model_endpoint"]
    try:
        named = Endpoint(
            _base_url(url) if url else "",
            parameters["model_name"],
            parameters.get("model_timeout", Endpoint.timeout),
            parameters.get("model_max_tokens", Endpoint.max_tokens),
        )
    except ValueError as error:
        message = f"Invalid model_endpoint {url!r:.80}: {error}. Use a URL such as {LOCAL_OLLAMA}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
    return load_tiers(Path(parameters["directory"]) / FILE_NAME, named)


def load_vision_endpoints(path: Path, named: Endpoint) -> tuple[Endpoint, ...]:
    """Returns the endpoints for questions about images, in order of preference.

    Args:
        path: Path of the file, which need not exist.
        named: Endpoint that takes precedence over the file if it is configured.

    Raises:
        AgentError: As for `load_tiers`.
    """
    if named.configured:
        return (named,)
    if not path.exists():
        return ()
    written = read_form(path, _File, LARGEST_FILE, "The models are not used")
    return tuple(entry.endpoint() for entry in written.vision.endpoints) if written.vision else ()


def vision_endpoints_of(parameters: Mapping[str, Any], directory: Path) -> tuple[Endpoint, ...]:
    """Returns the vision endpoints for the parameters of the node `vision`; see `load_vision_endpoints`.

    Args:
        parameters: Values of `model_endpoint` and `model_name`, and optionally `model_timeout`.
        directory: Folder of the file.

    Raises:
        AgentError: As for `load_tiers`.
    """
    timeout = parameters.get("model_timeout", Endpoint.timeout)
    named = Endpoint(parameters["model_endpoint"], parameters["model_name"], timeout)
    return load_vision_endpoints(directory / FILE_NAME, named)


def _base_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the URL must begin with http:// or https:// and a host")
    if parts.username or parts.password or parts.query:
        raise ValueError("the URL must not contain a user, a password or a query; set a key with api_key_variable")
    return text


def _set_variable(name: str) -> str:
    if not os.environ.get(name):
        raise ValueError(f"the environment variable {name} is not set")
    return name


class _Endpoint(StrictForm):
    url: Annotated[str, AfterValidator(_base_url)]
    model: str = ""
    timeout: float = Field(default=Endpoint.timeout, ge=0.1, le=600.0)
    connect_timeout: float = Field(default=Endpoint.connect_timeout, ge=0.1, le=60.0)
    max_tokens: int = Field(default=Endpoint.max_tokens, ge=16, le=8192)
    api_key_variable: (
        Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"), AfterValidator(_set_variable)] | None
    ) = None

    def endpoint(self) -> Endpoint:
        # Without a variable, no key is sent, so that no server receives another server's key.
        key = os.environ[self.api_key_variable] if self.api_key_variable else ""
        return Endpoint(self.url, self.model, self.timeout, self.max_tokens, self.connect_timeout, key)


class _Budget(StrictForm):
    tokens: int = Field(default=Budget.tokens, ge=100, le=10_000_000)
    seconds: float = Field(default=Budget.seconds, ge=1.0, le=3600.0)


class _Tier(StrictForm):
    endpoints: list[_Endpoint] = Field(min_length=1, max_length=8)
    budget: _Budget = _Budget()

    def tier(self) -> EndpointTier:
        endpoints = tuple(entry.endpoint() for entry in self.endpoints)
        return EndpointTier(endpoints, Budget(self.budget.tokens, self.budget.seconds))


class _VisionTier(StrictForm):
    endpoints: list[_Endpoint] = Field(min_length=1, max_length=8)


class _File(StrictForm):
    quick: _Tier
    deep: _Tier | None = None
    vision: _VisionTier | None = None
