#!/usr/bin/env python3
"""Compares our code with the libraries that docs/project/libraries.md rejects.

pip install --target out/libraries --no-deps soxr==1.1.0
PYTHONPATH=.:out/libraries .venv/bin/python scripts/compare_libraries.py
"""

from __future__ import annotations

import importlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from reachy_agent_ros.audio.resampler import Resampler
from reachy_agent_ros.audio.samples import Samples

PERSONAS = Path(__file__).resolve().parent.parent / "config" / "personas"
DOCSTRING = "Count the cups.\n\n    Args:\n        label (str): What to count.\n\n    Returns:\n        The count.\n"
VALUES = {"owner": "Ada", "robot_name": "Reachy"}


def main() -> int:
    """Prints a line for each figure. Libraries that are not installed are skipped."""
    for compare in (databases, docstrings, templates, resampling):
        try:
            compare()
        except ImportError as error:
            print(f"{error.name} is not installed.")
    return 0


def databases() -> None:
    """Compares the agent's process with a process that also loads the database libraries.

    Raises:
        ImportError: A library is not installed.
    """
    for library in ("sqlalchemy", "alembic"):
        if find_spec(library) is None:
            raise ModuleNotFoundError(name=library)
    agent = "import reachy_agent_ros.ros.agent.agent\n"
    ours = [_process(agent) for _ in range(5)]
    theirs = [_process(f"{agent}import sqlalchemy.dialects.sqlite, alembic.command\n") for _ in range(5)]
    _print("agent: import, CPU", *(statistics.median(cpu for cpu, _ in each) for each in (ours, theirs)))
    _print("agent: memory", *(statistics.median(memory for _, memory in each) for each in (ours, theirs)), unit="MB")


def _process(program: str) -> tuple[float, float]:
    """Returns the CPU time (ms) and the resident memory (MB) of a new process."""
    told = "import psutil\nme = psutil.Process()\nprint(sum(me.cpu_times()[:2]) * 1e3, me.memory_info().rss / 1e6)"
    command = [sys.executable, "-c", program + told]
    cpu, memory = map(float, subprocess.check_output(command, text=True).split())  # noqa: S603 - this very Python
    return cpu, memory


def resampling() -> None:
    """Measures the time to resample 1 s of sound in chunks of 20 ms, and the delay of the output."""
    soxr: Any = importlib.import_module("soxr")
    for rate, target in ((22_050, 16_000), (22_050, 48_000), (48_000, 16_000)):
        sound = np.random.default_rng(0).integers(-20_000, 20_000, rate).astype(np.int16)
        pieces = [sound[start : start + rate // 50] for start in range(0, rate, rate // 50)]

        def ours(pieces: Sequence[Samples] = pieces, rate: int = rate, target: int = target) -> list[Samples]:
            resampler = Resampler(rate, target=target)
            return [resampler.process(piece) for piece in pieces]

        def theirs(pieces: Sequence[Samples] = pieces, rate: int = rate, target: int = target) -> list[Samples]:
            resampler = soxr.ResampleStream(rate, target, 1, dtype="int16")
            return [resampler.resample_chunk(piece) for piece in pieces]

        name = f"{rate} to {target} Hz"
        _print(f"{name}: CPU a second", _cpu_ms(ours), _cpu_ms(theirs))
        _print(f"{name}: sound held back", *(_held_back_ms(pieces, each(), rate, target) for each in (ours, theirs)))


def docstrings() -> None:
    """Measures the time to load the docstring parser and to parse the docstring of a tool."""
    ours_loaded = _import_ms("reachy_agent_ros.tool_generation.validation.docstring")
    _print("docstring: import", ours_loaded, _import_ms("griffe"))
    import griffe

    from reachy_agent_ros.tool_generation.validation.docstring import read_docstring

    theirs = _cpu_ms(lambda: griffe.Docstring(DOCSTRING).parse("google", warnings=False))
    _print("docstring: CPU", _cpu_ms(lambda: read_docstring(DOCSTRING)), theirs)


def templates() -> None:
    """Measures the time to render the instructions of a persona, with our templates and with Jinja."""
    _print("template: import", _import_ms("reachy_agent_ros.agent.personas.template"), _import_ms("jinja2.sandbox"))
    from jinja2.sandbox import SandboxedEnvironment

    from reachy_agent_ros.agent.personas.template import read_template

    path = PERSONAS / "companion" / "instructions.md"
    text = path.read_text("utf-8").replace("{include:common/character.md}", "{owner}")
    text = text.replace("{", "{{ ").replace("}", " }}")
    ours = _cpu_ms(lambda: read_template(path, (PERSONAS,), PERSONAS).expand(VALUES))
    theirs = _cpu_ms(lambda: SandboxedEnvironment().from_string(text).render(VALUES))
    _print("template: CPU a turn", ours, theirs)


def _held_back_ms(pieces: Sequence[Samples], outputs: Sequence[Samples], rate: int, target: int) -> float:
    """Returns the maximum delay (ms) of a resampler: the duration of the input that it has not returned yet."""
    given = np.cumsum([piece.size for piece in pieces]) / rate
    received = np.cumsum([output.size for output in outputs]) / target
    return float((given - received).max() * 1e3)


def _cpu_ms(function: Callable[[], object]) -> float:
    times = []
    for _ in range(50):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1e3


def _import_ms(module: str) -> float:
    start = time.process_time()
    importlib.import_module(module)
    return (time.process_time() - start) * 1e3


def _print(name: str, ours: float, theirs: float, *, unit: str = "ms") -> None:
    print(f"{name:32} ours {ours:8.3f} {unit}   theirs {theirs:8.3f} {unit}")


if __name__ == "__main__":
    sys.exit(main())
