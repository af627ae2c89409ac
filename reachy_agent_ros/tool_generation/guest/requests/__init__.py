"""Stand-in for the library `requests`. It supports only GET requests to allowed hosts."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from urllib.parse import urlencode

from ..host import HostError, ask
from ..stand_ins import not_offered
from . import exceptions
from .exceptions import ConnectionError, HTTPError, JSONDecodeError, RequestException, Timeout, TooManyRedirects

__all__ = [
    "ConnectionError",
    "HTTPError",
    "JSONDecodeError",
    "RequestException",
    "Response",
    "Timeout",
    "TooManyRedirects",
    "exceptions",
    "get",
]

_ERRORS: Mapping[str, type[RequestException]] = {
    "TIMEOUT": Timeout,
    "SERVER_UNAVAILABLE": ConnectionError,
    "SERVER_LOST": ConnectionError,
}

_Parameters = Mapping[str, Any] | Sequence[tuple[str, Any]]


class _Headers(dict[str, str]):
    """Headers with case-insensitive names."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__({name.lower(): value for name, value in headers.items()})

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a header, or the default."""
        return super().get(name.lower(), default)


class Response:
    """A complete response.

    Attributes:
        status_code: HTTP status.
        url: URL after redirects.
        headers: Headers of the response that the host passes on.
        content: Content of the response.
    """

    def __init__(self, status_code: int, url: str, headers: Mapping[str, str], content: bytes) -> None:
        self.status_code = status_code
        self.url = url
        self.headers = _Headers(headers)
        self.content = content

    @property
    def ok(self) -> bool:
        """Whether the status is not an error status."""
        return self.status_code < 400

    @property
    def encoding(self) -> str:
        """Encoding that the headers specify. The default is UTF-8."""
        for part in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return str(value).strip(" \"'")
        return "utf-8"

    @property
    def text(self) -> str:
        """The content as text. Undecodable bytes are replaced."""
        try:
            return self.content.decode(self.encoding, errors="replace")
        except LookupError:  # the encoding is unknown
            return self.content.decode(errors="replace")

    def json(self) -> Any:
        """Parses the content as JSON.

        Raises:
            JSONDecodeError: The content is not JSON.
        """
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            raise JSONDecodeError(error) from None

    def raise_for_status(self) -> None:
        """Raises HTTPError if the status is an error."""
        if not self.ok:
            raise HTTPError(f"{self.status_code} for {self.url}", self)


def get(
    url: str,
    params: _Parameters | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float | tuple[float, float] | None = None,
) -> Response:
    """Fetches a page.

    Args:
        url: http or https URL of an allowed host.
        params: Parameters that are added to the query.
        headers: Headers; only Accept, Accept-Language and User-Agent are allowed.
        timeout: Time limit of the complete response, s, at most the limit of the host.

    Raises:
        RequestException: The request is not allowed.
        Timeout: The server did not respond in time.
        ConnectionError: The server is unreachable.
    """
    pairs = list(params.items() if isinstance(params, Mapping) else params or ())
    query = urlencode([pair for pair in pairs if pair[1] is not None], doseq=True)
    whole = f"{url}{'&' if '?' in url else '?'}{query}" if query else url
    seconds = max(timeout) if isinstance(timeout, tuple) else timeout
    try:
        answer = ask("get", url=whole, headers=dict(headers or {}), timeout=seconds)
    except HostError as error:
        raise _ERRORS.get(error.code, RequestException)(str(error)) from None
    return Response(answer["status"], answer["url"], answer["headers"], base64.b64decode(answer["body"]))


def __getattr__(name: str) -> NoReturn:
    raise not_offered("requests", name, __all__)
