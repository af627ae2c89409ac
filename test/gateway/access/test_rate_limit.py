import asyncio

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.rate_limit import RateLimit


@pytest.mark.parametrize("rate", ["", "often", "3", "-1/second", "0/second", "3/fortnight", "3/second;9/minute"])
def test_rejects_malformed_or_zero_rate_limit(rate: str) -> None:
    with pytest.raises(AgentError, match="expected COUNT/UNIT") as refused:
        RateLimit(rate)
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


def test_rate_limit_applies_to_each_caller_separately() -> None:
    async def waits() -> list[int]:
        limit = RateLimit("2/hour")
        return [await limit.wait(caller) for caller in ("phone", "phone", "tablet", "phone")]

    *admitted, rejected = asyncio.run(waits())
    assert admitted == [0, 0, 0]
    assert rejected > 0
