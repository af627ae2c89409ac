"""Libraries and files that tools need in the sandbox."""

from pathlib import Path

import pytest

from reachy_agent_ros.tool_generation.sandbox.backend import SandboxBackend, SandboxTier
from reachy_agent_ros.tool_generation.sandbox.rootfs import INSIDE, rootfs
from support.tool_generation.unguarded_box import Run

USES = {
    "numpy": ("import numpy as np; return float(np.linalg.det(np.eye(3)))", 1.0),
    "OpenCV": ("import cv2, numpy as np; return cv2.cvtColor(np.ones((2, 2, 3), np.uint8), 6).shape[0]", 2),
    "an encoded picture": (
        "import cv2, numpy as np; return len(cv2.imencode('.jpg', np.zeros((9, 9, 3), np.uint8))[1]) > 99",
        True,
    ),
    "Pillow": ("from PIL import Image; return Image.new('RGB', (4, 3)).resize((8, 6)).size[0]", 8),
    "time zones": (
        "import zoneinfo, datetime as d; return d.datetime.now(zoneinfo.ZoneInfo('Asia/Tokyo')).tzname()",
        "JST",
    ),
    "digests": ("import hashlib; return hashlib.sha256(b'').hexdigest()[:4]", "e3b0"),
    "exact numbers": ("import decimal, fractions; return str(decimal.Decimal('0.1') + decimal.Decimal('0.2'))", "0.3"),
    "dates, text, lists": ("import calendar, json, re, statistics; return statistics.mean([1, 2, 3])", 2),
    "chance": ("import random, secrets; return 0 <= random.random() < 1 and len(secrets.token_bytes(4)) == 4", True),
}


@pytest.mark.parametrize("what", USES)
def test_libraries_for_tools_work_in_sandbox(run: Run, what: str) -> None:
    body, expected = USES[what]
    end = run(body, memory_mb=512)
    assert end.result == expected, end


def test_scratch_folder_of_sandbox_is_writable_and_temporary(run: Run, backend: SandboxBackend) -> None:
    if backend.tier is not SandboxTier.NAMESPACES:
        pytest.skip("the Landlock sandbox has no scratch folder")
    write = "from pathlib import Path; Path('note').write_text('x'); return Path('/tmp/note').read_text()"
    assert run(write).result == "x"
    assert run("import os; return os.listdir('/tmp')").result == []


def test_sandbox_contains_only_worker_folder_of_this_package() -> None:
    packages = dict(rootfs().packages)
    assert {name.split(".")[0] for name in packages} <= {
        INSIDE,
        "numpy",
        "cv2",
        "PIL",
        "opencv_python_headless",
        "pillow",
    }
    assert all(path.exists() for path in packages.values())
    assert packages[INSIDE].name == Path(INSIDE).name
