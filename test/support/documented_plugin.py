"""Example plugin of docs/guides/plugins.md, which tests install with pip."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from reachy_agent_ros.tools.plugins import GROUP
from support import ROOT

_DOCUMENT = ROOT / "docs" / "guides" / "plugins.md"


class DocumentedPlugin:
    """Project files of the example plugin in the documentation.

    Attributes:
        project: Name of the distribution.
        entry: Name of its entry point.
        module: Module of the entry point.
        attribute: Name of the tool in the module.
        code: Source of the module.
    """

    def __init__(self) -> None:
        text = _DOCUMENT.read_text(encoding="utf-8")
        self._toml, self.code = re.findall(r"^`[\w.]+`:\n\n```\w+\n(.*?)```", text, re.MULTILINE | re.DOTALL)
        project = tomllib.loads(self._toml)["project"]
        self.project: str = project["name"]
        ((self.entry, value),) = project["entry-points"][GROUP].items()
        self.module, _, self.attribute = value.partition(":")

    def pip_install(self, folder: Path) -> Path:
        """Writes the project into a folder and installs it with pip into a subfolder.

        Returns:
            The folder to add to the module path. It does not belong to an environment, so no environment is modified.
        """
        project, target = folder / "project", folder / "site"
        project.mkdir()
        (project / "pyproject.toml").write_text(self._toml, encoding="utf-8")
        (project / f"{self.module}.py").write_text(self.code, encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index"]
        subprocess.run([*pip, "--target", str(target), str(project)], check=True)
        return target
