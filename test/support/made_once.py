"""What all graphs of a test run may have in common, because it takes long to make and is the same each time."""

from __future__ import annotations

import os
from pathlib import Path

from reachy_agent_ros.core.durable_file import make_folder

MADE_ONCE = "REACHY_AGENT_TEST_MADE_ONCE"
"""Environment variable with the folder for it."""

VOICES = "voices"
"""`tts.voice.CACHE`, whose module takes long to import."""


def share(cache: Path) -> None:
    """Links the parts of voices into a graph's own cache.

    A voice is cut when it is first loaded, which takes 4 s of processor time. Its parts depend on nothing but its file,
    under whose digest they are kept, and several processes may make them at once. The rest of the cache (what was found
    out about models and the sandbox) is each graph's own.
    """
    shared = Path(os.environ[MADE_ONCE], VOICES)
    make_folder(shared)
    make_folder(cache, 0o700)
    if not (cache / VOICES).exists():
        (cache / VOICES).symlink_to(shared)
