"""A turn that waits for a person's yes, in a form that outlives the process."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.turn_request import Source, TurnRequest

VERSION = 1


@dataclass(frozen=True)
class SavedTurn:
    """What a turn needs to go on.

    Attributes:
        request: What was asked.
        history: Items of the conversation before it that the model was shown.
        state: The SDK's own account of the run.
    """

    request: TurnRequest
    history: int
    state: dict[str, Any]

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
            "history": self.history,
            "state": self.state,
        }
        return json.dumps(saved, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> SavedTurn:
        """Reads what was stored.

        Raises:
            AgentError: `STORAGE_FAILED`: it is not what this version of the program stores.
        """
        try:
            saved = json.loads(text)
            if saved["version"] != VERSION:
                raise ValueError(f"version {saved['version']}")
            request = TurnRequest(
                saved["text"],
                session_id=saved["session_id"],
                source=Source(saved["source"]),
                speak=saved["speak"],
                turn_id=uuid.UUID(saved["turn_id"]),
            )
            return cls(request, int(saved["history"]), dict(saved["state"]))
        except (ValueError, KeyError, TypeError) as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"A turn that waited cannot be taken up: {error!r}.") from error
