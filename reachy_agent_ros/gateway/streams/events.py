"""Events of `WS /api/v1/events`: a model for the data of each kind.

Most data are the fields of a ROS message as JSON values (`message_json`): times in seconds, UUIDs as text, a header as
its `stamp`. `test/ros/gateway/test_events.py` compares the models with the messages.
"""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.models.decisions import ApprovalsAnswer, GrantsAnswer, PlanAnswer
from reachy_agent_ros.gateway.models.health import HealthAnswer
from reachy_agent_ros.gateway.models.traces import TraceStep

Stamp = Annotated[float, Field(description="When it was sent or measured, seconds since the epoch.")]
Turn = Annotated[uuid.UUID, Field(description="The turn it belongs to; zeros if none.")]
Share = Annotated[float, Field(description="From 0 to 1.")]


class Vector3Data(BaseModel):
    """A point in m, or a direction of length 1."""

    x: float
    y: float
    z: float


class QuaternionData(BaseModel):
    """An orientation: a quaternion of length 1."""

    x: float
    y: float
    z: float
    w: float


class PoseData(BaseModel):
    """Where something is, and how it is turned."""

    position: Vector3Data = Field(description="m.")
    orientation: QuaternionData


class RobotStateEvent(BaseModel):
    """What the body does and measures."""

    stamp: Stamp
    backend: str = Field(description="`mujoco` or `daemon`.")
    simulated: bool = Field(description="Whether no real motor can turn.")
    connected: bool = Field(description="Whether the robot answers.")
    motor_mode: int = Field(description="0 enabled, 1 disabled, 2 gravity compensation.")
    activity: int = Field(description="0 idle, 1 moving, 2 streaming, 3 holding, 4 stopped.")
    emergency_stopped: bool = Field(description="Whether it must be reset before it moves again.")
    stop_reason: str = Field(description="Why it was stopped; empty otherwise.")
    commander: str = Field(description="Node that holds the robot; empty when nobody does.")
    queued_motions: int = Field(description="Motions that wait for the running one.")
    head_pose: PoseData = Field(description="Measured, of `head` in `head_base`.")
    body_yaw: float = Field(description="Measured, rad, positive to the left.")
    antenna_right: float = Field(description="Measured, rad.")
    antenna_left: float = Field(description="Measured, rad.")
    breathing: bool = Field(description="Whether the idle move plays.")
    held: bool = Field(description="Whether somebody asked it to hold still.")
    listening: bool = Field(description="Whether head and antennas are kept still for the microphone.")
    last_stop: int = Field(description="Another number with every hold and emergency stop; 0 before the first.")
    refused_targets: int = Field(description="Since the bridge started.")
    clamped_targets: int = Field(description="Since the bridge started.")


class AgentStateEvent(BaseModel):
    """What the agent does."""

    stamp: Stamp
    state: int = Field(description="0 starting, 1 ready, 2 processing, 3 waiting for approval, 4 error, 5 shut down.")
    detail: str = Field(description="One line for people.")
    turn_id: uuid.UUID = Field(description="The turn that runs; zeros if none.")
    agent: str = Field(description="Who works on it; empty if nobody.")
    turns_waiting: int = Field(description="In line behind it.")
    session_id: str = Field(description="Conversation that spoken sentences belong to.")
    persona: str = Field(description="Who the robot is.")


class SpeakingEvent(BaseModel):
    """Whether the robot speaks, and what."""

    stamp: Stamp
    speaking: bool = Field(description="Whether sound is given out.")
    utterance_id: uuid.UUID = Field(description="The same in everything said of one utterance.")
    text: str = Field(description="Clause that is spoken.")
    position: float = Field(description="Into the utterance's sound, s.")


class AttentionEvent(BaseModel):
    """Whether the robot takes what is said as meant for it."""

    stamp: Stamp
    opened_by: int = Field(description="0 closed, 1 its name, 2 the button, 3 its answer, 4 always open.")
    closes: float = Field(description="When it closes by itself, seconds since the epoch; 0 where it does not.")


class ApprovalsEvent(ApprovalsAnswer):
    """What waits for a person's yes or no, and the last answers."""

    stamp: Stamp


class GrantsEvent(GrantsAnswer):
    """What need not be asked about."""

    stamp: Stamp


class ToolSpecData(BaseModel):
    """One tool."""

    name: str
    description: str = Field(description="What it does, for people and models.")
    version: int = Field(description="1 for tools that came with the robot.")
    origin: int = Field(description="0 predefined, 1 generated, 2 external.")
    permission: int = Field(description="0 autonomous, 1 notify, 2 confirm, 3 forbidden.")
    enabled: bool = Field(description="Whether it may be called.")
    moves_robot: bool = Field(description="Whether it can cause motion.")
    reversible: bool = Field(description="Whether what it does can be taken back.")
    untrusted_output: bool = Field(description="Whether its result holds words of others.")
    specialist: str = Field(description="Agent that uses it.")
    arguments_schema: str = Field(description="JSON Schema of the object of its arguments, as text.")
    time_limit: float = Field(description="Seconds after which it is cancelled.")
    action_name: str = Field(description="Typed action that does the same; empty if there is none.")


class ToolsEvent(BaseModel):
    """The catalogue of tools."""

    stamp: Stamp
    revision: int = Field(description="Counts up with every change.")
    tools: list[ToolSpecData] = Field(description="By name.")


class TrainingEvent(BaseModel):
    """What the trainer does."""

    stamp: Stamp
    state: int = Field(description="0 idle, 1 recording, 2 training, 3 evaluating.")
    skill: str
    policy_version: str = Field(description="The one in use.")
    episode: int = Field(description="Under way, from 1.")
    episodes: int = Field(description="Planned.")
    mean_reward: float | None = Field(description="From -1 to 1, over the last episodes; null where it is no number.")
    detail: str = Field(description="One line for people.")


class TranscriptEvent(BaseModel):
    """What was heard of an utterance."""

    stamp: Stamp
    utterance_id: uuid.UUID = Field(description="The same in everything said of one utterance.")
    replaces: uuid.UUID = Field(description="The utterance that this one goes on with; else zeros.")
    text: str
    is_final: bool = Field(description="Whether the text changes no more.")
    rejected: int = Field(description="0 not rejected, 1 noise, 2 empty, 3 repetition.")
    confidence: Share
    average_log_probability: float = Field(description="Natural logarithm, a token.")
    no_speech_probability: Share
    language: str = Field(description="IETF tag.")
    audio_duration: float = Field(description="Length of the utterance, s.")
    endpoint_delay: float = Field(description="From the true end of speech to the decision that it ended, s.")
    decode_time: float = Field(description="Time spent in the recognizer, s.")
    source: str = Field(description="Stream of the audio it came from.")


class BargeInEvent(BaseModel):
    """Somebody speaks over the robot."""

    stamp: Stamp
    stage: int = Field(description="0 suspected, 1 confirmed, 2 dismissed.")
    stop: bool = Field(description="Whether it was a word that stops the body too.")
    text: str = Field(description="What was understood so far.")
    speech_start: float = Field(description="When the person began, seconds since the epoch.")


class ReplyEvent(BaseModel):
    """A clause of a reply; the last one holds the whole reply."""

    stamp: Stamp
    turn_id: Turn
    session_id: str = Field(description="Conversation it belongs to.")
    sequence: int = Field(description="Counts the clauses of a turn from 0.")
    text: str
    is_final: bool = Field(description="Whether this is the last one of the turn.")
    agent: str = Field(description="Who answered.")
    error_code: int = Field(description="Number of the error, in the last one; 0 without an error.")
    error_msg: str = Field(description="One sentence for people; empty without an error.")


class TraceEvent(TraceStep):
    """A step of a turn that has ended."""

    stamp: Stamp
    turn_id: Turn
    session_id: str = Field(description="Conversation it belongs to.")


class MotionReportEvent(BaseModel):
    """A target that the safety gate changed or refused, or that the robot did not follow."""

    stamp: Stamp
    commander: str = Field(description="Whose target it was.")
    verdict: int = Field(description="0 clamped, 1 refused, 2 not followed.")
    field: str = Field(description="What of the target, such as `head.pitch`.")
    requested: float | None = Field(description="rad, m, s, 1/s or a share, as the field has it; null for no number.")
    applied: float | None = Field(description="Same unit: what was let through, or the measured value.")
    count: int = Field(description="How many alike since the last report.")
    error_code: int = Field(description="Number of the error.")
    error_msg: str = Field(description="One sentence for people; empty without an error.")


class RewardEvent(BaseModel):
    """What a judgement is worth."""

    stamp: Stamp
    feedback_id: uuid.UUID = Field(description="The judgement.")
    turn_id: uuid.UUID = Field(description="The turn it judges; zeros if none.")
    action: str = Field(description="Tool or skill that it judges.")
    act_ids: list[uuid.UUID] = Field(description="What it is about, the likeliest first.")
    shares: list[float] = Field(description="Of the judgement that each of them gets, adding up to 1.")
    sign: int = Field(description="-1, 0 or 1.")
    rating: float = Field(description="From -1 to 1.")
    confidence: Share
    stop: bool = Field(description="Whether it was an urgent stop.")
    axes: list[str] = Field(description="Corrections it asks for, as docs/concepts/learning.md lists them.")
    policy_version: str = Field(description="The one that acted.")
    stored: bool = Field(description="Whether it is on disk.")


class PolicyUpdateEvent(BaseModel):
    """What became of a judgement."""

    stamp: Stamp
    feedback_id: uuid.UUID = Field(description="The judgement.")
    skill: str = Field(description="What was judged.")
    learned: bool = Field(description="Whether another version acts than before.")
    policy_version: int = Field(description="The one that acts from now on.")
    reason: str = Field(description="Why, or why not, in one sentence.")


class AliveEvent(BaseModel):
    """A sign of life, once a second."""

    stamp: Stamp


class DroppedEvent(BaseModel):
    """Events that were missed."""

    events: int = Field(description="How many; 0 where that is not known, after a restart of the gateway.")


class ProblemEvent(BaseModel):
    """What the client sent is not understood, or what it watches cannot be told."""

    detail: str = Field(description="One sentence for people.")


class JointPositionsEvent(BaseModel):
    """All joints of the URDF as measured."""

    stamp: Stamp
    joints: dict[str, float] = Field(description="rad by name.")


class DetectionData(BaseModel):
    """One thing in the camera's picture."""

    label: str = Field(description="Kind of thing.")
    confidence: Share
    box: tuple[float, float, float, float] = Field(description="Left, top, right and bottom edge, pixels.")
    track: str = Field(description="The same while the same thing is followed; empty if it is not.")
    visible: float = Field(description="Estimated share of it that is in the picture, 0 to 1; 0 where unknown.")
    bearing: Vector3Data = Field(description="Unit vector from the camera to it, in `base_link`.")
    has_position: bool = Field(description="Whether `position` counts.")
    position: Vector3Data = Field(description="m, in `base_link`, where `has_position`.")
    position_covariance: list[float] = Field(description="3x3 by rows, m^2, where `has_position`.")


class DetectionsEvent(BaseModel):
    """What was found in the camera's picture."""

    stamp: Stamp
    image_width: int = Field(description="pixels.")
    image_height: int = Field(description="pixels.")
    detections: list[DetectionData] = Field(description="Best first.")
    camera_pose: PoseData = Field(description="Of `camera_optical` in `base_link` when the picture was taken.")
    detector: str = Field(description="Which one found them.")


class FaceEvent(BaseModel):
    """The face that the robot looks at."""

    stamp: Stamp
    visible: bool = Field(description="Whether a face is seen now.")
    track: str = Field(description="The same while the same face is followed.")
    position: Vector3Data = Field(description="m, in `head_base`.")
    confidence: Share


class SpeechActivityEvent(BaseModel):
    """What the robot hears."""

    stamp: Stamp
    state: int = Field(description="0 idle, 1 listening, 2 endpointing, 3 transcribing, 4 muted.")
    speech_probability: Share
    level_dbfs: float | None = Field(description="Loudness, dB below full scale, never above 0; null for silence.")


class EventData(BaseModel):
    """Data of each kind of event: `WS /api/v1/events` sends `{"kind": KIND, "data": DATA}`, one event a message.

    What is neither a state nor a stream also has a `number`, beside `kind` and `data`.
    """

    state: RobotStateEvent
    agent: AgentStateEvent
    speaking: SpeakingEvent
    attention: AttentionEvent
    approvals: ApprovalsEvent
    grants: GrantsEvent
    plan: PlanAnswer
    tools: ToolsEvent
    training: TrainingEvent
    transcript: TranscriptEvent
    barge_in: BargeInEvent
    reply: ReplyEvent
    trace: TraceEvent
    motion_report: MotionReportEvent
    reward: RewardEvent
    policy_update: PolicyUpdateEvent
    alive: AliveEvent
    dropped: DroppedEvent
    problem: ProblemEvent
    pose: JointPositionsEvent
    detections: DetectionsEvent
    face: FaceEvent
    speech_activity: SpeechActivityEvent
    health: HealthAnswer
