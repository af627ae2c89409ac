"""Principals: the people and programs that request or approve calls, as far as they are known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Decides(IntEnum):
    """Which approvals a principal may decide; mirror of `Principal`."""

    FOR_OTHERS = 0
    """What others asked for. Without a token nobody can be told from others, so that it is everything."""
    NOTHING = 1
    EVERYTHING = 2
    """Also what it asked for itself."""


@dataclass(frozen=True)
class Principal:
    """A person or a program.

    Attributes:
        name: For the record; empty where nobody said.
        authenticated: Whether `name` is a token that the gateway has checked, in the form `token:NAME#MARK`.
        decides: Which questions it may answer.
    """

    name: str = ""
    authenticated: bool = False
    decides: Decides = Decides.FOR_OTHERS

    @property
    def token(self) -> str:
        """The token that it bears, empty if none."""
        return self.name if self.authenticated else ""

    def asked(self, asked_by: str) -> bool:
        """Whether something was asked for with its token.

        Args:
            asked_by: Token of a request, empty if none.
        """
        return self.authenticated and self.name == asked_by

    def require_may_answer(self, tool: str, asked_by: str, approve: bool) -> None:
        """Checks that an answer may be taken. A no to its own request is: that only takes the request back.

        Args:
            tool: What the question is about.
            asked_by: Token of the request, empty if none.
            approve: The answer.

        Raises:
            AgentError: `DECISION_NOT_ALLOWED`; the message says who can answer.
        """
        own = self.asked(asked_by)
        if self.decides is Decides.EVERYTHING or (own and not approve):
            return
        if self.decides is Decides.NOTHING:
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"The token {self.name} cannot answer whether {tool} may run: its role or its use by an MCP client "
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
"""Whoever speaks in the room, types at the robot's computer, or comes from a program that says nothing of itself."""


def stream_of(principal: Principal, stream: str) -> str:
    """Id of an audio stream that also says who speaks, for what is heard in it.

    Args:
        principal: Who speaks.
        stream: Id that tells it from others.
    """
    return f"{_STREAM}{principal.decides.name}:{principal.name}:{stream}" if principal.authenticated else stream


def client_stream(principal: Principal, client: str, stream: str) -> str:
    """Id of an audio stream of a client of the gateway.

    Args:
        principal: Who speaks.
        client: Id of the client's connection, without a colon.
        stream: Id that tells it from others of that client.
    """
    return stream_of(principal, f"{_CLIENT}{client}:{stream}")


def client_of(stream: str) -> str:
    """Id of the client whose audio stream it is; empty if it is none of the gateway's."""
    found = _CLIENT_OF.fullmatch(stream)
    return "" if found is None else found["client"]


def speaker_of(stream: str) -> Principal:
    """Who speaks in an audio stream; nobody in particular where it does not say."""
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
