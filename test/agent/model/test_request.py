import logging
from dataclasses import replace

import pytest
from agents import ModelSettings, ModelTracing

from reachy_agent_ros.agent.model.request import ModelRequest, require_room
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SHORT = ModelRequest("x" * 4000, [], ModelSettings(), [], None, [], ModelTracing.DISABLED)


def test_error_for_request_that_exceeds_context_length_states_remedy() -> None:
    with pytest.raises(AgentError, match="OLLAMA_CONTEXT_LENGTH=16384") as error:
        require_room(replace(SHORT, system_instructions="x" * 40_000), 4096)
    assert error.value.code is ErrorCode.MODEL_FAILED


def test_small_context_length_causes_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        require_room(SHORT, 2048)
    assert "a context of 2048 tokens" in caplog.text


@pytest.mark.parametrize("context", [None, 16384])
def test_accepts_request_with_sufficient_or_unknown_context_length(
    context: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    require_room(SHORT, context)
    assert caplog.text == ""
