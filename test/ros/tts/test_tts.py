from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import AgentState, AudioChunk, BargeIn, Heartbeat, RobotState, SpeakingState
from std_srvs.srv import Trigger

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import TALK
from reachy_agent_ros.learning.score import Axis, Score, Sign
from reachy_agent_ros.ros.action_records import act_from_message
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, HEARTBEAT, LATCHED, RECENT, STANDARD
from reachy_agent_ros.ros.tool_server.ros_body import ToolBody
from reachy_agent_ros.ros.tts.tts import WORDS
from reachy_agent_ros.stt.transcription import transcribe
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.speech_models import detector, recognizer
from support.waiting import wait_until

LONG = "I look to the left, and then I look to the right, and then I tell you all that I have seen."
LESSONS = 8
"""Number of corrections. Their effect must exceed the random variation of the voice, 3% of a sentence's duration."""


class Guest:
    """Client that makes the robot speak and records the audio and the speaking state."""

    def __init__(self, ros: Ros) -> None:
        self.chunks: list[AudioChunk] = []
        self.states: list[SpeakingState] = []
        self.feedback: list[Say.Feedback] = []
        node = ros.node
        watch = HeartbeatMonitor(node, names.TTS)
        self._say = ActionCaller(node, Say, names.SAY, watch)
        self._stop = ServiceCaller(node, Trigger, names.STOP_SPEAKING, watch)
        self._barge_ins = node.create_publisher(BargeIn, names.BARGE_IN, STANDARD)
        node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self.chunks.append, AUDIO)
        node.create_subscription(SpeakingState, names.SPEAKING_STATE, self.states.append, LATCHED)
        wait_until(lambda: bool(self.states) and watch.alive, "the latched state")

    def say(self, cancel: CancelToken | None = None, **goal: object) -> Say.Result:
        return self._say.call(Say.Goal(**goal), 60.0, cancel=cancel, on_feedback=self.feedback.append)

    def say_in_background(self, results: list[Say.Result], cancel: CancelToken | None = None, **goal: object) -> None:
        threading.Thread(target=lambda: results.append(self.say(cancel, **goal))).start()

    def stop(self) -> Trigger.Response:
        return self._stop.call(Trigger.Request())

    def speak_over(self, stage: int) -> None:
        wait_until(lambda: self._barge_ins.get_subscription_count() > 0, "the voice to mind interruptions")
        self._barge_ins.publish(BargeIn(stage=stage))

    def loudest(self) -> int:
        """Returns the peak amplitude of the next 0.25 s of speech."""
        before = len(self.chunks)
        wait_until(lambda: len(self.chunks) > before + 6, "sound")
        return max(int(np.abs(np.array(chunk.data, np.int32)).max()) for chunk in self.chunks[before : before + 6])

    def peak(self) -> int:
        """Waits for the end of an utterance. Returns its peak amplitude, and clears the recorded audio."""
        wait_until(lambda: bool(self.chunks) and self.chunks[-1].last, "the last chunk")
        peak = max(int(np.abs(np.array(chunk.data, np.int32)).max(initial=0)) for chunk in self.chunks)
        self.chunks.clear()
        return peak

    def wait_for_sound(self) -> None:
        wait_until(lambda: len(self.chunks) > 5, "sound")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("speech")


@pytest.fixture(scope="module")
def voice_node(ros: Ros, folder: Path) -> Iterator[NodeProcess]:
    parameters = {"sink": "file", "directory": str(folder), "policies": str(folder / "policies")}
    with NodeProcess("tts", parameters) as process:
        yield process.wait_ready()


@pytest.fixture
def guest(ros: Ros, voice_node: NodeProcess) -> Guest:
    return Guest(ros)


def test_synthesized_sentence_is_recognized_from_topic_and_file(guest: Guest, folder: Path) -> None:
    result = guest.say(text="Okay. I can see a red cup on the table.")
    assert result.error_code == ErrorCode.NONE
    assert result.spoken_text == "Okay. I can see a red cup on the table."
    assert seconds_of(result.first_audio) > 0.0
    wait_until(lambda: bool(guest.chunks) and guest.chunks[-1].last, "the last chunk")
    rate = guest.chunks[0].sample_rate
    assert [chunk.sequence for chunk in guest.chunks] == list(range(len(guest.chunks)))
    assert max(len(chunk.data) for chunk in guest.chunks) <= 0.04 * rate
    assert sum(len(chunk.data) for chunk in guest.chunks) / rate == pytest.approx(seconds_of(result.audio_duration))
    wait_until(lambda: not guest.states[-1].speaking, "silence")
    assert {state.text for state in guest.states if state.speaking} == {"Okay.", "I can see a red cup on the table."}
    assert guest.feedback[0].clause == "Okay."
    (file,) = folder.glob("*.wav")
    assert "cup on the table" in transcribe(read_sound(file), detector(), recognizer()).text.lower()


def test_speech_uses_learned_speed_unless_goal_sets_speed(guest: Guest, ros: Ros, folder: Path) -> None:
    acts: list[ActionRecord] = []
    ros.node.create_subscription(
        ActionRecordMessage, names.ACTION_RECORDS, lambda message: acts.append(act_from_message(message)), RECENT
    )
    store = PolicyStore(folder / "policies")
    untaught = seconds_of(guest.say(text=LONG).audio_duration)
    learner = OnlineLearner(TALK, store, seed=0)
    for _ in range(LESSONS):
        learner.learn(learner.act({"distance": 1.0}), Score(Sign.NEGATIVE, -0.3, 0.95, (Axis.FASTER,)))
    assert seconds_of(guest.say(text=LONG).audio_duration) < 0.9 * untaught
    assert seconds_of(guest.say(text=LONG, speed=1.0).audio_duration) > 0.9 * untaught
    store.roll_back(TALK.name)
    told = [("talk", "0"), ("talk", str(1 + LESSONS)), ("talk", "")]
    wait_until(
        lambda: [(act.skill, act.policy_version) for act in acts if act.outcome][-3:] == told, "the voice's acts"
    )
    assert acts[-1].action["speed"] == 1.0


def test_cancel_silences_speech_within_one_chunk(guest: Guest) -> None:
    results: list[Say.Result] = []
    cancel = CancelToken()
    guest.say_in_background(results, cancel, text=LONG)
    guest.wait_for_sound()
    cancel.cancel()
    wait_until(lambda: bool(results), "the result")
    assert results[0].error_code == ErrorCode.CANCELED
    assert LONG.startswith(results[0].spoken_text)
    assert len(results[0].spoken_text) < len(LONG)
    wait_until(lambda: guest.chunks[-1].last, "the stream's end")
    rate = guest.chunks[0].sample_rate
    given_out = sum(len(chunk.data) for chunk in guest.chunks) / rate
    assert given_out == pytest.approx(seconds_of(results[0].audio_duration))
    wait_until(lambda: not guest.states[-1].speaking, "silence")


def test_speech_goal_with_interrupt_preempts_running_speech(guest: Guest) -> None:
    results: list[Say.Result] = []
    guest.say_in_background(results, text=LONG)
    guest.wait_for_sound()
    assert guest.say(text="Stop.", interrupt=True).error_code == ErrorCode.NONE
    wait_until(lambda: bool(results), "the interrupted result")
    assert results[0].error_code == ErrorCode.PREEMPTED


def test_suspected_interruption_lowers_volume_temporarily(guest: Guest) -> None:
    results: list[Say.Result] = []
    guest.say_in_background(results, text=LONG)
    guest.wait_for_sound()
    before = guest.loudest()
    guest.speak_over(BargeIn.SUSPECTED)
    wait_until(lambda: guest.loudest() < 0.4 * before, "a lower voice")
    guest.speak_over(BargeIn.DISMISSED)
    wait_until(lambda: guest.loudest() > 0.5 * before, "the voice as before")
    wait_until(lambda: bool(results), "the end")
    assert (results[0].error_code, results[0].spoken_text) == (ErrorCode.NONE, LONG)


def test_confirmed_interruption_cancels_current_and_queued_speech(guest: Guest) -> None:
    results: list[Say.Result] = []
    guest.say_in_background(results, text=LONG)
    guest.say_in_background(results, text=LONG)
    guest.wait_for_sound()
    guest.speak_over(BargeIn.CONFIRMED)
    wait_until(lambda: len(results) == 2, "both results")
    assert {result.error_code for result in results} == {ErrorCode.CANCELED}
    assert results[0].error_msg == "Somebody else began to speak."
    wait_until(lambda: not guest.states[-1].speaking, "silence")


def test_speech_goal_without_interrupt_waits_for_running_speech(guest: Guest) -> None:
    results: list[Say.Result] = []
    guest.say_in_background(results, text="I go first.")
    wait_until(lambda: any(state.speaking for state in guest.states), "the first to speak")
    assert guest.say(text="I go second.").error_code == ErrorCode.NONE
    wait_until(lambda: bool(results), "the first result")
    assert results[0].error_code == ErrorCode.NONE


def test_emergency_stop_cancels_current_and_queued_speech(guest: Guest, ros: Ros) -> None:
    states = ros.node.create_publisher(RobotState, names.ROBOT_STATE, LATCHED)
    wait_until(lambda: states.get_subscription_count() > 0, "the voice to mind the stop")
    states.publish(RobotState(emergency_stopped=False))
    results: list[Say.Result] = []
    guest.say_in_background(results, text=LONG)
    guest.say_in_background(results, text=LONG)
    guest.wait_for_sound()
    states.publish(RobotState(emergency_stopped=True))
    wait_until(lambda: len(results) == 2, "both results")
    assert {result.error_code for result in results} == {ErrorCode.EMERGENCY_STOPPED}
    wait_until(lambda: not guest.states[-1].speaking, "silence")


def test_stop_speaking_cancels_all_speech(guest: Guest) -> None:
    results: list[Say.Result] = []
    guest.say_in_background(results, text=LONG)
    guest.wait_for_sound()
    assert guest.stop().success
    wait_until(lambda: bool(results), "the stopped result")
    assert results[0].error_code == ErrorCode.CANCELED
    assert guest.stop().message == "Nothing was being said."


@pytest.mark.parametrize(
    ("goal", "code"),
    [
        ({"text": ""}, ErrorCode.EMPTY_TEXT),
        ({"text": "\N{GRINNING FACE}"}, ErrorCode.EMPTY_TEXT),
        ({"text": "Hello.", "voice": "nobody"}, ErrorCode.VOICE_UNAVAILABLE),
        ({"text": "Hello.", "speed": 9.0}, ErrorCode.INVALID_GOAL),
        ({"text": "Hello.", "speed": math.nan}, ErrorCode.INVALID_GOAL),
        ({"text": "Hello.", "volume": 2.0}, ErrorCode.INVALID_GOAL),
        ({"text": "word " * 2_000}, ErrorCode.INVALID_GOAL),
    ],
)
def test_invalid_speech_goal_fails_without_sound(guest: Guest, goal: dict[str, object], code: ErrorCode) -> None:
    result = guest.say(**goal)
    assert result.error_code == code
    assert result.error_msg
    assert guest.chunks == []


def test_volume_tool_changes_volume_of_speech(guest: Guest, ros: Ros) -> None:
    body = ToolBody(ros.node)
    guest.say(text="Good morning.")
    loud = guest.peak()
    body.set_volume(0.25)
    assert body.volume() == pytest.approx(0.25)
    guest.say(text="Good morning.")
    assert guest.peak() < 0.5 * loud
    body.set_volume(1.0)


def test_tts_node_without_loudspeaker_is_degraded(ros: Ros) -> None:
    with NodeProcess("tts", {"sink": "speaker", "device": "no such speaker"}, name="tts_mute") as process:
        watch = HeartbeatMonitor(ros.node, "tts_mute")
        wait_until(lambda: watch.last is not None and watch.last.state == Heartbeat.DEGRADED, "a degraded heartbeat")
        assert watch.last is not None
        assert watch.last.detail
        assert process.stop() == 0


def test_tts_node_without_voice_file_exits_with_code_1(ros: Ros, tmp_path: Path) -> None:
    with NodeProcess("tts", {"voice_path": str(tmp_path / "no.onnx")}, name="tts_none") as process:
        assert process.process.wait(60.0) == 1


def test_robot_apologizes_if_agent_is_killed_during_turn(guest: Guest, ros: Ros) -> None:
    beats = ros.node.create_publisher(Heartbeat, heartbeat_topic(names.AGENT), HEARTBEAT)
    minds = ros.node.create_publisher(AgentState, names.AGENT_STATE, LATCHED)
    wait_until(lambda: beats.get_subscription_count() > 0 and minds.get_subscription_count() > 0, "the voice")
    minds.publish(AgentState(state=AgentState.PROCESSING))
    beats.publish(Heartbeat(node=f"/reachy_mini/{names.AGENT}", pid=os.getpid(), state=Heartbeat.READY))
    wait_until(lambda: any(heard.text and heard.text in WORDS for heard in guest.states), "an apology")


def test_shutdown_of_tts_node_ends_speech_with_error(guest: Guest, voice_node: NodeProcess) -> None:
    with ThreadPoolExecutor(1) as speaker:
        said = speaker.submit(guest.say, text=LONG)
        guest.wait_for_sound()
        assert voice_node.stop() == 0
        assert said.result().error_code == ErrorCode.SHUTTING_DOWN
