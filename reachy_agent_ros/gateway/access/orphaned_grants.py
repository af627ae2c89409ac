"""End of the grants of revoked tokens."""

from __future__ import annotations

import asyncio
import logging
import re

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.models.decisions import Decisions

LOOK_PERIOD = 1.0
"""Time between checks, s."""

_TOKEN = re.compile(r"token:[\w.-]{1,40}#[0-9a-f]{8}", re.ASCII)
_log = logging.getLogger(__name__)


async def revoke_orphaned_grants(decisions: Decisions, tokens: TokenFile) -> None:
    """Revokes every grant whose token no longer exists. Call it repeatedly, see `watch_grants`.

    A person who takes a token away from somebody expects that what this token has permitted ends, too.

    Args:
        decisions: Service with the grants. The name of the giver contains the identity of the giver's token.
        tokens: Valid tokens.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: the agent does not run; `STORAGE_FAILED`: the tokens cannot be read.
    """
    grants = (await decisions.grants()).grants
    if not grants:
        return
    valid = {f"token:{token.identity}" for token in tokens.tokens()}
    for grant in grants:
        giver = _TOKEN.search(grant.given_by)
        if giver is not None and giver[0] not in valid:
            try:
                await decisions.revoke(grant.grant_id, f"gateway, because {giver[0]} was revoked")
            except AgentError as error:
                if error.code is not ErrorCode.NOT_FOUND:  # it has ended in the meantime
                    raise


async def watch_grants(decisions: Decisions, tokens: TokenFile) -> None:
    """Calls `revoke_orphaned_grants` periodically until it is canceled. Logs each new error once."""
    last = ""
    while True:
        await asyncio.sleep(LOOK_PERIOD)
        try:
            await revoke_orphaned_grants(decisions, tokens)
            last = ""
        except AgentError as error:
            # Grants end with the process of the agent, so there is nothing to revoke while it is not running.
            if error.code is not ErrorCode.SERVER_UNAVAILABLE and error.message != last:
                _log.warning("The grants of revoked tokens are still valid: %s", error.message)
                last = error.message
