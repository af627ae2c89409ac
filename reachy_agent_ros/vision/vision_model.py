"""A model that sees, behind any OpenAI-compatible endpoint: Gemma 3 in Ollama, for example."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Image, jpeg

if TYPE_CHECKING:
    from reachy_agent_ros.vision.completion_client import CompletionClient


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class VisionModel:
    """Answers questions about a picture. It does not retry: the time belongs to the person who waits.

    Args:
        url: Base URL of the endpoint, usually ending in `/v1`; empty for none.
        name: Of the model there.
        api_key: Key, if it wants one.
        timeout: s for one answer.
        max_tokens: Longest answer, tokens.
    """

    def __init__(self, url: str, name: str, api_key: str = "", timeout: float = 60.0, max_tokens: int = 1024) -> None:
        self.name = name
        self._max_tokens = max_tokens
        self._client = _connected(url, api_key, timeout) if url else None

    @property
    def configured(self) -> bool:
        """Whether there is one at all."""
        return self._client is not None

    def ask(self, image: Image, question: str, schema: dict[str, Any] | None = None) -> str:
        """Asks about one picture.

        Args:
            image: What the model is shown.
            question: In words.
            schema: JSON schema that the server shall hold the answer to; not all of them do.

        Returns:
            The answer, never empty.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, `MODEL_FAILED`, `MODEL_TRUNCATED` or `MODEL_MISBEHAVED`, saying why.
        """
        if self._client is None:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "No vision model is configured.")
        options: dict[str, Any] = {} if schema is None else {"response_format": _response_format(schema)}
        body = self._client.complete(
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


def _connected(url: str, api_key: str, timeout: float) -> CompletionClient:
    # Here, because a robot without a vision model is spared the 40 MB of the client.
    from reachy_agent_ros.vision.completion_client import CompletionClient

    return CompletionClient(url, api_key, timeout)


def _shown(image: Image) -> Any:
    url = "data:image/jpeg;base64," + base64.b64encode(jpeg(image)).decode()
    return {"type": "image_url", "image_url": {"url": url}}


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _answer(body: str) -> str:
    """The text of a completion. The client's own types check nothing, and servers answer with many things."""
    try:
        choice = _Completion.model_validate_json(body).choices[0]
    except ValidationError as error:
        message = "The vision model's server answered with no completion."
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, message) from error
    if choice.finish_reason == "length":
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The vision model's answer was longer than it may be.")
    if choice.finish_reason is None:
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The vision model's answer broke off.")
    text = (choice.message.content or "").strip()
    if not text:
        raise AgentError(ErrorCode.MODEL_MISBEHAVED, "The vision model gave an empty answer.")
    return text
