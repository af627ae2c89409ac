"""What a path demands of callers who decide something for the robot's owner."""

from __future__ import annotations

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.entrance import CHALLENGE, NEEDS_TOKEN, identify
from reachy_agent_ros.gateway.access.guard import Demand
from reachy_agent_ros.gateway.access.token_file import Scope
from reachy_agent_ros.gateway.caller import Caller, DeniedError, Role


class DecisionDemand(Demand):
    """Lets in callers of a role whose token may decide.

    It looks at the token once more: the body, which has been read by now, may have come long after the token was
    checked, and a token that was revoked meanwhile decides nothing.
    """

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """The caller.

        Raises:
            AgentError: `DECISION_NOT_ALLOWED`: an MCP client uses its token.
        """
        await super().__call__(connection)
        try:
            caller = identify(connection)
        except DeniedError:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, NEEDS_TOKEN, CHALLENGE) from None
        if caller.decides is Decides.NOTHING:
            name = caller.name.removeprefix("token:").partition("#")[0]
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"The token {name} is used by an MCP client, so it cannot decide anything for a person. Use another "
                f"token, or allow it: reachy-agent tokens allow {name} {Scope.APPROVE_AS_MCP_CLIENT}.",
            )
        return caller


def decides(role: Role) -> DecisionDemand:
    """What a path names to say who may decide there.

    Args:
        role: The least that is enough.
    """
    return DecisionDemand(role)
