"""Every name the graph's nodes meet under, relative to the robot's namespace."""

NAMESPACE = "/reachy_mini"

HARDWARE_BRIDGE = "hardware_bridge"
CAMERA = "camera"
STT = "stt"
TTS = "tts"
TOOL_SERVER = "tool_server"
AGENT = "agent"

# Topics
HEARTBEATS = "heartbeats"
JOINT_STATES = "joint_states"
HEAD_POSE = "head_pose"
IMU = "imu/data"
ROBOT_STATE = "robot_state"
MOTION_TARGET = "motion_target"
MOTION_OFFSET = "motion_offset"
MOTION_REPORTS = "motion_reports"
SCENE_OBJECTS = "scene_objects"
EMERGENCY_STOP = "emergency_stop"
IMAGE = "camera/image_raw/compressed"
CAMERA_INFO = "camera/camera_info"
AUDIO_CAPTURE = "audio/capture"
AUDIO_PLAYBACK = "audio/playback"
SPEECH_ACTIVITY = "speech_activity"
TRANSCRIPT = "transcript"
SPEAKING_STATE = "speaking_state"
REPLY = "reply"
TURN_TRACE = "turn_trace"
APPROVALS = "approvals"
TOOLS = "tools"
FEEDBACK = "feedback"

# Services; EMERGENCY_STOP is one as well
RESET_EMERGENCY_STOP = "reset_emergency_stop"
HOLD = "hold"
GET_ROBOT_STATE = "get_robot_state"
SET_MOTOR_MODE = "set_motor_mode"
CAPTURE_IMAGE = "capture_image"
LIST_TOOLS = "list_tools"
DECIDE_APPROVAL = "decide_approval"

# Actions
EXECUTE_MOTION = "execute_motion"
MOVE_HEAD = "move_head"
LOOK_AT = "look_at"
SET_ANTENNAS = "set_antennas"
ROTATE_BODY = "rotate_body"
EXPRESS_EMOTION = "express_emotion"
DANCE = "dance"
SAY = "say"
CONVERSE = "converse"
EXECUTE_TOOL = "execute_tool"

# Frames (REP-103, REP-120)
BASE_FRAME = "base_link"
HEAD_BASE_FRAME = "head_base"
HEAD_FRAME = "head"
CAMERA_FRAME = "camera_optical"

HEAD_BASE_HEIGHT = 0.177
"""Height of `head_base` above `base_link`, m: the neutral head's origin in the Reachy Mini kinematics."""
