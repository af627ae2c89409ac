"""What requests may raise."""

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
    """Base of them all."""


class HTTPError(RequestException):
    """The server answered with an error.

    Attributes:
        response: The answer.
    """

    def __init__(self, message: str, response: object = None) -> None:
        super().__init__(message)
        self.response = response


class ConnectionError(RequestException):
    """The server cannot be reached."""


class Timeout(RequestException):
    """It took too long."""


class ConnectTimeout(ConnectionError, Timeout):
    """As `Timeout`, which is what is raised."""


class ReadTimeout(Timeout):
    """As `Timeout`, which is what is raised."""


class TooManyRedirects(RequestException):
    """It was sent from one place to the next."""


class InvalidURL(RequestException, ValueError):
    """The address is none."""


class JSONDecodeError(RequestException, json.JSONDecodeError):
    """The answer is no JSON."""

    def __init__(self, error: json.JSONDecodeError) -> None:
        json.JSONDecodeError.__init__(self, error.msg, error.doc, error.pos)
