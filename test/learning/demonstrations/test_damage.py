"""Demonstrations whose files are corrupt, truncated, or written by a newer version of the program."""

import logging
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag import Bag
from reachy_agent_ros.learning.demonstrations.bag_writer import CHUNK, BagWriter
from reachy_agent_ros.learning.demonstrations.demonstration import FILE, Demonstration
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.sources import trimmed
from reachy_agent_ros.storage.checked_json import checked_json
from support.learning.shown import cdr, header, nod, recorded


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demonstrations, Demonstration]:
    demonstrations = Demonstrations(tmp_path_factory.mktemp("kept"))
    return demonstrations, recorded(demonstrations)


def bag_of(demonstrations: Demonstrations, one: Demonstration) -> Path:
    return next(demonstrations.path(one).glob("*.mcap"))


@pytest.mark.parametrize("content", [checked_json("demonstration", {}, 99), "nonsense", "\udcff"])
def test_lists_usable_demonstrations_and_reports_unusable_demonstrations(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    demonstrations = Demonstrations(tmp_path)
    good, bad = recorded(demonstrations), recorded(demonstrations, later=1.0)
    (demonstrations.path(bad) / FILE).write_text(content, errors="surrogateescape")
    with caplog.at_level(logging.ERROR):
        assert demonstrations.listed() == demonstrations.listed() == [good]
    assert [record.message.count(bad.identifier) for record in caplog.records] == [1]
    assert list(demonstrations.refused) == [bad.identifier]
    with pytest.raises(AgentError, match=r"later version|Damaged") as error:
        demonstrations.find(bad.identifier)
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert demonstrations.find(good.identifier) == good


@settings(max_examples=40)
@given(share=st.floats(0.0, 1.0, exclude_max=True), bit=st.integers(0, 7))
def test_detects_any_flipped_bit_in_a_bag(kept: tuple[Demonstrations, Demonstration], share: float, bit: int) -> None:
    demonstrations, one = kept
    path = bag_of(demonstrations, one)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[int(share * len(whole))] ^= 1 << bit
    path.write_bytes(damaged)
    try:
        for read in (lambda: demonstrations.bag(one).trajectory(), lambda: trimmed(demonstrations, one, 0.0, 1.0)):
            with pytest.raises(AgentError, match="changed on disk"):
                read()
    finally:
        path.write_bytes(whole)


@pytest.mark.slow
@settings(max_examples=40)
@given(cut=st.floats(0.2, 1.0), flipped=st.floats(0.0, 1.0, exclude_max=True), bit=st.integers(0, 7))
def test_truncated_recording_yields_only_intact_postures(
    kept: tuple[Demonstrations, Demonstration],
    cut: float,
    flipped: float,
    bit: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    content = bytearray(bag_of(*kept).read_bytes())
    content = content[: int(cut * len(content)) - 1]
    content[int(flipped * len(content))] ^= 1 << bit
    folder = tmp_path_factory.mktemp("cut")
    (folder / "cut.mcap").write_bytes(content)
    try:
        values = Bag(folder).trajectory(50.0).values
    except AgentError:
        values = np.empty((0, 9))
    assert np.allclose(values, np.array(nod())[: len(values)], atol=1e-6)
    shutil.rmtree(folder)


def picture(number: int) -> bytes:
    noise = np.frombuffer(random.Random(number).randbytes(1000), np.uint8)
    return cdr(names.IMAGE, header=header("camera"), format="jpeg", data=noise)


@pytest.mark.slow
@settings(max_examples=20)
@given(share=st.floats(0.3, 1.0))
def test_truncated_bag_loses_only_last_chunk(share: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("chunks")
    writer = BagWriter(folder / "bag", names.NAMESPACE)
    for number in range(400):
        writer.write(names.IMAGE, 10**9 + number, picture(number))
    writer.sync()
    writer.abandon()
    (path,) = (folder / "bag").glob("*.mcap")
    content = path.read_bytes()
    each = len(content) / 400
    path.write_bytes(content[: int(share * len(content))])
    found = [one.content.data.tobytes() for one in Bag(folder / "bag").messages(names.IMAGE)]
    assert found == [picture(number)[-1000:] for number in range(len(found))]
    assert len(found) >= (share * len(content) - CHUNK) / each - 2
    shutil.rmtree(folder)
