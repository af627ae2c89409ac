"""Headless Chromium for measurements and tests in a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")

# As root, Chromium refuses to run with its sandbox. Without a GPU, the last flag permits software rendering.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader")


def chromium_path() -> str | None:
    """Returns the path of an installed Chromium, or None if Chromium is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def headless_chromium(program: str | None = None) -> Iterator[Browser]:
    """Runs Chromium during a `with` block.

    Args:
        program: Path of the program; by default `chromium_path`.

    Raises:
        FileNotFoundError: Chromium is not installed.
    """
    path = program or chromium_path()
    if path is None:
        raise FileNotFoundError(f"Chromium ({', '.join(NAMES)}) is not installed: apt-get install chromium.")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=ARGUMENTS) as browser:
        yield browser
