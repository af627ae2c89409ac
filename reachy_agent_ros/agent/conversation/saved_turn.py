"""A turn that waits for a person's yes, in a form that outlives the process."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from reachy_agent_ros.agent.conversation.turn_request import Source, TurnRequest
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode

VERSION = 3


@dataclass(frozen=True)
class SavedTurn:
    """What a turn needs to go on.

    Attributes:
        request: What was asked.
        history: Items of the conversation before it that the model was shown.
        state: The SDK's own account of the run.
        tainted: Whether the model has read words of others that give orders.
        calls: Tools that were called, with the name of the error each ended with, empty for none.
        origin: Provenance labels of what the model was shown, in one line.
    """

    request: TurnRequest
    history: int
    state: dict[str, Any]
    tainted: bool = False
    calls: tuple[tuple[str, str], ...] = ()
    origin: str = ""

    def to_json(self) -> str:
        """As it is stored."""
        request = self.request
        saved = {
            "version": VERSION,
            "text": request.text,
            "session_id": request.session_id,
            "source": int(request.source),
            "speak": request.speak,
            "turn_id": str(request.turn_id),
            "principal": asdict(request.principal),
            "history": self.history,
            "state": self.state,
            "tainted": self.tainted,
            "calls": self.calls,
            "origin": self.origin,
        }
        return json.dumps(saved)

    @classmethod
    def from_json(cls, text: str) -> SavedTurn:
        """Reads what was stored.

        Raises:
            AgentError: `STORAGE_FAILED`: it is not what this version of the program stores.
        """
        try:
            stored = _Stored.model_validate_json(text)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise AgentError(ErrorCode.STORAGE_FAILED, f"A turn that waited cannot be taken up: {reason}.") from error
        request = TurnRequest(
            stored.text,
            session_id=stored.session_id,
            source=stored.source,
            speak=stored.speak,
            turn_id=stored.turn_id,
            principal=stored.principal,
        )
        return cls(request, stored.history, stored.state, stored.tainted, tuple(stored.calls), stored.origin)


class _Stored(BaseModel):
    """The form on disk."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[3]
    text: str
    session_id: str
    source: Source
    speak: bool
    turn_id: uuid.UUID
    principal: Principal
    history: NonNegativeInt
    state: dict[str, Any]
    tainted: bool
    calls: list[tuple[str, str]]
    origin: str
