"""PNG files that are small but would decode to a huge image."""

import struct
import zlib


def huge_png(side: int) -> bytes:
    """Returns the start of a PNG file of `side` times `side` pixels, with a complete header."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1_000)))
