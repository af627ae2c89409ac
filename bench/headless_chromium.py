"""Chromium without a screen, for what only a browser can tell."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")

# As root it refuses to sandbox itself. There is no GPU, and by the last one it says that it draws in software.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader")


def chromium_path() -> str | None:
    """Where this machine has one, None if it has not."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def headless_chromium(program: str | None = None) -> Iterator[Browser]:
    """Runs one, for a `with` block.

    Args:
        program: Path of what is run; None: `chromium_path`.

    Raises:
        FileNotFoundError: This machine has none.
    """
    path = program or chromium_path()
    if path is None:
        raise FileNotFoundError(f"There is no {', '.join(NAMES)} here: apt-get install chromium.")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=ARGUMENTS) as browser:
        yield browser
