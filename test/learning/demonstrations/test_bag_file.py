"""Reading of truncated and damaged bag files."""

import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosbags.highlevel import AnyReader

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag import Bag
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from support import TEST
from support.learning.shown import nod, recorded

RECORDER = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from support.learning.shown import Clock, begun, nod, push_all
clock = Clock()
recorder = begun(Path(sys.argv[1]), clock)
write, written = recorder._bag.write, []
recorder._bag.write = lambda *message: (write(*message), written.append(message))
push_all(recorder, clock, nod())
while len(written) < recorder.samples:
    pass
recorder._bag.sync()
push_all(recorder, clock, nod())
os._exit(1)  # like a crash: no flush, no close
"""


@pytest.mark.slow
def test_recovers_synced_messages_of_bag_after_crash(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", RECORDER, str(tmp_path), str(TEST)], check=False, timeout=60)
    demonstrations = Demonstrations(tmp_path)
    (left,) = demonstrations.listed()
    assert left.quality is not None
    assert left.quality.cut
    assert left.duration is not None
    assert left.duration >= 1.9
    values = demonstrations.bag(left).trajectory(50.0).values
    assert np.allclose(values[:101], np.array(nod()), atol=1e-6)
    with AnyReader([demonstrations.path(left)]) as reader:  # after recovery, the folder is a complete bag
        assert reader.message_count >= 200
    assert demonstrations.listed() == [left]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    demonstrations = Demonstrations(tmp_path_factory.mktemp("whole"))
    shown = recorded(demonstrations)
    return next(demonstrations.path(shown).glob("*.mcap")).read_bytes()


@pytest.mark.slow
@settings(max_examples=25)
@given(share=st.floats(0.0, 1.0, exclude_max=True))
def test_bag_truncated_at_any_byte_is_read_or_rejected(
    share: float, whole: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    length = int(share * len(whole))
    folder = tmp_path_factory.mktemp("cut")
    (folder / "cut.mcap").write_bytes(whole[:length])
    try:
        values = Bag(folder).trajectory(50.0).values
    except AgentError as error:
        refusal = error.code
        values = np.empty((0, 9))
    else:
        refusal = ErrorCode.NO_DATA
    assert refusal in (ErrorCode.NO_DATA, ErrorCode.INVALID_GOAL)
    assert np.allclose(values, np.array(nod())[: len(values)], atol=1e-6)
    shutil.rmtree(folder)


@settings(max_examples=25)
@given(st.binary(max_size=300))
def test_rejects_file_that_is_not_a_bag(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("none")
    (folder / "none.mcap").write_bytes(content)
    with pytest.raises(AgentError) as error:
        Bag(folder).trajectory()
    assert error.value.code in (ErrorCode.NO_DATA, ErrorCode.INVALID_GOAL)
    shutil.rmtree(folder)


@pytest.mark.slow
@settings(max_examples=50)
@given(place=st.floats(0.0, 1.0, exclude_max=True), value=st.binary(min_size=1, max_size=8))
def test_damaged_bag_yields_finite_postures_or_agent_error(
    place: float, value: bytes, whole: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    start = int(place * len(whole))
    (folder / "changed.mcap").write_bytes(whole[:start] + value + whole[start + len(value) :])
    with suppress(AgentError):  # any other exception fails the test
        assert np.isfinite(Bag(folder).trajectory().values).all()
        list(Bag(folder).images())
    shutil.rmtree(folder)


def test_ignores_zero_bytes_at_end_of_bag(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "zeros.mcap").write_bytes(whole[: len(whole) - 2000] + bytes(5000))
    values = Bag(tmp_path).trajectory(50.0).values
    assert np.allclose(values, np.array(nod())[: len(values)], atol=1e-6)
