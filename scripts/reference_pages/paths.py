"""Source and target folders of the generated pages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "docs" / "reference"
PACKAGE = "reachy_agent_msgs"
NAMES = ROOT / "reachy_agent_ros" / "core" / "names.py"
