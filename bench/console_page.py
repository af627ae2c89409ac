"""Web console: time until the page is usable, size of the page, and CPU time of a browser that shows the robot.

Run `reachy-agent bench console_page` with nothing else running. It takes a minute, with `--full` 30 s more, and needs
Chromium. The graph runs in simulation; without a GPU, Chromium draws the robot in software, which costs far more.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import requests
from playwright.sync_api import Browser, Page

from bench.headless_chromium import headless_chromium
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.gateway.routes.page import FOLDER

PORT = 8078
ADDRESS = f"http://127.0.0.1:{PORT}"
VISITS, SHORT_VISITS = 10, 5
SETTLING = 5.0  # s
WATCHING, SHORT_WATCHING = 20.0, 10.0  # s
CAMERA = 10.0  # images per second
PATIENCE = 30.0  # s
SIZE = {"width": 1280, "height": 800}

# Usable: a person can write to the robot, and sees the state of robot and agent.
_NOTE_USE = """new MutationObserver((_, observer) => {
  if (!document.querySelector(".composer") || document.querySelectorAll(".badge.good, .badge.busy").length < 2) return;
  window.useful = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""


def main(as_json: bool, full: bool = False) -> int:
    """Starts a graph and a browser, and measures. Always returns exit code 0."""
    visits, watching = (VISITS, WATCHING) if full else (SHORT_VISITS, SHORT_WATCHING)
    with running_graph(f"gateway_port:={PORT}"), headless_chromium() as browser:
        figures = [*_visits(browser, visits), *_size(), *_watching(browser, watching)]
    print_report("console_page", figures, as_json)
    return 0


def _visits(browser: Browser, count: int) -> Iterator[Figure]:
    """Measures first visits with an empty cache, after a warm-up visit in which the gateway creates the robot model."""
    times, drawn = zip(*[_visit(browser) for _ in range(1 + count)][1:], strict=True)
    yield Figure(f"first useful view, median of {count}", percentile(times, 50), "ms", 1500.0)
    yield Figure("first useful view, slowest", max(times), "ms")
    yield Figure(f"robot drawn beside it, median of {count}", percentile(drawn, 50), "ms")


def _visit(browser: Browser) -> tuple[float, float]:
    with browser.new_context(base_url=ADDRESS, viewport=SIZE) as context:  # type: ignore[arg-type]
        context.set_default_timeout(1e3 * PATIENCE)
        context.add_init_script(_NOTE_USE)
        page = context.new_page()
        page.goto("/talk")
        page.locator(".badge").nth(1).wait_for()
        _await_robot(page)
        drawn = page.evaluate("performance.now()")
        return float(page.evaluate("window.useful")), float(drawn)


def _await_robot(page: Page) -> None:
    page.locator('.robot-picture canvas[aria-label*="looks"]').wait_for()


def _size() -> Iterator[Figure]:
    """Measures the size of the page with gzip compression; browsers that support Brotli load less."""
    page = sum(_smaller(file).stat().st_size for file in FOLDER.rglob("*") if file.suffix not in (".gz", ".br"))
    robot = requests.get(f"{ADDRESS}/api/v1/robot/model.glb", timeout=PATIENCE, stream=True)
    model = int(robot.headers["Content-Length"])
    yield Figure("page, compressed", page / 1e3, "kB")
    yield Figure("the robot's model, compressed", model / 1e3, "kB")
    yield Figure("both", (page + model) / 1e3, "kB", 600.0)


def _smaller(file: Path) -> Path:
    compressed = file.with_name(f"{file.name}.gz")
    return compressed if compressed.is_file() else file


def _watching(browser: Browser, seconds: float) -> Iterator[Figure]:
    """Measures the CPU time of the page "Watch" while it draws the breathing robot."""
    with browser.new_context(base_url=ADDRESS, viewport=SIZE) as context:  # type: ignore[arg-type]
        context.set_default_timeout(1e3 * PATIENCE)
        page = context.new_page()
        page.goto("/watch")
        _await_robot(page)
        time.sleep(SETTLING)
        processes = _processes()
        began, before, shown = time.monotonic(), _used(processes), list[float]()
        while time.monotonic() < began + seconds:
            time.sleep(1.0)
            shown.append(_rate(page))
        used = (_used(processes) - before) / (time.monotonic() - began)
    yield Figure("pictures shown a second, mean", sum(shown) / len(shown), "Hz", 0.95 * CAMERA, at_least=True)
    yield Figure("all of the browser with Watch open, of one core", 100.0 * used, "%", 30.0)


def _rate(page: Page) -> float:
    found = re.match(r"(\d+) pictures", page.locator(".camera-picture .picture-facts").inner_text())
    return float(found[1]) if found else 0.0


def _processes() -> Sequence[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if "chrom" in child.name()]


def _used(processes: Sequence[psutil.Process]) -> float:
    """Returns the CPU time (s) of the given processes, summed over all cores."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)
