"""Locks of files that another process seems to hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor, unlock_descriptor


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Locks an existing file during a `with` block, like another process that is writing to the file."""
    with path.open("rb+") as file:
        assert lock_descriptor(file.fileno(), blocking=True)
        try:
            yield
        finally:
            unlock_descriptor(file.fileno())
