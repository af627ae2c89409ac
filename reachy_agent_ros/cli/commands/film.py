"""Records a film of the simulated robot."""

from __future__ import annotations

import argparse
import math
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.commands.up import own_graph
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import NAMESPACE, STT
from reachy_agent_ros.core.paths import configuration_file, temporary_state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.ros.camera.film_recorder import FilmRecorder
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.vision.camera import Image

GROUP = Group.FILES

HELP = "record a film of the simulated robot: breathing, answering, following a face, dancing, being interrupted"

EXAMPLES = (
    "reachy-agent film",
    "reachy-agent film --face photo.jpg --out out/film",
)

QUESTION, STOP = "demo/look_left.wav", "demo/stop.wav"
"""Sounds below `config/`: "Reachy, look left and tell me what you see." and "Stop."."""

DANCE = "interwoven_spirals"

FACE_PERIOD = 6.0
"""Period of the side-to-side motion of the face, s."""

STRIP_PICTURES, STRIP_COLUMNS = 24, 4

_REPORTS = 10
"""Number of progress reports while the pictures are drawn."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the face image and the output folder."""
    parser.epilog = "The film needs its own graph. Stop a running graph first: reachy-agent down"
    parser.add_argument("--face", type=Path, metavar="IMAGE", help="photograph of a face to follow (default: none)")
    parser.add_argument("--out", type=Path, default=Path("out", "film"), help="folder (default: %(default)s)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Starts a graph with a temporary state directory, records it, and renders `film.mp4`, `film.webp` and `strip.png`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a graph is already running, or the image of the face does not exist.
    """
    from reachy_agent_ros.supervision.record import load

    record = load(NAMESPACE)
    if record is not None and record.supervisor.alive:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS, "A film needs its own graph. Stop the running one first: reachy-agent down"
        )
    if arguments.face is not None and not arguments.face.is_file():
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"File not found: {arguments.face}.")
    face = [] if arguments.face is None else [f"panel_image:={arguments.face.resolve()}"]
    with redirect_stdout(sys.stderr), temporary_state_directory(), own_graph(*face) as code:
        if code != 0:
            return code
        from reachy_agent_ros.ros.camera.film_recorder import FilmRecorder
        from reachy_agent_ros.ros.client.client import GraphClient

        with GraphClient("film", NAMESPACE) as client:
            recorder = FilmRecorder(client.node)
            _play(client, recorder, with_face=bool(face))
            recorder.close()
    _draw(recorder, arguments.out, arguments.json)
    return 0


def _play(client: GraphClient, recorder: FilmRecorder, with_face: bool) -> None:
    _show(recorder, "The robot breathes while it is idle.", 8.0)
    _speak(client, recorder, QUESTION, 'A person says: "Reachy, look left and tell me what you see."', 9.0)
    if with_face:
        with _followed_face(client):
            _show(recorder, "It follows a face.", 2.5 * FACE_PERIOD)
        _show(recorder, "The face has left.", 4.0)
    dance = threading.Thread(target=_dance, args=(client,))
    dance.start()
    _show(recorder, "It dances.", 4.0)
    _speak(client, recorder, STOP, 'A person says: "Stop."', 4.0)
    dance.join()


def _show(recorder: FilmRecorder, caption: str, seconds: float) -> None:
    recorder.entitle(caption)
    print(f"{recorder.elapsed:6.1f} s  {caption}", file=sys.stderr, flush=True)
    time.sleep(seconds)


def _speak(client: GraphClient, recorder: FilmRecorder, recording: str, caption: str, seconds: float) -> None:
    """Plays a recording as the robot's audio input, and films the reaction."""
    from reachy_agent_ros.ros.stt.hearing_messages import SoundFileStream

    stream = SoundFileStream(client.node, configuration_file(recording))
    client.watch(STT)
    while not stream.heard:
        client.pause()
    playing = threading.Thread(target=stream.play, args=(CancelToken(),))
    playing.start()
    _show(recorder, caption, seconds)
    playing.join()


def _dance(client: GraphClient) -> None:
    from reachy_agent_msgs.action import Dance

    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

    caller = ActionCaller(client.node, Dance, names.DANCE, client.watch(names.TOOL_SERVER))
    caller.call(Dance.Goal(dance=DANCE), timeout=30.0)


@contextmanager
def _followed_face(client: GraphClient) -> Iterator[None]:
    """Enables head tracking, and moves a face from side to side in front of the robot."""
    from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
    from std_msgs.msg import Header
    from std_srvs.srv import SetBool

    from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
    from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
    from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

    publisher = client.node.create_publisher(PoseStamped, names.PANEL_POSE, STANDARD)
    tracking = ServiceCaller(client.node, SetBool, names.HEAD_TRACKING, client.watch(names.VISION))
    start = time.monotonic()

    def place(side: float, height: float) -> None:
        """Places the face 0.55 m in front of the robot's base, facing the robot."""
        towards_robot = Quaternion(z=1.0, w=0.0)
        pose = Pose(position=Point(x=0.55, y=side, z=height), orientation=towards_robot)
        publisher.publish(PoseStamped(header=Header(stamp=wall_stamp(), frame_id=names.BASE_FRAME), pose=pose))

    def move() -> None:
        phase = 2.0 * math.pi * (time.monotonic() - start) / FACE_PERIOD
        place(0.25 * math.sin(phase), 0.3 + 0.05 * math.sin(2.0 * phase))

    timer = client.node.create_timer(0.05, move)
    tracking.call(SetBool.Request(data=True))
    try:
        yield
    finally:
        timer.cancel()
        place(0.0, -1.0)


def reported(pictures: Iterable[Image], count: int) -> Iterator[Image]:
    """Yields pictures, and prints a line for every tenth part of them, which is also visible in a log.

    Args:
        pictures: Pictures that take a while to draw.
        count: Their number, at least 1.
    """
    for number, picture in enumerate(pictures, start=1):
        yield picture
        if number * _REPORTS // count > (number - 1) * _REPORTS // count:
            print(f"Drew {number} of {count} pictures.", file=sys.stderr, flush=True)


def _draw(recorder: FilmRecorder, out: Path, as_json: bool) -> None:
    from reachy_agent_ros.ros.camera.film_recorder import PERIOD, SOUND_RATE
    from reachy_agent_ros.vision.film import HEIGHT, WIDTH, draw_film, small, write_animation, write_strip
    from reachy_agent_ros.vision.video_file import VideoFile

    out.mkdir(parents=True, exist_ok=True)
    video, film, strip = out / "film.mp4", out / "film.webp", out / "strip.png"
    moments = recorder.moments()
    print(f"Drawing {len(moments)} pictures; this takes a few minutes.", file=sys.stderr, flush=True)
    drawn = reported(draw_film(moments, "minimal"), len(moments))
    pictures = []
    with VideoFile(video, WIDTH, HEIGHT, SOUND_RATE) as writer:
        for moment, picture in zip(moments, drawn, strict=True):
            writer.add_picture(picture, moment.time)
            pictures.append(small(picture))
        writer.add_sound(recorder.sound.mixed(moments[-1].time))
    print(f"Writing {film.name}; this takes a minute.", file=sys.stderr, flush=True)
    write_animation(film, pictures, PERIOD)
    step = max(1, len(pictures) // STRIP_PICTURES)
    write_strip(strip, pictures[step // 2 :: step][:STRIP_PICTURES], STRIP_COLUMNS)
    files = {"video": video, "film": film, "strip": strip}
    show(files, f"Saved {video} with sound, {film} for web pages, and an overview as {strip}.", as_json)
