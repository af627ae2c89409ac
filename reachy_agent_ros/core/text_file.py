"""Text files of people, read with care."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def read_text(path: Path, largest: int) -> str:
    """The text of a file.

    Args:
        path: The file.
        largest: Bytes that it may have.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is not there, no file, too large, or no text.
    """
    try:
        if not path.is_file():  # a pipe would be waited for without end
            raise _wrong(path, "is not there" if not path.exists() else "is no file")
        with path.open("rb") as file:
            content = file.read(largest + 1)
        if len(content) > largest:
            raise _wrong(path, f"has more than {largest} bytes")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong(path, "is not text in UTF-8") from None
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from error
    return text.replace("\r\n", "\n")


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} {complaint}.")
