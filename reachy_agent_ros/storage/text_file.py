"""Text files of people, read with care."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.contained_file import read_inside
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def read_text(path: Path, largest: int, root: Path | None = None) -> str:
    """The text of a file.

    Args:
        path: The file.
        largest: Bytes that it may have.
        root: Folder out of which, and in which, no link is followed; None if whoever named the file may use links.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is not there, no file, a link, too large, or no text.
    """
    try:
        content = _content(path, largest) if root is None else read_inside(root, path, largest)
        if len(content) > largest:
            raise _wrong(path, f"has more than {largest} bytes")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(path, "is not text in UTF-8") from None
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from error
    return text.replace("\r\n", "\n")


def _content(path: Path, largest: int) -> bytes:
    if not path.is_file():  # a pipe would be waited for without end
        raise _wrong(path, "is not there" if not path.exists() else "is not a file")
    with path.open("rb") as file:
        return file.read(largest + 1)


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.")
