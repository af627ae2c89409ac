"""What the mind does and what people decide about it, as messages."""

from __future__ import annotations

import time
from dataclasses import replace

from builtin_interfaces.msg import Time
from reachy_agent_msgs.msg import AgentState, Approval, Decision, Grant, Plan, PlanStep
from reachy_agent_msgs.msg import Persona as PersonaMessage
from reachy_agent_msgs.msg import Session as SessionMessage
from std_msgs.msg import Header

from reachy_agent_ros.agent.conversation.status import Status
from reachy_agent_ros.agent.permissions.grants import Grant as GivenGrant
from reachy_agent_ros.agent.permissions.pending_approval import Decision as GivenDecision
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.personas.persona import Persona
from reachy_agent_ros.agent.planning.review import Review
from reachy_agent_ros.agent.planning.step import Step, StepState
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.sessions.session import Session
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_message

ANY_NUMBER = -1
"""Of calls that a grant is good for."""


def state_message(header: Header, status: Status, session_id: str, persona: str) -> AgentState:
    """What the mind is doing."""
    return AgentState(
        header=header,
        state=int(status.state),
        detail=status.detail,
        turn_id=uuid_message(status.turn_id),
        agent=status.agent,
        turns_waiting=status.turns_waiting,
        session_id=session_id,
        persona=persona,
    )


def approval_message(pending: PendingApproval) -> Approval:
    """Something that waits for a person."""
    return Approval(
        approval_id=uuid_message(pending.approval_id),
        turn_id=uuid_message(pending.turn_id),
        tool=pending.tool,
        arguments_json=pending.arguments_json,
        reason=f"{pending.requester} wants to use {pending.tool}: {pending.reason}.",
        rule=pending.rule,
        session_id=pending.session_id,
        requester=pending.requester,
        asked_by=pending.asked_by,
        requested=stamp_message(pending.requested),
        expires=stamp_message(pending.expires),
    )


def decision_message(decision: GivenDecision) -> Decision:
    """How a question was answered."""
    return Decision(
        approval_id=uuid_message(decision.pending.approval_id),
        tool=decision.pending.tool,
        session_id=decision.pending.session_id,
        asked_by=decision.pending.asked_by,
        approved=decision.approved,
        decided_by=decision.by,
        decided=stamp_message(decision.decided),
    )


def grant_message(grant: GivenGrant) -> Grant:
    """Leave that a person gave."""
    expires = Time() if grant.deadline is None else stamp_message(time.time() + grant.deadline.remaining)
    return Grant(
        grant_id=uuid_message(grant.grant_id),
        tools=list(grant.tools),
        session_id=grant.session_id or "",
        rule=grant.rule,
        expires=expires,
        uses=ANY_NUMBER if grant.uses is None else grant.uses,
        given_by=grant.by,
    )


def plan_message(header: Header, session_id: str, tree: TaskTree | None, review: Review) -> Plan:
    """The plan of a conversation."""
    plan = Plan(header=header, session_id=session_id, review=int(review))
    if tree is not None:
        plan.goal, plan.revision = tree.goal, tree.revision
        plan.steps = [
            PlanStep(
                number=number,
                title=step.title,
                expectation=step.expectation,
                state=int(step.state),
                outcome=step.outcome,
                failures=step.failures,
            )
            for number, step in tree.numbered()
        ]
    return plan


def tree_from_message(plan: Plan) -> TaskTree | None:
    """The plan of a message; None where the conversation has none."""
    if not plan.goal:
        return None
    steps: list[Step] = []
    for key, one in enumerate(plan.steps, 1):
        step = Step(
            key, one.title, one.expectation, state=StepState(one.state), outcome=one.outcome, failures=one.failures
        )
        if "." in one.number:  # a part of the step before it
            steps[-1] = replace(steps[-1], steps=(*steps[-1].steps, step))
        else:
            steps.append(step)
    return TaskTree(plan.goal, tuple(steps), plan.revision, len(plan.steps))


def persona_message(persona: Persona, active: bool) -> PersonaMessage:
    """One of those the robot can be."""
    return PersonaMessage(
        name=persona.name,
        description=persona.description,
        voice=persona.voice,
        tools=list(persona.tools),
        active=active,
    )


def session_message(session: Session) -> SessionMessage:
    """One conversation."""
    return SessionMessage(
        session_id=session.session_id,
        began=stamp_message(session.began),
        changed=stamp_message(session.changed),
        turns=session.turns,
        beginning=session.beginning,
        branched_from=session.branched_from,
    )
