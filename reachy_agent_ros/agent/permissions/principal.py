"""Principals: the people and programs that request or approve tool calls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Decides(IntEnum):
    """Scope of the requests that a principal may approve. Mirrors the constants of the `Principal` message."""

    FOR_OTHERS = 0
    """Requests by other principals. For principals without a token, which are indistinguishable: every request."""
    NOTHING = 1
    EVERYTHING = 2
    """All requests, including the principal's own."""


@dataclass(frozen=True)
class Principal:
    """Person or program that makes a request or a decision.

    Attributes:
        name: Name for the audit log; empty if unknown.
        authenticated: Whether `name` is a token that the gateway has verified, in the form `token:NAME#MARK`.
        decides: Approvals that the principal may decide.
    """

    name: str = ""
    authenticated: bool = False
    decides: Decides = Decides.FOR_OTHERS

    @property
    def token(self) -> str:
        """Token of the principal; empty if the principal has no token."""
        return self.name if self.authenticated else ""

    def asked(self, asked_by: str) -> bool:
        """Returns whether a request was made with this principal's token.

        Args:
            asked_by: Token of a request, empty if none.
        """
        return self.authenticated and self.name == asked_by

    def require_may_answer(self, tool: str, asked_by: str, approve: bool) -> None:
        """Checks that the principal may answer a request. Every principal may deny its own request.

        Args:
            tool: Tool that was requested.
            asked_by: Token of the request; empty without one.
            approve: Whether the answer is an approval.

        Raises:
            AgentError: `DECISION_NOT_ALLOWED`; the message names the principals that can answer.
        """
        own = self.asked(asked_by)
        if self.decides is Decides.EVERYTHING or (own and not approve):
            return
        if self.decides is Decides.NOTHING:
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"The token {self.name} cannot decide whether {tool} may run: its role or its use by an MCP client "
                f"does not allow it. {_OTHERS}",
            )
        if own:
            short = self.name.removeprefix("token:").partition("#")[0]
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"{tool} was requested with the token {self.name}, which cannot approve its own requests. {_OTHERS} "
                f"To let this token do it: reachy-agent tokens allow {short} approve-own.",
            )


UNKNOWN = Principal()
"""Person in the room or at the robot's computer, or program that does not identify itself."""


def stream_of(principal: Principal, stream: str) -> str:
    """Returns the id of an audio stream. If the speaker is authenticated, the id contains the speaker.

    Args:
        principal: Speaker of the stream.
        stream: Unique id of the stream.
    """
    return f"{_STREAM}{principal.decides.name}:{principal.name}:{stream}" if principal.authenticated else stream


def client_stream(principal: Principal, client: str, stream: str) -> str:
    """Returns the id of an audio stream from a gateway client.

    Args:
        principal: Speaker of the stream.
        client: Id of the client's connection, without a colon.
        stream: Id of the stream, unique for that client.
    """
    return stream_of(principal, f"{_CLIENT}{client}:{stream}")


def client_of(stream: str) -> str:
    """Returns the gateway client's id from the id of its audio stream; empty for other streams."""
    found = _CLIENT_OF.fullmatch(stream)
    return "" if found is None else found["client"]


def speaker_of(stream: str) -> Principal:
    """Returns the speaker that is encoded in the id of an audio stream, or `UNKNOWN`."""
    found = _STREAM_OF.fullmatch(stream)
    return UNKNOWN if found is None else Principal(found["name"], True, Decides[found["decides"]])


_STREAM = "principal:"
_SPEAKER = rf"{_STREAM}(?P<decides>{'|'.join(Decides.__members__)}):(?P<name>token:[^:]+):"
_STREAM_OF = re.compile(rf"{_SPEAKER}.*")
_CLIENT = "client:"
_CLIENT_OF = re.compile(rf"(?:{_SPEAKER})?{_CLIENT}(?P<client>[^:]+):.*")

_OTHERS = (
    "Somebody else can: another token of the role operator or administrator, a person who talks to the robot, or "
    "'reachy-agent approvals' on the robot's computer."
)
