from __future__ import annotations

import pytest
from pydantic import ValidationError

from reachy_agent_ros.gateway.models.decisions import DecisionRequest
from reachy_agent_ros.nlu.answer import LONGEST_GRANT, YesNoAnswer


def test_approval_has_same_longest_validity_in_request_and_agent() -> None:
    YesNoAnswer(True, seconds=DecisionRequest(approve=True, valid_for=LONGEST_GRANT).valid_for).check()
    with pytest.raises(ValidationError, match="valid_for"):
        DecisionRequest(approve=True, valid_for=LONGEST_GRANT + 1.0)
