"""A copy of this checkout, in which a measurement may change whatever it likes."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def checkout_copy() -> Iterator[Path]:
    """What git has or would take, as it stands; gone in the end."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory(prefix="checkout-") as folder:
        for name in filter(None, listed.split("\0")):
            source, target = ROOT / name, Path(folder, name)
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        yield Path(folder)
