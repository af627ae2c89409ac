"""Short run of `scripts/fuzz product` with a fixed seed, and tests of the fuzzer itself."""

import random
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from geometry_msgs.msg import PoseStamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from fuzz import watched_process
from fuzz.failure_folder import FailureFolder
from fuzz.live.graph_entrances import service_type
from fuzz.mutation.message_values import BAD_TEXT, filled, with_bad_text
from fuzz.surfaces import TARGETS, watched_surfaces
from fuzz.watched_surface import WatchedSurface
from fuzz.worker import case_of
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.client.topic_view import message_type
from support.cases import mostly_nightly
from support.robot.fuzzed_targets import Unsound

SEED = 1
INTERFACES = Path(__file__).parents[2] / "reachy_agent_msgs"
NATIVE = ("sounds", "strangers-pictures", "own-pictures", "networks")
"""Targets with native libraries, which may crash their process."""

FEW = {"tool-reading": 2, "turns": 5, "plans": 10, "memories": 10, "bags": 10, "scenarios": 10, "model-replies": 30}
MANY = 40


@pytest.fixture(autouse=True)
def _files_in_the_tests_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in NATIVE])
def test_fuzz_target_accepts_mutated_input_or_raises_agent_error(name: str) -> None:
    _, make = TARGETS[name]
    target = make()
    for number in range(FEW.get(name, MANY)):
        with suppress(AgentError):  # any other error fails the test
            target.take(case_of(target, SEED, number))


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_nightly(NATIVE))
def test_mutated_files_do_not_crash_native_libraries(name: str, tmp_path: Path) -> None:
    surface = next(one for one in watched_surfaces(FailureFolder(tmp_path)) if one.name == name)
    outcome = surface.run(MANY, SEED)
    assert (outcome.cases, outcome.crashes, outcome.hangs) == (MANY, [], [])


@pytest.fixture
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_process, "CPU_TIME", 0.3)


@pytest.mark.slow
@pytest.mark.usefixtures("_little_patience")
def test_crashes_and_hangs_are_reported_with_their_inputs(tmp_path: Path) -> None:
    outcome = WatchedSurface("unsound", 1, Unsound, FailureFolder(tmp_path)).run(16, SEED)
    inputs = [int(case_of(Unsound(), SEED, number)) for number in range(16)]
    assert {0, 1, 2} <= set(inputs), "choose a seed that generates all three failures"
    assert outcome.cases == 16
    assert outcome.taken == sum(number > 3 for number in inputs)
    died = [failure for failure in outcome.crashes if "SIGSEGV" in failure.reason]
    erred = [failure for failure in outcome.crashes if "KeyError" in failure.reason]
    for found, wanted in ((died, 0), (erred, 1), (outcome.hangs, 2)):
        assert [failure.case for failure in found] == [at for at, number in enumerate(inputs) if number == wanted]
        assert all(failure.kept.read_bytes() == b"%d" % wanted for failure in found)


def test_same_seed_generates_same_cases() -> None:
    _, make = TARGETS["networks"]
    assert [case_of(make(), SEED, n) for n in range(5)] == [case_of(make(), SEED, n) for n in range(5)]
    assert case_of(make(), SEED, 0) != case_of(make(), SEED + 1, 0)


def ours(folder: str) -> list[str]:
    return sorted(path.stem for path in (INTERFACES / folder).iterdir())


KINDS = [
    *(PoseStamped, JointState, String),
    *(message_type(f"reachy_agent_msgs/msg/{name}") for name in ours("msg")),
    *(service_type(f"reachy_agent_msgs/srv/{name}").Request for name in ours("srv")),
    *(service_type(f"reachy_agent_msgs/action/{name}_SendGoal").Request for name in ours("action")),
    *(service_type(f"reachy_agent_msgs/action/{name}_GetResult").Request for name in ours("action")),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_random_message_of_any_type_can_be_serialized(kind: type) -> None:
    for number in range(10):
        message = filled(kind, random.Random(number))
        assert isinstance(deserialize_message(serialize_message(message), kind), kind)


def test_serialized_message_can_contain_invalid_utf8() -> None:
    serialized = with_bad_text(serialize_message(String(data=f"a{BAD_TEXT}b")))
    assert b"\xff\xfe\xc3\x28" in serialized
