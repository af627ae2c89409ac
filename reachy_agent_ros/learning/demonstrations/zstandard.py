"""Zstandard compression: the standard library's from Python 3.14 on, its backport before."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdError, compress
else:
    from backports.zstd import CompressionParameter, ZstdError, compress

__all__ = ["CompressionParameter", "ZstdError", "compress"]
