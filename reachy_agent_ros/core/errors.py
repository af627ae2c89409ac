"""Error codes, and the exception that contains an error code and a message."""

from enum import IntEnum


class ErrorCode(IntEnum):
    """Copy of `reachy_agent_msgs/msg/ErrorCode` for code that runs without ROS.

    A test checks that both are equal. The comments in the message definition describe each code.
    """

    NONE = 0
    CANCELED = 1
    TIMEOUT = 2
    INVALID_GOAL = 3
    SERVER_UNAVAILABLE = 4
    SERVER_LOST = 5
    SHUTTING_DOWN = 6
    INTERNAL = 7
    STORAGE_FAILED = 8

    EMERGENCY_STOPPED = 100
    NOT_FINITE = 101
    NOT_RIGID = 102
    OUT_OF_ENVELOPE = 103
    UNREACHABLE = 104
    COMMANDER_BUSY = 105
    PREEMPTED = 106
    RATE_EXCEEDED = 107
    STALE_COMMAND = 108
    NOT_REACHED = 109
    ROBOT_DISCONNECTED = 110
    MOTION_IGNORED = 111
    MOTORS_OFF = 112
    UNKNOWN_MOVE = 113
    COMMANDER_LOST = 114
    CAMERA_UNAVAILABLE = 115
    DETECTOR_UNAVAILABLE = 116
    NOT_FOUND = 117

    UNKNOWN_TOOL = 200
    INVALID_ARGUMENTS = 201
    TOOL_DISABLED = 202
    TOOL_FAILED = 203
    APPROVAL_REQUIRED = 204
    APPROVAL_DENIED = 205
    SANDBOX_UNAVAILABLE = 206
    VALIDATION_FAILED = 207
    NOT_REVIEWED = 208
    DECISION_NOT_ALLOWED = 209

    EMPTY_TEXT = 300
    AUDIO_UNAVAILABLE = 301
    AUDIO_UNSUPPORTED = 302
    NO_SPEECH = 303
    VOICE_UNAVAILABLE = 304

    MODEL_UNAVAILABLE = 400
    MODEL_FAILED = 401
    MODEL_TRUNCATED = 402
    MODEL_MISBEHAVED = 403
    TURN_IN_PROGRESS = 404
    BUDGET_EXCEEDED = 405

    NO_DATA = 500
    POLICY_REJECTED = 501


class AgentError(Exception):
    """Expected failure, with an error code for programs and an error message for users.

    Args:
        code: Error code, never `NONE`.
        message: Description of the problem and, if helpful, of what was expected.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"
