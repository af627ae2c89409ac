"""What people decide about the agent: approvals, grants, the plan's review and personas."""

from __future__ import annotations

import uuid
from typing import Annotated, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal

LONGEST = 30 * 86_400.0
"""s that a yes may hold."""

Name = Annotated[str, Field(min_length=1, max_length=100)]


class Approval(BaseModel):
    """One thing that waits for a person's yes or no."""

    approval_id: uuid.UUID = Field(description="To decide it by.")
    turn_id: uuid.UUID = Field(description="The turn it belongs to; zeros if none.")
    tool: str = Field(description="What wants to run.")
    arguments_json: str = Field(description="With what: a JSON object.")
    reason: str = Field(description="Why it asks, in words for people.")
    rule: str = Field(description="The rule that asks, in words.")
    session_id: str = Field(description="Conversation it belongs to.")
    requester: str = Field(description="Agent that wants it.")
    asked_by: str = Field(description="Token that it was requested with, `token:NAME#MARK`; empty if none.")
    requested: float = Field(description="When it asked, seconds since the epoch.")
    expires: float = Field(description="Denied by itself then, likewise.")


class ApprovalAnswer(BaseModel):
    """How a question was answered."""

    approval_id: uuid.UUID = Field(description="Of the question.")
    tool: str = Field(description="What wanted to run.")
    session_id: str = Field(description="Conversation it belonged to.")
    asked_by: str = Field(description="Token that it was requested with; empty if none.")
    approved: bool = Field(description="Yes or no.")
    decided_by: str = Field(description="Who answered, and in which way.")
    decided: float = Field(description="When, seconds since the epoch.")


class ApprovalsAnswer(BaseModel):
    """All that waits, and the last answers."""

    approvals: list[Approval] = Field(description="Oldest first.")
    decided: list[ApprovalAnswer] = Field(description="The last answers since the agent began, newest first.")


class DecisionRequest(BaseModel):
    """A person's answer."""

    approve: bool = Field(description="Yes or no.")
    whole_session: bool = Field(False, description="Whether a yes holds for this question in the whole conversation.")
    valid_for: float = Field(0.0, ge=0.0, le=LONGEST, description="Seconds for which a yes holds; 0: this call.")
    comment: str = Field("", max_length=1_000, description="Your own words, kept with the decision.")


class DecisionAnswer(BaseModel):
    """What was decided."""

    approval_id: uuid.UUID
    approved: bool
    decided_by: str = Field(description="Who answered, as the record names it after `service: `.")


class GrantSummary(BaseModel):
    """Leave that a person gave beforehand."""

    grant_id: uuid.UUID = Field(description="To revoke it by.")
    tools: list[str] = Field(description="Names; * stands for any characters.")
    session_id: str = Field(description="Conversation it holds in; empty: every one.")
    rule: str = Field(description="The rule whose question it answers; empty: any.")
    expires: float = Field(description="Seconds since the epoch; 0: with the agent's process, as all do.")
    uses: int = Field(description="Calls it is still good for; -1: any number.")
    given_by: str = Field(description="Who gave it.")


class GrantsAnswer(BaseModel):
    """All that is granted."""

    grants: list[GrantSummary] = Field(description="Oldest first.")


class GrantRequest(BaseModel):
    """Leave for calls that the robot would ask about."""

    tools: list[Name] = Field(min_length=1, max_length=100, description="Names; * stands for any characters.")
    session_id: str = Field("", max_length=100, description="Conversation it holds in; empty: every one.")
    valid_for: float = Field(0.0, ge=0.0, le=LONGEST, description="Seconds; 0: until the agent's process ends.")
    uses: int = Field(0, ge=0, lt=2**31, description="Calls it is good for; 0: any number.")


class GrantAnswer(BaseModel):
    """The new leave."""

    grant_id: uuid.UUID


class PlanStep(BaseModel):
    """One step of a plan, or a step of a step."""

    number: str = Field(description="Place in the tree: 2, 2.1.")
    title: str = Field(description="What is to be done.")
    expectation: str = Field(description="What must be seen when it is done.")
    state: int = Field(description="0 pending, 1 running, 2 blocked, 3 done.")
    outcome: str = Field(description="What was seen; empty before.")
    failures: int = Field(description="Times it did not come out as expected.")


class PlanAnswer(BaseModel):
    """What the agent is about to do."""

    stamp: float = Field(description="When it changed, seconds since the epoch.")
    turn_id: uuid.UUID = Field(description="The turn that changed it; zeros if none.")
    session_id: str = Field(description="Conversation it belongs to.")
    goal: str = Field(description="What the person wants; empty where there is no plan.")
    revision: int = Field(description="Counts up from 1 with every change of the steps.")
    review: int = Field(description="What a person approves: 0 nothing, 1 the plan, 2 each step too.")
    steps: list[PlanStep] = Field(description="Depth first.")


class PlanReviewRequest(BaseModel):
    """What of a plan a person approves."""

    review: int = Field(ge=0, le=2, description="0 nothing, 1 the plan, 2 each step too.")


class PersonaSummary(BaseModel):
    """One of those the robot can be."""

    name: str
    description: str = Field(description="One line for people.")
    voice: str = Field(description="Empty: the configured one.")
    tools: list[str] = Field(description="Names of the tools it uses; * stands for any characters.")
    active: bool = Field(description="Whether the robot is this one now.")


class PersonasAnswer(BaseModel):
    """Who the robot can be."""

    personas: list[PersonaSummary] = Field(description="By name.")


class PersonaRequest(BaseModel):
    """Who the robot shall be."""

    name: Name


class PersonaAnswer(BaseModel):
    """Who it is from the next turn on."""

    name: str


class Decisions(Protocol):
    """Approvals, grants, the plan and personas. Every method raises `AgentError`."""

    async def approvals(self) -> ApprovalsAnswer:
        """Returns what waits for a person's yes or no, and the last answers."""

    async def decide(self, approval_id: uuid.UUID, request: DecisionRequest, decided_by: Principal) -> None:
        """Answers what waits; `INVALID_GOAL` if nothing of that id does (any more), `DECISION_NOT_ALLOWED`."""

    async def grants(self) -> GrantsAnswer:
        """Returns what a person granted and still holds."""

    async def grant(self, request: GrantRequest, given_by: Principal) -> GrantAnswer:
        """Gives leave, and returns its id."""

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        """Ends a leave; `NOT_FOUND` if there is none of that id."""

    async def plan(self) -> PlanAnswer:
        """Returns the plan that changed last."""

    async def review(self, request: PlanReviewRequest) -> None:
        """Sets what of a plan a person approves."""

    async def personas(self) -> PersonasAnswer:
        """Lists who the robot can be."""

    async def become(self, request: PersonaRequest) -> None:
        """Makes the robot another persona; `NOT_FOUND` if there is none of that name."""
