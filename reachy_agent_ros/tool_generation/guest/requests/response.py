"""What came from a server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .exceptions import HTTPError, JSONDecodeError


class Headers(dict[str, str]):
    """Headers by their names, however they are written."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__({name.lower(): value for name, value in headers.items()})

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())

    def get(self, name: str, default: Any = None) -> Any:
        """The header, or the default."""
        return super().get(name.lower(), default)


class Response:
    """An answer, read to its end.

    Attributes:
        status_code: HTTP status.
        url: Where it came from in the end.
        headers: What the server said of it.
        content: Bytes.
    """

    def __init__(self, status_code: int, url: str, headers: Mapping[str, str], content: bytes) -> None:
        self.status_code = status_code
        self.url = url
        self.headers = Headers(headers)
        self.content = content

    @property
    def ok(self) -> bool:
        """Whether the status is no error."""
        return self.status_code < 400

    @property
    def encoding(self) -> str:
        """What the server says, UTF-8 otherwise."""
        for part in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return str(value).strip(" \"'")
        return "utf-8"

    @property
    def text(self) -> str:
        """As text; what cannot be read is replaced."""
        try:
            return self.content.decode(self.encoding, errors="replace")
        except LookupError:  # no encoding is called that
            return self.content.decode(errors="replace")

    def json(self) -> Any:
        """As JSON.

        Raises:
            JSONDecodeError: It is none.
        """
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            raise JSONDecodeError(error) from None

    def raise_for_status(self) -> None:
        """Raises HTTPError where the status is an error."""
        if not self.ok:
            raise HTTPError(f"{self.status_code} for {self.url}", self)
