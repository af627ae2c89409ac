"""Human decisions: approvals, standing permissions (grants), plan review and personas."""

from __future__ import annotations

import uuid
from typing import Annotated, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.nlu.answer import LONGEST_GRANT

LONGEST = 30 * 86_400.0
"""Maximum validity of a grant, s."""

Name = Annotated[str, Field(min_length=1, max_length=100)]


class Approval(BaseModel):
    """Question that is waiting for a person's approval."""

    approval_id: uuid.UUID = Field(description="Id of the question.")
    turn_id: uuid.UUID = Field(description="Turn that asks; zeros if none.")
    tool: str = Field(description="Tool that is to run.")
    arguments_json: str = Field(description="Arguments of the call, a JSON object.")
    question: str = Field(description="Question in the robot's words: `May I turn my head 45 degrees to the left?`")
    reason: str = Field(description="Reason for the question, a sentence.")
    rule: str = Field(description="Permission rule that requires the question.")
    session_id: str = Field(description="Conversation of the question.")
    requester: str = Field(description="Agent that requests the call.")
    asked_by: str = Field(description="Token with which the request was made, `token:NAME#DIGEST`; empty if none.")
    requested: float = Field(description="Time of the question, seconds since the epoch.")
    expires: float = Field(description="Time at which the call is denied automatically, seconds since the epoch.")


class ApprovalAnswer(BaseModel):
    """Answer to a question."""

    approval_id: uuid.UUID = Field(description="Id of the question.")
    tool: str = Field(description="Tool that was to run.")
    session_id: str = Field(description="Conversation of the question.")
    asked_by: str = Field(description="Token with which the request was made; empty if none.")
    approved: bool = Field(description="Whether the call was approved.")
    decided_by: str = Field(description="Person or client that answered, and the channel.")
    decided: float = Field(description="Time of the answer, seconds since the epoch.")


class ApprovalsAnswer(BaseModel):
    """Pending questions and the latest answers."""

    approvals: list[Approval] = Field(description="Pending questions, oldest first.")
    decided: list[ApprovalAnswer] = Field(description="Latest answers since the agent started, newest first.")


class DecisionRequest(BaseModel):
    """A person's answer to a question."""

    approve: bool = Field(description="Whether to approve the call.")
    whole_session: bool = Field(
        False, description="Whether an approval applies to the same question in the whole conversation."
    )
    valid_for: float = Field(
        0.0, ge=0.0, le=LONGEST_GRANT, description="Validity of an approval, seconds; 0: this call only."
    )
    comment: str = Field("", max_length=1_000, description="Comment, stored with the decision.")


class DecisionAnswer(BaseModel):
    """Recorded decision."""

    approval_id: uuid.UUID
    approved: bool
    decided_by: str = Field(description="Person or client that answered, as named in the audit log after `service: `.")


class GrantSummary(BaseModel):
    """Standing permission that a person granted."""

    grant_id: uuid.UUID = Field(description="Id of the grant, for revoking it.")
    tools: list[str] = Field(description="Tool names; * matches any characters.")
    session_id: str = Field(description="Conversation in which the grant is valid; empty: all conversations.")
    rule: str = Field(description="Rule whose question the grant answers; empty: any rule.")
    expires: float = Field(
        description="End of the grant, seconds since the epoch; 0: when the agent's process ends, as all grants do."
    )
    uses: int = Field(description="Number of remaining calls; -1: unlimited.")
    given_by: str = Field(description="Person or client that gave the grant.")


class GrantsAnswer(BaseModel):
    """All standing permissions."""

    grants: list[GrantSummary] = Field(description="Grants, oldest first.")


class GrantRequest(BaseModel):
    """Standing permission for calls that otherwise need approval."""

    tools: list[Name] = Field(min_length=1, max_length=100, description="Tool names; * matches any characters.")
    session_id: str = Field(
        "", max_length=100, description="Conversation in which the grant is valid; empty: all conversations."
    )
    valid_for: float = Field(
        0.0, ge=0.0, le=LONGEST, description="Validity of the grant, seconds; 0: until the agent's process ends."
    )
    uses: int = Field(0, ge=0, lt=2**31, description="Number of calls; 0: unlimited.")


class GrantAnswer(BaseModel):
    """New grant."""

    grant_id: uuid.UUID


class PlanStep(BaseModel):
    """Step of a plan. Steps can be nested."""

    number: str = Field(description="Number in the tree, for example 2 or 2.1.")
    title: str = Field(description="Task of the step.")
    expectation: str = Field(description="Expected observation when the step is done.")
    state: int = Field(description="0 pending, 1 running, 2 blocked, 3 done.")
    outcome: str = Field(description="Latest observation; empty before there is one.")
    failures: int = Field(description="Number of failed attempts.")


class PlanAnswer(BaseModel):
    """Plan of the agent."""

    stamp: float = Field(description="Time of the last change, seconds since the epoch.")
    turn_id: uuid.UUID = Field(description="Not set at present: always zeros.")
    session_id: str = Field(description="Conversation of the plan.")
    goal: str = Field(description="Goal of the person; empty if there is no plan.")
    revision: int = Field(description="Increments with every change of the steps, from 1.")
    review: int = Field(description="Review by a person: 0 none, 1 the plan, 2 the plan and each step.")
    steps: list[PlanStep] = Field(description="Steps in depth-first order.")


class PlanReviewRequest(BaseModel):
    """Extent to which a plan needs approval."""

    review: int = Field(ge=0, le=2, description="Review by a person: 0 none, 1 the plan, 2 the plan and each step.")


class PersonaSummary(BaseModel):
    """Persona of the robot."""

    name: str
    description: str = Field(description="One-line description for people.")
    voice: str = Field(description="Name of the voice; empty: the configured one.")
    tools: list[str] = Field(description="Names of the tools that the persona uses; * matches any characters.")
    active: bool = Field(description="Whether the persona is active.")


class PersonasAnswer(BaseModel):
    """All personas."""

    personas: list[PersonaSummary] = Field(description="Personas, sorted by name.")


class PersonaRequest(BaseModel):
    """Persona to activate."""

    name: Name


class PersonaAnswer(BaseModel):
    """Persona that is active from the next turn on."""

    name: str


class Decisions(Protocol):
    """Service for approvals, grants, plan review and personas. Every method raises `AgentError`."""

    async def approvals(self) -> ApprovalsAnswer:
        """Returns the pending questions and the latest answers."""

    async def decide(self, approval_id: uuid.UUID, request: DecisionRequest, decided_by: Principal) -> None:
        """Answers a question.

        Raises:
            AgentError: `INVALID_GOAL`: no question with this id is pending; `INVALID_ARGUMENTS`: the validity exceeds
                `LONGEST_GRANT`; `DECISION_NOT_ALLOWED`.
        """

    async def grants(self) -> GrantsAnswer:
        """Returns all grants that are still valid."""

    async def grant(self, request: GrantRequest, given_by: Principal) -> GrantAnswer:
        """Creates a grant and returns its id."""

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        """Revokes a grant. Raises `NOT_FOUND` if no grant has this id."""

    async def plan(self) -> PlanAnswer:
        """Returns the most recently changed plan."""

    async def review(self, request: PlanReviewRequest) -> None:
        """Sets which parts of a plan need approval."""

    async def personas(self) -> PersonasAnswer:
        """Returns all personas."""

    async def become(self, request: PersonaRequest) -> None:
        """Activates a persona. Raises `NOT_FOUND` if no persona has this name."""
