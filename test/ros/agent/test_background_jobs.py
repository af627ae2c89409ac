"""Background jobs and reminders in a graph with the real vision node, and with an agent that is killed."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from PIL import Image
from reachy_agent_msgs.msg import Job, JobList
from std_msgs.msg import Header

from evaluation.vision.photographs import portraits
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.agent.agent import ANNOUNCER
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.vision.face_tracker import FACE_HEIGHT
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

FACE_PLACE = Point(x=0.9, y=0.35, z=0.35)


class Desk:
    """Graph whose camera sees a desk, and a photograph of a face once it is shown."""

    def __init__(self, ros: Ros) -> None:
        self.client = AgentClient(ros)
        self.lists: list[JobList] = []
        ros.node.create_subscription(JobList, names.JOBS, self.lists.append, LATCHED)
        self.board = ros.node.create_publisher(PoseStamped, names.PANEL_POSE, STANDARD)

    def show_face(self) -> None:
        pose = Pose(position=FACE_PLACE, orientation=Quaternion(z=1.0, w=0.0))
        self.board.publish(PoseStamped(header=Header(frame_id=names.BASE_FRAME), pose=pose))

    def wait_for_job(self, state: int, status: str = "") -> None:
        """Waits until the only job is in a state and has a status."""

        def is_there() -> bool:
            jobs = self.lists[-1].jobs if self.lists else []
            return [(job.state, job.status) for job in jobs] == [(state, status)]

        wait_until(is_there, f"the job in state {state}")


@pytest.fixture
def desk(ros: Ros, tmp_path: Path) -> Iterator[Desk]:
    close_up = portraits()[0].close_up()
    photograph = tmp_path / "face.png"
    Image.fromarray(close_up.image).save(photograph)
    height = FACE_HEIGHT * close_up.image.shape[0] / close_up.face_height
    panel = {"panel_image": str(photograph), "panel_height": height}
    with (
        NodeProcess("hardware_bridge", {"scene": "minimal"}) as bridge,
        NodeProcess("camera", {"scene": "minimal", "width": 320, "height": 240, **panel}) as camera,
        NodeProcess("vision") as vision,
        NodeProcess("tool_server") as tool_server,
    ):
        nodes = (bridge, camera, vision, tool_server)
        for node in nodes:
            node.wait_ready()
        desk = Desk(ros)
        wait_until(lambda: desk.board.get_subscription_count() > 0, "the camera")
        yield desk
        for node in nodes:
            assert node.stop() == 0


def test_watch_continues_after_agent_was_killed(desk: Desk, tmp_path: Path) -> None:
    state = {"directory": str(tmp_path / "state")}
    with NodeProcess("agent", state) as agent:
        agent.wait_ready()
        wait_until(lambda: desk.client.agent.ready, "the agent")
        added = desk.client.call_tool("watch_scene", '{"name": "person"}').result(PATIENCE)
        sentence = "I am watching, and I will tell you when I see a person."
        assert json.loads(added.result_json)["sentence"] == sentence
        nothing = "I do not see anything that I recognize."
        desk.wait_for_job(Job.RUNNING, nothing)
        assert desk.client.say("what are you doing?").reply == "I am watching until I see a person."
        assert agent.stop(signal.SIGKILL) == -signal.SIGKILL
    desk.lists.clear()
    with NodeProcess("agent", state) as agent:
        agent.wait_ready()
        desk.wait_for_job(Job.RUNNING, nothing)
        desk.show_face()
        told = "Something has come: a person."
        wait_until(lambda: told in [reply.text for reply in desk.client.replies], "the announcement")
        desk.wait_for_job(Job.DONE, "I see a person.")
        assert desk.lists[-1].jobs[0].result == told
        assert agent.stop() == 0


def test_day_of_a_companion_without_a_model(desk: Desk, tmp_path: Path) -> None:
    with NodeProcess("agent", {"directory": str(tmp_path / "state")}) as agent:
        agent.wait_ready()
        wait_until(lambda: desk.client.agent.ready, "the agent")

        def said(sentence: str) -> str:
            return str(desk.client.say(sentence).reply)

        def announced(text: str) -> bool:
            return text in [reply.text for reply in desk.client.replies if reply.agent == ANNOUNCER]

        assert said("remind me in ten seconds to stretch") == "I will remind you in 10 seconds: stretch."
        watching = "I am watching, and I will tell you when something comes."
        assert said("watch the table and tell me when something comes") == watching
        assert said("what are you doing?") == "I am watching until something comes."
        assert said("thank you") != ""
        wait_until(lambda: announced("This is your reminder: stretch."), "the reminder")
        desk.show_face()
        told = "Something has come: a person."
        wait_until(lambda: announced(told), "the announcement")
        assert said("why did you say that?") == f'I said "{told}" because you had asked me to tell you.'
        assert said("set a timer for tea for ten minutes") == "I set a timer for 10 minutes: tea."
        assert said("undo that") == "I canceled: timer tea."
        assert agent.stop() == 0
