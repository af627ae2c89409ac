"""Exceptions of the stand-in for the library `requests`."""

from __future__ import annotations

import json

__all__ = [
    "ConnectTimeout",
    "ConnectionError",
    "HTTPError",
    "InvalidURL",
    "JSONDecodeError",
    "ReadTimeout",
    "RequestException",
    "Timeout",
    "TooManyRedirects",
]


class RequestException(OSError):
    """Base class of all exceptions."""


class HTTPError(RequestException):
    """The server responded with an error.

    Attributes:
        response: The response.
    """

    def __init__(self, message: str, response: object = None) -> None:
        super().__init__(message)
        self.response = response


class ConnectionError(RequestException):
    """The server is unreachable."""


class Timeout(RequestException):
    """The request took too long."""


class ConnectTimeout(ConnectionError, Timeout):
    """Exists only for compatibility. `Timeout` is raised instead."""


class ReadTimeout(Timeout):
    """Exists only for compatibility. `Timeout` is raised instead."""


class TooManyRedirects(RequestException):
    """Exists only for compatibility. `ConnectionError` is raised instead."""


class InvalidURL(RequestException, ValueError):
    """Exists only for compatibility. `RequestException` is raised instead."""


class JSONDecodeError(RequestException, json.JSONDecodeError):
    """The response is not JSON."""

    def __init__(self, error: json.JSONDecodeError) -> None:
        json.JSONDecodeError.__init__(self, error.msg, error.doc, error.pos)
