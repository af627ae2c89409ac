"""Conversion of turns, approvals, grants, plans and personas to and from messages."""

from __future__ import annotations

import time
import uuid
from dataclasses import replace

from builtin_interfaces.msg import Time
from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import AgentState, Approval, Decision, Grant, Plan, PlanStep, Reply, Transcript, TurnTrace
from reachy_agent_msgs.msg import Persona as PersonaMessage
from std_msgs.msg import Header

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.spoken_turns import Understood
from reachy_agent_ros.agent.conversation.status import Status
from reachy_agent_ros.agent.conversation.turn import (
    QUEUE,
    Event,
    HandedOff,
    Queued,
    ReplyToken,
    ToolEnded,
    ToolStarted,
    Waiting,
)
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult, TurnSource
from reachy_agent_ros.agent.permissions.grants import Grant as GivenGrant
from reachy_agent_ros.agent.permissions.pending_approval import ApprovalDecision as GivenDecision
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.principal import client_of, speaker_of
from reachy_agent_ros.agent.personas.persona import Persona
from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.planning.step import Step, StepState
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.ros.rclpy_ext.convert import (
    duration_message,
    seconds_of,
    speech_of,
    stamp_message,
    uuid_from_message,
    uuid_message,
)
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_from_message

_ANY_NUMBER = -1
"""Value of `uses` for a grant without a limit."""


def request_from_goal(goal: Converse.Goal, turn_id: uuid.UUID) -> TurnRequest:
    """Returns the turn request of a `converse` goal.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if `asked_by` is invalid.
    """
    return TurnRequest(
        text=goal.text,
        session_id=goal.session_id or DEFAULT_SESSION,
        source=TurnSource(goal.source) if goal.source in iter(TurnSource) else TurnSource.REMOTE,
        speak=goal.speak,
        wait=goal.wait,
        time_allowance=seconds_of(goal.time_allowance),
        principal=principal_from_message(goal.asked_by),
        turn_id=turn_id,
    )


def understood_from_transcript(transcript: Transcript) -> Understood:
    """Returns the utterance described by a transcript message."""
    began, ended = speech_of(transcript)
    replaces = uuid_from_message(transcript.replaces)
    utterance = uuid_from_message(transcript.utterance_id)
    return Understood(
        text=transcript.text,
        utterance_id=utterance if utterance.int else uuid.uuid4(),
        replaces=replaces if replaces.int else None,
        began=began,
        ended=ended,
        rejected=transcript.rejected != Transcript.NOT_REJECTED,
        principal=speaker_of(transcript.source),
        client=client_of(transcript.source),
    )


def ignored_message(header: Header, utterance_id: uuid.UUID, reason: str) -> TurnTrace:
    """Returns the trace message for an utterance that is ignored and does not start a turn."""
    return TurnTrace(
        header=header, turn_id=uuid_message(utterance_id), kind=TurnTrace.HEARING, name="attention", summary=reason
    )


def feedback_message(event: Event) -> Converse.Feedback | None:
    """Returns the `converse` feedback for an event, or None if the event causes no feedback."""
    kinds = Converse.Feedback
    match event:
        case ReplyToken(text):
            return kinds(kind=kinds.TOKEN, text=text)
        case ToolStarted(name, arguments_json):
            return kinds(kind=kinds.TOOL_STARTED, name=name, arguments_json=arguments_json)
        case ToolEnded(name, outcome):
            return kinds(kind=kinds.TOOL_ENDED, name=name, text=outcome.for_model)
        case HandedOff(agent):
            return kinds(kind=kinds.HANDOFF, name=agent)
        case Waiting(reason):
            return kinds(kind=kinds.WAITING, text=reason)
        case Queued(ahead):
            return kinds(kind=kinds.WAITING, name=QUEUE, text=phrases.queued(ahead))
    return None


def result_message(request: TurnRequest, result: TurnResult) -> Converse.Result:
    """Returns the result for a `converse` goal."""
    return Converse.Result(
        turn_id=uuid_message(request.turn_id),
        session_id=request.session_id,
        reply=result.reply,
        agent=result.agent,
        tools_called=result.tools_called,
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        model_calls=result.model_calls,
        model_retries=result.model_retries,
        model_fallbacks=result.model_fallbacks,
        model_repairs=result.model_repairs,
        elapsed=duration_message(result.elapsed),
        error_code=int(result.error.code) if result.error else 0,
        error_msg=result.error.message if result.error else "",
    )


def clause_message(header: Header, request: TurnRequest, sequence: int, text: str) -> Reply:
    """Returns the message for a clause of a reply."""
    return Reply(
        header=header,
        turn_id=uuid_message(request.turn_id),
        session_id=request.session_id,
        sequence=sequence,
        text=text,
    )


def final_reply(header: Header, request: TurnRequest, result: TurnResult) -> Reply:
    """Returns the last message of a reply."""
    reply = clause_message(header, request, result.clauses, result.reply)
    reply.is_final = True
    reply.agent = result.agent
    reply.error_code = int(result.error.code) if result.error else 0
    reply.error_msg = result.error.message if result.error else ""
    return reply


def state_message(header: Header, status: Status, session_id: str, persona: str) -> AgentState:
    """Returns the message for the agent's state."""
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


def approval_message(pending: PendingApproval, question: str) -> Approval:
    """Returns the message for a pending approval with its written question."""
    return Approval(
        approval_id=uuid_message(pending.approval_id),
        turn_id=uuid_message(pending.turn_id),
        tool=pending.tool,
        arguments_json=pending.arguments_json,
        question=question,
        reason=f"{pending.reason[:1].upper()}{pending.reason[1:]}.",
        rule=pending.rule,
        session_id=pending.session_id,
        requester=pending.requester,
        asked_by=pending.asked_by,
        requested=stamp_message(pending.requested),
        expires=stamp_message(pending.expires),
    )


def decision_message(decision: GivenDecision) -> Decision:
    """Returns the message for a decision about an approval."""
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
    """Returns the message for a grant."""
    expires = Time() if grant.deadline is None else stamp_message(time.time() + grant.deadline.remaining)
    return Grant(
        grant_id=uuid_message(grant.grant_id),
        tools=list(grant.tools),
        session_id=grant.session_id or "",
        rule=grant.rule,
        expires=expires,
        uses=_ANY_NUMBER if grant.uses is None else grant.uses,
        given_by=grant.by,
    )


def plan_message(header: Header, session_id: str, tree: TaskTree | None, review: PlanReview) -> Plan:
    """Returns the message for a conversation's plan."""
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
    """Returns the plan in a message, or None if the conversation has no plan."""
    if not plan.goal:
        return None
    steps: list[Step] = []
    for key, one in enumerate(plan.steps, 1):
        step = Step(
            key, one.title, one.expectation, state=StepState(one.state), outcome=one.outcome, failures=one.failures
        )
        if "." in one.number:  # a sub-step of the previous step
            steps[-1] = replace(steps[-1], steps=(*steps[-1].steps, step))
        else:
            steps.append(step)
    return TaskTree(plan.goal, tuple(steps), plan.revision, len(plan.steps))


def persona_message(persona: Persona, active: bool) -> PersonaMessage:
    """Returns the message for a persona."""
    return PersonaMessage(
        name=persona.name,
        description=persona.description,
        voice=persona.voice,
        tools=list(persona.tools),
        active=active,
    )
