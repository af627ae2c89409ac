"""Files that somebody sends: as the body itself, or as a part of a form."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

FORM = "multipart/form-data"

RAW = "application/octet-stream"

BINARY = {"schema": {"type": "string", "format": "binary"}}
"""A body of bytes in the description of a path."""

_MOST_PARTS = 10


@dataclass(frozen=True)
class Upload:
    """A file, and what came with it.

    Attributes:
        data: The file's content; empty where none came.
        fields: Of the form, besides the file.
    """

    data: bytes
    fields: dict[str, str]


def media_type(request: Request) -> str:
    """What a request says its body is, without parameters; empty where it says nothing."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def uploaded(request: Request, field: str) -> Upload:
    """The file of a form.

    Args:
        request: With a body of the media type `FORM`.
        field: Name of the part that holds the file.

    Raises:
        HTTPException: 400 for a form that cannot be read.
    """
    async with request.form(max_files=_MOST_PARTS, max_fields=_MOST_PARTS) as form:
        file = form.get(field)
        data = await file.read() if isinstance(file, UploadFile) else b""
        return Upload(data, {name: value for name, value in form.multi_items() if isinstance(value, str)})


def unsupported(sent: str, taken: str) -> HTTPException:
    """The refusal of a media type.

    Args:
        sent: What it is.
        taken: What would do, in words.
    """
    return HTTPException(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"A body of {sent or 'no type'!r:.100} is not taken: {taken}."
    )
