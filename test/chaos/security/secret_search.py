"""Search for secrets in texts, files and archives."""

from __future__ import annotations

import base64
import gzip
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from backports import zstd

_LARGEST = 256 << 20  # B
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_PACKED = (zipfile.BadZipFile, OSError, EOFError, zlib.error)


class SecretSearch:
    """Search that records the locations of leaked secrets.

    Args:
        secrets: Secrets by name. They must be long enough that no match occurs by chance.

    Attributes:
        places: Locations of secrets, as `the model's key in PLACE`.
        searched: Number of texts and files that were searched.
        size: Total size of the searched texts and files, B.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.places: list[str] = []
        self.searched = self.size = 0
        self._forms = {name: tuple(_forms(secret)) for name, secret in secrets.items()}

    def look_at(self, place: str, content: bytes | str) -> None:
        """Searches a text or bytes, and the content of any archive in the data."""
        data = content.encode(errors="replace") if isinstance(content, str) else content
        self.searched += 1
        self.size += len(data)
        self.places += [
            f"{name} in {place}" for name, forms in self._forms.items() if any(one in data for one in forms)
        ]
        try:
            self._unpack(place, data)
        except _PACKED:
            return

    def look_into(self, folders: Iterable[Path]) -> None:
        """Searches the path and the content of every file in the given folders."""
        for path in (path for folder in folders for path in sorted(folder.rglob("*"))):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGEST:
                self.look_at(str(path), str(path).encode() + b"\n" + path.read_bytes())

    def _unpack(self, place: str, data: bytes) -> None:
        start = data.find(b"PK\x03\x04")
        if 0 <= start < 4096:
            with zipfile.ZipFile(io.BytesIO(data[start:])) as archive:
                for name in archive.namelist():
                    self.look_at(f"{place}: {name}", archive.read(name))
        elif data[:2] == b"\x1f\x8b":
            self.look_at(f"{place}: unpacked", gzip.decompress(data))
        for frame in _frames(data):
            self.look_at(f"{place}: unpacked", frame)


def _frames(data: bytes) -> Iterator[bytes]:
    """Finds and decompresses all Zstandard frames in binary data, at any position.

    The chunks of bags are such frames.
    """
    start = data.find(_ZSTANDARD)
    while start >= 0:
        with suppress(zstd.ZstdError):  # not the start of a frame
            yield zstd.ZstdDecompressor().decompress(memoryview(data)[start:])
        start = data.find(_ZSTANDARD, start + len(_ZSTANDARD))


def _forms(secret: str) -> Iterable[bytes]:
    """Yields the encodings of a secret: plain, URL-encoded, and base64 in each of the three possible alignments."""
    yield secret.encode()
    yield quote(secret, safe="").encode()
    for skipped in range(3):
        encoded = base64.b64encode(b"\0" * skipped + secret.encode())
        yield encoded[4:-4] if skipped else encoded[:-4]
