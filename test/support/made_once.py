"""Cache shared by all graphs of a test run, for constant data that is slow to create."""

from __future__ import annotations

import os
from pathlib import Path

from reachy_agent_ros.core.durable_file import make_folder

MADE_ONCE = "REACHY_AGENT_TEST_MADE_ONCE"
"""Name of the environment variable with the path of the shared folder."""

VOICES = "voices"
"""Value of `tts.voice.CACHE`, whose module is slow to import."""


def share(cache: Path) -> None:
    """Links the shared network parts of voices into the cache of a graph.

    A voice is divided when it is first loaded, which takes 4 s of CPU time. The parts depend only on the file, whose
    digest names them, and several processes may create them at once. The rest of the cache (facts about models and the
    sandbox) is separate for each graph.
    """
    shared = Path(os.environ[MADE_ONCE], VOICES)
    make_folder(shared)
    make_folder(cache, 0o700)
    if not (cache / VOICES).exists():
        (cache / VOICES).symlink_to(shared)
