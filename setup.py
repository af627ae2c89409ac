"""Installs the nodes, the `reachy-agent` command, launch files and configuration."""

from pathlib import Path

from setuptools import setup

NAME = "reachy_agent_ros"

PACKAGES = (
    "audio",
    "commands",
    "core",
    "hearing",
    "mind",
    "mind.model",
    "mind.reflex",
    "motion",
    "nodes",
    "robot",
    "seeing",
    "speaking",
    "supervision",
    "tools",
    "tools.predefined",
)

NODES = ("hardware_bridge", "camera", "stt", "tts", "tool_server", "agent")


def files(folder: str, pattern: str) -> tuple[str, list[str]]:
    """One `data_files` entry: a folder's matching files, installed under the package's share."""
    return f"share/{NAME}/{folder}", [str(path) for path in sorted(Path(folder).glob(pattern))]


setup(
    name=NAME,
    version="0.1.0",
    packages=[NAME, *(f"{NAME}.{package}" for package in PACKAGES)],
    package_data={NAME: ["py.typed", "motion/emotions/*.json"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        files("launch", "*.launch.py"),
        files("config", "*"),
    ],
    python_requires=">=3.11",
    zip_safe=False,
    maintainer="Reachy Agent maintainers",
    maintainer_email="maintainers@reachy-agent.org",
    description="A Reachy Mini that hears, sees, speaks, moves and learns, as ROS 2 nodes.",
    license="Apache-2.0",
    entry_points={
        "console_scripts": [
            "reachy-agent = reachy_agent_ros.cli:main",
            *(f"{node} = {NAME}.nodes.{node}:main" for node in NODES),
        ],
    },
)
