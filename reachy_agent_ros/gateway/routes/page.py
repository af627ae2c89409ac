"""Web console: one page and its assets, served from the package."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

FOLDER = Path(__file__).parent.parent / "page"
"""Output folder of `npm run build` in `console/`, which the setup runs."""

_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Suffixes of the compressed copies that are made when the page is built, best first."""

_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "style-src 'self' 'unsafe-inline'",  # plots position elements with style attributes
        "script-src 'self' 'wasm-unsafe-eval'",  # the decoder of the robot's meshes
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Encoding",
}

_FOREVER = "public, max-age=31536000, immutable"


def install(application: FastAPI, folder: Path = FOLDER) -> None:
    """Serves the console at every path that has no other route.

    Args:
        application: Application that already has all its other routes.
        folder: Folder of the built page.
    """

    @application.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> FileResponse:
        return _answer(folder, path, request.headers.get("accept-encoding", ""))


def _answer(folder: Path, path: str, accepted: str) -> FileResponse:
    file = _file(folder, path)
    # File names in assets/ contain a digest of the content.
    headers = {**_HEADERS, "Cache-Control": _FOREVER if path.startswith("assets/") else "no-cache"}
    kind = guess_type(file.name)[0]
    for encoding, suffix in _ENCODINGS.items():
        smaller = file.with_name(file.name + suffix)
        if encoding in accepted and smaller.is_file():
            return FileResponse(smaller, headers={**headers, "Content-Encoding": encoding}, media_type=kind)
    return FileResponse(file, headers=headers, media_type=kind)


def _file(folder: Path, path: str) -> Path:
    """Returns the file for a path. A path without a suffix is a view of the console, and returns index.html."""
    with suppress(OSError, ValueError):  # paths that are too long or contain a NUL character
        wanted = (folder / path).resolve()
        if wanted.is_file() and wanted.is_relative_to(folder.resolve()):
            return wanted
    index = folder / "index.html"
    if path.startswith("api/") or "." in Path(path).name:
        raise HTTPException(HTTPStatus.NOT_FOUND, "Nothing is served at this path.")
    if not index.is_file():
        raise HTTPException(HTTPStatus.NOT_FOUND, "The console is not built. Run scripts/setup.")
    return index
