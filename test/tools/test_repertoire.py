from dataclasses import dataclass

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import Progress, ToolContext
from reachy_agent_ros.tools.repertoire import NOTHING, perform


@dataclass
class Lowering:
    """Learned move that lowers the head within 0.06 s."""

    start: BodyPose
    end: BodyPose
    duration: float = 0.06
    period: float = 0.02
    asked: tuple[float, float] = (0.0, 0.0)

    def begin(self, present: BodyPose, size: float, tempo: float) -> "Lowering":
        self.asked = size, tempo
        return self

    def target(self, measured: BodyPose, time: float) -> BodyPose:
        return BodyPose(head_transform(pitch=time))


def context(body: RecordingBody, reports: list[Progress], cancel: CancelToken | None = None) -> ToolContext:
    return ToolContext(body, Deadline(10.0), reports.append, cancel or CancelToken())


BENT = BodyPose(head_transform(pitch=0.3))


@pytest.mark.parametrize(("library", "last"), [(MoveLibrary.GESTURE, BodyPose()), (MoveLibrary.RECORDED, BENT)])
def test_only_taught_gesture_returns_to_start_posture(library: MoveLibrary, last: BodyPose) -> None:
    body, reports = RecordingBody(), list[Progress]()
    perform(Lowering(BodyPose(), BENT), NamedMotion(library, "bow"), context(body, reports))
    assert len(body.streamed) >= 2
    assert isinstance(body.motions[-1], PoseMotion)
    assert (body.motions[-1].head == last.head).all()
    assert 0.0 <= reports[0].fraction < reports[-1].fraction < 1.0


def test_taught_move_begins_at_its_start_posture() -> None:
    body = RecordingBody()
    perform(Lowering(BENT, BENT), NamedMotion(MoveLibrary.GESTURE, "bow"), context(body, []))
    assert isinstance(body.motions[0], PoseMotion)
    assert (body.motions[0].head == BENT.head).all()


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        (NamedMotion(MoveLibrary.RECORDED, "bow"), (1.0, 1.0)),
        (NamedMotion(MoveLibrary.GESTURE, "nod", 0.5, 1.4), (0.5, 1.4)),
    ],
)
def test_taught_move_follows_learned_size_and_tempo(named: NamedMotion, asked: tuple[float, float]) -> None:
    move = Lowering(BodyPose(), BENT)
    perform(move, named, context(RecordingBody(), []))
    assert move.asked == pytest.approx(asked)


def test_cancellation_of_taught_move_holds_robot() -> None:
    body, cancel = RecordingBody(), CancelToken()
    cancel.cancel()
    with pytest.raises(AgentError) as cancelled:
        perform(Lowering(BodyPose(), BENT), NamedMotion(MoveLibrary.GESTURE, "bow"), context(body, [], cancel))
    assert cancelled.value.code is ErrorCode.CANCELED
    assert body.held == 1
    assert not body.streamed


def test_empty_repertoire_contains_no_moves() -> None:
    assert NOTHING.find("nod") is None
