"""Web console in a browser window, for end-to-end tests."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from support import ROOT
from support.waiting import PATIENCE

AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"

PICTURES = os.environ.get("REACHY_AGENT_SCREENSHOTS")
"""Folder for screenshots of the views. If it is not set, tests save no screenshots."""

_AXE = """async () => (await axe.run()).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))"""


class ConsoleWindow:
    """Console page in a new browser context without stored data, used as a context manager.

    Args:
        browser: Browser in which the page is opened.
        url: URL of the gateway.
        options: Options of the browser context, such as `viewport` and `color_scheme`, or those of a phone.

    Attributes:
        browser: Browser in which the page is opened.
        page: Playwright page.
        errors: Errors in the browser's console. Leaving the block asserts that there are none.
        badges: Status of the connection, the robot and the agent.
        stop: The stop button.
        stopped: Notice that the robot is stopped.
        stale: Notice that the data is old.
        reply: The robot's latest reply under Talk.
        robot: The 3D view of the robot.
    """

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.browser = browser
        self._context = browser.new_context(base_url=url, **options)
        self._context.set_default_timeout(1e3 * PATIENCE)
        self.page = page = self._context.new_page()
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.badges = page.locator(".badges")
        self.stop = page.locator("#stop")
        self.stopped = page.get_by_role("alert").filter(has_text="The robot is stopped")
        self.stale = page.locator(".stale")
        self.reply = page.locator(".line.robot").last
        self.robot = page.locator(".robot-picture canvas")

    def __enter__(self) -> ConsoleWindow:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        self._context.close()
        assert failed or not self.errors, self.errors

    def open(self, view: str) -> None:
        """Opens a view by its URL and waits until its content is loaded."""
        self.page.goto(f"/{view}")
        expect(self.badges).to_contain_text("Agent")
        expect(self.page.locator(".loading")).to_have_count(0)

    def go(self, view: str) -> None:
        """Opens a view through the navigation menu."""
        self.page.get_by_role("navigation").get_by_role("link", name=view).click()
        expect(self.page.get_by_role("heading", level=1, name=view)).to_have_count(1)

    def press(self, name: str, within: Locator | None = None) -> None:
        """Clicks a button."""
        (within or self.page).get_by_role("button", name=name, exact=True).click()

    def say(self, sentence: str) -> None:
        """Sends a typed message to the robot."""
        self.page.get_by_label("Message").fill(sentence)
        self.press("Send")

    def head_yaw(self) -> float:
        """Returns the yaw of the rendered head in degrees, rounded to multiples of 5.

        Positive is to the left. NaN before the first rendering.
        """
        shown = self.robot.get_attribute("aria-label") or ""
        aside = re.search(r"looks (?:straight ahead|(\d+) degrees to the (left|right))", shown)
        if aside is None:
            return float("nan")
        return float(aside[1] or 0) * (-1.0 if aside[2] == "right" else 1.0)

    def robot_picture(self) -> Image.Image:
        """Returns a grayscale screenshot of the rendered robot."""
        return Image.open(io.BytesIO(self.robot.screenshot())).convert("L")

    def inaccessible(self) -> list[str]:
        """Returns the serious and critical accessibility violations that axe finds in both color schemes."""
        found: list[str] = []
        self.page.evaluate(AXE.read_text())
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found += [f"{scheme}: {one}" for one in self.page.evaluate(_AXE)]
        return found

    def keep_picture(self, name: str) -> None:
        """Saves a screenshot for the documentation to the folder `PICTURES`, reduced to 256 colors."""
        if PICTURES is not None:
            picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
            picture.quantize(256).save(Path(PICTURES, f"{name}.png"), optimize=True)
