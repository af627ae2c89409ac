"""Events of `WS /api/v1/events`: a model for the data of each kind.

Most data are the fields of a ROS message as JSON values (`message_json`): times in seconds, UUIDs as text, and the
`stamp` of a header. `test/ros/gateway/test_events.py` compares the models with the messages.
"""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.models.decisions import ApprovalsAnswer, GrantsAnswer, PlanAnswer
from reachy_agent_ros.gateway.models.health import HealthAnswer
from reachy_agent_ros.gateway.models.schedule import ScheduleAnswer
from reachy_agent_ros.gateway.models.traces import TraceStep

Stamp = Annotated[float, Field(description="Time of sending or measurement, seconds since the epoch.")]
Turn = Annotated[uuid.UUID, Field(description="Turn to which this belongs; zeros if none.")]
Share = Annotated[float, Field(description="From 0 to 1.")]


class Vector3Data(BaseModel):
    """Point in m, or unit vector."""

    x: float
    y: float
    z: float


class QuaternionData(BaseModel):
    """Orientation as a unit quaternion."""

    x: float
    y: float
    z: float
    w: float


class PoseData(BaseModel):
    """Position and orientation."""

    position: Vector3Data = Field(description="Position, m.")
    orientation: QuaternionData


class RobotStateEvent(BaseModel):
    """State of the robot's body."""

    stamp: Stamp
    backend: str = Field(description="Robot backend: `mujoco` or `daemon`.")
    simulated: bool = Field(description="Whether the robot is simulated.")
    connected: bool = Field(description="Whether the robot is connected.")
    motor_mode: int = Field(description="Motor mode: 0 enabled, 1 disabled, 2 gravity compensation.")
    activity: int = Field(description="Activity: 0 idle, 1 moving, 2 streaming, 3 holding, 4 stopped.")
    emergency_stopped: bool = Field(description="Whether the emergency stop is latched; reset it to move again.")
    stop_reason: str = Field(description="Reason for the stop; empty if not stopped.")
    commander: str = Field(description="Node that controls the robot; empty if none.")
    queued_motions: int = Field(description="Number of motions that wait for the running one.")
    head_pose: PoseData = Field(description="Measured pose of `head` in `head_base`.")
    body_yaw: float = Field(description="Measured angle of the body, rad, positive to the left.")
    antenna_right: float = Field(description="Measured angle of the right antenna, rad.")
    antenna_left: float = Field(description="Measured angle of the left antenna, rad.")
    breathing: bool = Field(description="Whether the idle motion is playing.")
    held: bool = Field(description="Whether the robot was asked to hold still, and nothing has moved it since.")
    listening: bool = Field(description="Whether head and antennas are kept still for the microphone.")
    last_stop: int = Field(description="Changes with every hold and emergency stop; 0 before the first.")
    refused_targets: int = Field(description="Number of rejected targets since the bridge started.")
    clamped_targets: int = Field(description="Number of clamped values since the bridge started.")


class AgentStateEvent(BaseModel):
    """State of the agent."""

    stamp: Stamp
    state: int = Field(
        description="State: 0 starting, 1 ready, 2 processing, 3 waiting for approval, 4 error, 5 shutting down."
    )
    detail: str = Field(description="One-line explanation of the state for people.")
    turn_id: uuid.UUID = Field(description="Id of the running turn; zeros if none.")
    agent: str = Field(description="Agent that works on the turn; empty if none.")
    turns_waiting: int = Field(description="Number of turns that wait for the running one.")
    session_id: str = Field(description="Conversation to which spoken messages belong.")
    persona: str = Field(description="Active persona.")


class SpeakingEvent(BaseModel):
    """Speech output of the robot."""

    stamp: Stamp
    speaking: bool = Field(description="Whether sound is playing.")
    utterance_id: uuid.UUID = Field(description="Id of the utterance, the same in all events about it.")
    text: str = Field(description="Clause that is being spoken.")
    position: float = Field(description="Playback position in the utterance, s.")


class AttentionEvent(BaseModel):
    """Whether the robot treats speech as addressed to it."""

    stamp: Stamp
    opened_by: int = Field(
        description="Reason for attention: 0 closed, 1 wake name, 2 button, 3 reply of the robot, 4 always open."
    )
    closes: float = Field(
        description="Time at which attention ends, seconds since the epoch; 0 if it is closed or has no time limit."
    )


class ApprovalsEvent(ApprovalsAnswer):
    """Pending approvals and the latest decisions."""

    stamp: Stamp


class GrantsEvent(GrantsAnswer):
    """Standing permissions."""

    stamp: Stamp


class ScheduleEvent(ScheduleAnswer):
    """Timers, alarms and reminders."""

    stamp: Stamp


class ToolSpecData(BaseModel):
    """Tool in the catalog."""

    name: str
    description: str = Field(description="Description for people and models.")
    version: int = Field(description="Version; 1 for predefined tools.")
    origin: int = Field(description="Origin: 0 predefined, 1 generated, 2 external.")
    author: int = Field(description="Author: 0 not generated, 1 a person, 2 a language model, 3 imported from a file.")
    permission: int = Field(description="Permission level: 0 autonomous, 1 notify, 2 confirm, 3 forbidden.")
    enabled: bool = Field(description="Whether the tool may be called.")
    moves_robot: bool = Field(description="Whether the tool can move the robot.")
    reversible: bool = Field(description="Whether the effect of the tool can be undone.")
    untrusted_output: bool = Field(
        description="Whether the result of the tool may contain text from untrusted sources."
    )
    specialist: str = Field(description="Specialist that uses the tool.")
    arguments_schema: str = Field(description="JSON Schema of the arguments, as text.")
    time_limit: float = Field(description="Time after which a call is canceled, seconds.")
    action_name: str = Field(description="Typed ROS action with the same effect; empty if none.")


class ToolsEvent(BaseModel):
    """Tool catalog of the robot."""

    stamp: Stamp
    revision: int = Field(description="Revision of the catalog, which increments with every change.")
    tools: list[ToolSpecData] = Field(description="Enabled tools, sorted by name.")


class TrainingEvent(BaseModel):
    """State of the trainer."""

    stamp: Stamp
    state: int = Field(description="State: 0 idle, 1 recording, 2 training, 3 evaluating.")
    skill: str
    policy_version: str = Field(description="Policy version in use.")
    episode: int = Field(description="Number of finished episodes; 0 if none.")
    episodes: int = Field(description="Number of planned episodes.")
    mean_reward: float | None = Field(description="Mean over the last episodes, from -1 to 1; null if undefined.")
    detail: str = Field(description="One-line status for people.")


class TranscriptEvent(BaseModel):
    """Transcript of an utterance."""

    stamp: Stamp
    utterance_id: uuid.UUID = Field(description="Id of the utterance, the same in all events about it.")
    replaces: uuid.UUID = Field(description="Id of the utterance that this one continues and replaces; zeros if none.")
    text: str
    is_final: bool = Field(description="Whether the text is final.")
    rejected: int = Field(description="Reason for rejection: 0 not rejected, 1 noise, 2 empty, 3 repetition.")
    confidence: Share
    average_log_probability: float = Field(description="Average natural log probability per token.")
    no_speech_probability: Share
    language: str = Field(description="IETF tag.")
    audio_duration: float = Field(description="Duration of the utterance, s.")
    endpoint_delay: float = Field(description="Time from the end of speech until its detection, s.")
    decode_time: float = Field(description="Time that the recognizer took, s.")
    source: str = Field(description="Source of the audio stream.")


class BargeInEvent(BaseModel):
    """A person speaks while the robot is speaking."""

    stamp: Stamp
    stage: int = Field(description="Stage: 0 suspected, 1 confirmed, 2 dismissed.")
    stop: bool = Field(description="Whether the words also stop the body.")
    text: str = Field(description="Transcript so far.")
    speech_start: float = Field(description="Time at which the person began to speak, seconds since the epoch.")


class ReplyEvent(BaseModel):
    """Clause of a reply. The last event contains the complete reply."""

    stamp: Stamp
    turn_id: Turn
    session_id: str = Field(description="Conversation of the turn.")
    sequence: int = Field(description="Number of the clause in its turn, from 0.")
    text: str
    is_final: bool = Field(description="Whether this is the last event of the turn.")
    agent: str = Field(description="Agent that answered.")
    error_code: int = Field(description="Number of the error, in the last event; 0 without an error.")
    error_msg: str = Field(description="Error message for people; empty without an error.")


class TraceEvent(TraceStep):
    """Completed step of a turn."""

    stamp: Stamp
    turn_id: Turn
    session_id: str = Field(description="Conversation of the turn.")


class MotionReportEvent(BaseModel):
    """Target that the safety gate changed or rejected, or that the robot did not follow."""

    stamp: Stamp
    commander: str = Field(description="Node that sent the target.")
    verdict: int = Field(description="Verdict: 0 clamped, 1 rejected, 2 not followed.")
    field: str = Field(description="Field of the target, such as `head.pitch`.")
    requested: float | None = Field(
        description="Requested value in the unit of the field (rad, m, s, 1/s or a fraction); null if not a number."
    )
    applied: float | None = Field(description="Value after the safety gate, or measured value, in the same unit.")
    count: int = Field(description="Number of similar cases since the last report.")
    error_code: int = Field(description="Number of the error.")
    error_msg: str = Field(description="Error message for people; empty without an error.")


class RewardEvent(BaseModel):
    """Reward derived from feedback."""

    stamp: Stamp
    feedback_id: uuid.UUID = Field(description="The feedback.")
    turn_id: uuid.UUID = Field(description="Id of the turn that the feedback is about; zeros if none.")
    action: str = Field(description="Tool or skill that the feedback is about.")
    act_ids: list[uuid.UUID] = Field(description="Ids of actions that the feedback may be about, most likely first.")
    shares: list[float] = Field(description="Share of the reward for each action; the sum of all shares is 1.")
    sign: int = Field(description="Sign of the reward: -1, 0 or 1.")
    rating: float = Field(description="Reward, from -1 to 1.")
    confidence: Share
    stop: bool = Field(description="Whether the feedback was an urgent stop.")
    axes: list[str] = Field(description="Requested corrections, listed in docs/guides/feedback.md.")
    policy_version: str = Field(description="Policy version that acted.")
    stored: bool = Field(description="Whether the feedback is on disk.")


class PolicyUpdateEvent(BaseModel):
    """Effect of feedback on a skill."""

    stamp: Stamp
    feedback_id: uuid.UUID = Field(description="The feedback.")
    skill: str = Field(description="Skill that the feedback is about.")
    learned: bool = Field(description="Whether the active version has changed.")
    policy_version: int = Field(description="Policy version that acts from now on.")
    reason: str = Field(description="Reason for the result, for people.")
    told: bool = Field(description="Whether the robot says the reason after a correction.")


class AliveEvent(BaseModel):
    """Heartbeat, once per second."""

    stamp: Stamp
    degraded: list[str] = Field(description="Names of the nodes that are degraded.")


class DroppedEvent(BaseModel):
    """Gap in the events that the client has received."""

    events: int = Field(description="Number of missed events; 0 if unknown, after a restart of the gateway.")


class ProblemEvent(BaseModel):
    """Report of an invalid message from the client, or of an unavailable stream."""

    detail: str = Field(description="Message for people.")


class JointPositionsEvent(BaseModel):
    """Measured positions of all joints of the URDF."""

    stamp: Stamp
    joints: dict[str, float] = Field(description="Joint angles by name, rad.")


class DetectionData(BaseModel):
    """Detection in the camera image."""

    label: str = Field(description="Class of the object.")
    confidence: Share
    box: tuple[float, float, float, float] = Field(description="Left, top, right and bottom edges, pixels.")
    track: str = Field(description="Track id, constant while the object is tracked; empty if not tracked.")
    visible: float = Field(description="Estimated visible fraction of the object, 0 to 1; 0 if unknown.")
    bearing: Vector3Data = Field(description="Unit vector from the camera to the object, in `base_link`.")
    has_position: bool = Field(description="Whether `position` is valid.")
    position: Vector3Data = Field(description="Position in `base_link`, m; valid if `has_position`.")
    position_covariance: list[float] = Field(description="3x3 matrix by rows, m^2; valid if `has_position`.")


class DetectionsEvent(BaseModel):
    """Detections in the camera image."""

    stamp: Stamp
    image_width: int = Field(description="Image width, pixels.")
    image_height: int = Field(description="Image height, pixels.")
    detections: list[DetectionData] = Field(description="Detections, best first.")
    camera_pose: PoseData = Field(description="Pose of `camera_optical` in `base_link` when the image was taken.")
    detector: str = Field(description="Name of the detector.")


class FaceEvent(BaseModel):
    """Face that the robot looks at."""

    stamp: Stamp
    visible: bool = Field(description="Whether a face is visible now.")
    track: str = Field(description="Track id, constant while the same face is tracked.")
    position: Vector3Data = Field(description="Position in `head_base`, m.")
    confidence: Share


class SpeechActivityEvent(BaseModel):
    """Speech detection of the microphone."""

    stamp: Stamp
    state: int = Field(description="State: 0 idle, 1 listening, 2 endpointing, 3 transcribing, 4 muted.")
    speech_probability: Share
    level_dbfs: float | None = Field(
        description="Sound level, dB relative to full scale, at most 0; null for digital silence."
    )


class EventData(BaseModel):
    """Data of each kind of event on `WS /api/v1/events`: one message `{"kind": KIND, "data": DATA}` per event.

    An event that is neither a state nor a stream, except `dropped`, also has a `number` next to `kind` and `data`.
    """

    state: RobotStateEvent
    agent: AgentStateEvent
    speaking: SpeakingEvent
    attention: AttentionEvent
    approvals: ApprovalsEvent
    grants: GrantsEvent
    schedule: ScheduleEvent
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
