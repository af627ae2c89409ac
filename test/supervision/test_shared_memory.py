import shutil
import subprocess
import sys

import pytest

from reachy_agent_ros.supervision.shared_memory import require_room

FULL = ("--size", "65536", "--tmpfs", "/dev/shm")
FILL = 'head -c 65536 /dev/zero > /dev/shm/full 2>/dev/null; exec "$@"'
QUESTION = "from reachy_agent_ros.supervision.shared_memory import require_room; require_room()"


def test_this_machine_has_room():
    require_room()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_graph_is_not_started_where_its_nodes_would_die_and_is_told_why():
    box = ("bwrap", "--dev-bind", "/", "/", *FULL, "sh", "-c", FILL, "sh")
    ended = subprocess.run([*box, sys.executable, "-c", QUESTION], capture_output=True, text=True)
    if "bwrap:" in ended.stderr:
        pytest.skip("no mount namespace can be made here")
    assert ended.returncode == 1
    assert "/dev/shm is full" in ended.stderr
