"""Table of the QoS profiles, from their definitions in `ros/rclpy_ext/qos.py`."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from reachy_agent_ros.ros.rclpy_ext import qos
from scripts.reference_pages.markdown import code, sentence, table

_RELIABILITY = {ReliabilityPolicy.RELIABLE: "reliable", ReliabilityPolicy.BEST_EFFORT: "best effort"}
_DURABILITY = {DurabilityPolicy.VOLATILE: "volatile", DurabilityPolicy.TRANSIENT_LOCAL: "transient local"}


def profile_table() -> str:
    """Returns the table with the name, the policies and the docstring of each profile."""
    documents = _documents(Path(qos.__file__))
    profiles = {name: value for name, value in vars(qos).items() if isinstance(value, QoSProfile)}
    rows = [
        (
            code(name),
            _RELIABILITY[profile.reliability],
            _DURABILITY[profile.durability],
            str(profile.depth),
            sentence(documents[name]),
        )
        for name, profile in profiles.items()
    ]
    return table(("Profile", "Reliability", "Durability", "Depth", "Use"), rows)


def _documents(path: Path) -> dict[str, str]:
    """Returns the docstring after each assignment of a module, on one line, keyed by the assigned name."""
    documents = {}
    for assignment, document in pairwise(ast.parse(path.read_text(encoding="utf-8")).body):
        match assignment, document:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(text))):
                documents[name] = " ".join(text.split())
    return documents
