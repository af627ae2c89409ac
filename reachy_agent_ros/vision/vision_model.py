"""Vision model behind an OpenAI-compatible endpoint, such as Gemma 3 in Ollama."""

from __future__ import annotations

import base64
import logging
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image, jpeg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reachy_agent_ros.vision.completion_client import CompletionClient


_log = logging.getLogger(__name__)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class VisionEndpoint(Protocol):
    """Endpoint of a vision model, such as `agent.model.endpoint.Endpoint`. The timeout is in s."""

    @property
    def url(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def api_key(self) -> str: ...  # noqa: D102
    @property
    def timeout(self) -> float: ...  # noqa: D102


class VisionModel:
    """Vision model that answers questions about an image. Does not repeat requests, because a person is waiting.

    Args:
        url: Base URL of the endpoint, usually ending in `/v1`; empty for none.
        name: Name of the model.
        api_key: API key; empty for none.
        timeout: Timeout of a request, s.
        max_tokens: Maximum length of an answer, tokens.

    Attributes:
        fallback: Model that is asked if this one fails; None for none.
    """

    def __init__(self, url: str, name: str, api_key: str = "", timeout: float = 60.0, max_tokens: int = 1024) -> None:
        self.name = name
        self.fallback: VisionModel | None = None
        self._max_tokens = max_tokens
        self._client = _connected(url, api_key, timeout) if url else None

    @classmethod
    def of(cls, endpoints: Sequence[VisionEndpoint]) -> VisionModel:
        """Creates the model of the first endpoint. Other endpoints are fallbacks. No endpoints: not configured."""
        model = cls("", "")
        for index, one in enumerate(reversed(endpoints)):
            earlier = cls(one.url, one.model, one.api_key, one.timeout)
            earlier.fallback = model if index else None
            model = earlier
        return model

    @property
    def configured(self) -> bool:
        """Whether a vision model is configured."""
        return self._client is not None

    def ask(self, image: Image, question: str, schema: dict[str, Any] | None = None) -> str:
        """Asks the model a question about an image. If the model fails, asks the fallback.

        Args:
            image: Image to show to the model.
            question: Question in words.
            schema: JSON schema of the answer, which not all servers enforce.

        Returns:
            The answer, never empty.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, `MODEL_FAILED`, `MODEL_TRUNCATED` or `MODEL_MISBEHAVED`, with the reason.
        """
        if self._client is None:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "No vision model is configured.")
        try:
            return self._ask(self._client, image, question, schema)
        except AgentError as error:
            if self.fallback is None:
                raise
            _log.warning("The vision model %r failed, trying the next one: %s", self.name, error.message)
        return self.fallback.ask(image, question, schema)

    def _ask(self, client: CompletionClient, image: Image, question: str, schema: dict[str, Any] | None) -> str:
        options: dict[str, Any] = {} if schema is None else {"response_format": _response_format(schema)}
        body = client.complete(
            model=self.name,
            messages=[{"role": "user", "content": [_shown(image), {"type": "text", "text": question}]}],
            max_tokens=self._max_tokens,
            temperature=0.0,
            **options,
        )
        return _answer(body)

    def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            self._client.close()
        if self.fallback is not None:
            self.fallback.close()


def _connected(url: str, api_key: str, timeout: float) -> CompletionClient:
    # Imported here, because the client takes 40 MB, which a robot without a vision model does not need.
    from reachy_agent_ros.vision.completion_client import CompletionClient

    return CompletionClient(url, api_key, timeout)


def _shown(image: Image) -> Any:
    url = "data:image/jpeg;base64," + base64.b64encode(jpeg(image)).decode()
    return {"type": "image_url", "image_url": {"url": url}}


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _answer(body: str) -> str:
    """Validates the body of a completion, because the client does not check types, and returns its text."""
    try:
        choice = _Completion.model_validate_json(body).choices[0]
    except ValidationError as error:
        message = "The response of the vision model's server is not a completion."
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, message) from error
    if choice.finish_reason == "length":
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The vision model's answer exceeds the token limit.")
    if choice.finish_reason is None:
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The vision model's answer is incomplete.")
    text = (choice.message.content or "").strip()
    if not text:
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, "The vision model's answer is empty.")
    return text
