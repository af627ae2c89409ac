/** Open approvals and their answers. */

import { computed, signal } from "@preact/signals";
import { on } from "../api/events";
import { Problem, post } from "../api/http";
import type { Approval, ApprovalAnswer, DecisionRequest } from "../api/schemas";
import { plainArgument } from "../components/plain_argument";

export type Decision = "once" | "conversation" | "deny";

/** Oldest first. The agent keeps them, so a page that is opened later shows them too. */
export const approvals = signal<Approval[]>([]);
/** Latest answers since the agent started, newest first; the audit log has all of them. */
export const answered = signal<ApprovalAnswer[]>([]);
export const waiting = computed(() => approvals.value.length);

/** Reason why the last answer had no effect, until it is dismissed or another approval opens. */
export const objection = signal("");

const PREDEFINED = 0;

const descriptions = signal<Record<string, string>>({});

on("approvals", ({ approvals: found, decided }) => {
  const known = approvals.value.map((approval) => approval.approval_id);
  if (found.some((approval) => !known.includes(approval.approval_id))) objection.value = "";
  approvals.value = found;
  answered.value = decided;
});
on("tools", ({ tools }) => {
  const unknown = tools.filter((tool) => tool.origin !== PREDEFINED);
  descriptions.value = Object.fromEntries(unknown.map((tool) => [tool.name, tool.description]));
});

/** Description of a tool that is not part of the robot's software; empty for others, which the question describes. */
export function deed(tool: string): string {
  return descriptions.value[tool] ?? "";
}

/** Answers an approval. Only the first answer of any client counts. */
export async function decide(approval: Approval, decision: Decision): Promise<void> {
  objection.value = "";
  try {
    await post(`/approvals/${approval.approval_id}`, {
      approve: decision !== "deny",
      whole_session: decision === "conversation",
    } satisfies DecisionRequest);
    approvals.value = approvals.value.filter((other) => other.approval_id !== approval.approval_id);
  } catch (error) {
    const late = error instanceof Problem && error.document.status === 409;
    objection.value = late ? `${error.document.detail} Your answer had no effect.` : (error as Error).message;
  }
}

/** The arguments of a call as pairs of name and text; arguments that are not an object are one unnamed text. */
export function argumentRows(json: string): [string, string][] {
  let found: unknown;
  try {
    found = JSON.parse(json);
  } catch {
    return json ? [["arguments", json]] : [];
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return [["arguments", json]];
  return Object.entries(found).map(([name, value]) => plainArgument(name, value));
}
