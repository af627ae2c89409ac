"""The library requests as tools see it: GET from the hosts a person allows, and nothing else."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from urllib.parse import urlencode

from ..host import HostError, ask
from ..not_offered import not_offered
from . import exceptions
from .exceptions import ConnectionError, HTTPError, JSONDecodeError, RequestException, Timeout, TooManyRedirects
from .response import Response

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


def get(
    url: str,
    params: _Parameters | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    timeout: float | tuple[float, float] | None = None,
) -> Response:
    """Fetches a page.

    Args:
        url: http or https, at a host that a person allows.
        params: Added to the query.
        headers: Of which Accept, Accept-Language and User-Agent count.
        timeout: s for the whole answer, at most the host's own.

    Raises:
        RequestException: It is not allowed; Timeout and ConnectionError likewise by their names.
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
