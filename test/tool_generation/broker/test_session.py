from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.tool_generation.broker.session import TokenBucket


@given(st.lists(st.floats(0.0, 0.1), max_size=200), st.floats(1.0, 100.0), st.floats(1.0, 20.0))
def test_token_bucket_limits_rate_and_burst_size(gaps: list[float], rate: float, burst: float) -> None:
    bucket, now, passed = TokenBucket(rate, burst, 0.0), 0.0, 0
    for gap in gaps:
        now += gap
        passed += bucket.take(now)
        assert passed <= burst + rate * now + 1e-6
