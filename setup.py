"""Setup script that installs the nodes, the command `reachy-agent`, launch files and configuration.

Version, description, maintainer, license and URLs come from `package.xml`.
"""

from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages, setup

NAME = "reachy_agent_ros"

PACKAGE = ElementTree.parse("package.xml").getroot()  # noqa: S314 - our own file

NODES = ("hardware_bridge", "camera", "vision", "stt", "tts", "tool_server", "feedback", "trainer", "agent", "gateway")


def share(top: str) -> list[tuple[str, list[str]]]:
    """Returns `data_files` entries that install a folder with its subfolders in the package's share folder."""
    folders = [Path(top), *sorted(path for path in Path(top).rglob("*") if path.is_dir())]
    return [
        (f"share/{NAME}/{folder}", [str(path) for path in sorted(folder.iterdir()) if path.is_file()])
        for folder in folders
        if folder.name != "__pycache__"
    ]


setup(
    name=NAME,
    version=PACKAGE.findtext("version"),
    packages=find_packages(include=[NAME, f"{NAME}.*"]),
    package_data={
        NAME: [
            "py.typed",
            "agent/provenance/*.txt",
            "gateway/page/*",
            "gateway/page/assets/*",
            "learning/advisor/*.npz",
            "learning/evaluation/*.css",
            "learning/reward/*.npz",
            "learning/reward/*.tsv",
            "motion/emotions/*.json",
            "motion/gestures/*.json",
            "nlu/*.npz",
            "nlu/exemplars.txt",
            "nlu/languages/*/*.yaml",
            "nlu/languages/*/intents/*.yaml",
            "nlu/small_talk.tsv",
            "nlu/stop/*.npz",
            "nlu/stop/lexicon/*.yaml",
            "nlu/turn/*.npz",
            "robot/head_clearance.npz",
            "ros/rclpy_ext/*.md",
            "tool_generation/*.md",
            "vision/weights/*.onnx",
        ]
    },
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        *share("launch"),
        *share("config"),
    ],
    python_requires=">=3.11",
    extras_require={"test": ["pytest"]},  # by this colcon knows that pytest runs the tests
    zip_safe=False,
    maintainer=PACKAGE.findtext("maintainer"),
    maintainer_email=PACKAGE.find("maintainer").get("email"),
    description=PACKAGE.findtext("description"),
    license=PACKAGE.findtext("license"),
    project_urls={url.get("type", "website").capitalize(): url.text for url in PACKAGE.findall("url")},
    entry_points={
        "console_scripts": [
            "reachy-agent = reachy_agent_ros.cli.__main__:main",
            *(f"{node} = {NAME}.ros.{node}.{node}:main" for node in NODES),
        ],
    },
)
