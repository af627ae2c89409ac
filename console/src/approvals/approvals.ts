/** What waits for a person's yes or no. */

import { computed, signal } from "@preact/signals";
import { on } from "../api/events";
import { Problem, post } from "../api/http";
import type { Approval, ApprovalAnswer, DecisionRequest } from "../api/schemas";

export type Decision = "once" | "conversation" | "deny";

/** Oldest first, as the robot tells it; kept by it, so that a page that comes later knows it too. */
export const approvals = signal<Approval[]>([]);
/** The last answers since the agent began, newest first; all of them are in the audit log. */
export const answered = signal<ApprovalAnswer[]>([]);
export const waiting = computed(() => approvals.value.length);

/** What came of the last decision where that was not what was wanted, until it is read or another question comes. */
export const objection = signal("");

const descriptions = signal<Record<string, string>>({});

on("approvals", ({ approvals: found, decided }) => {
  const known = approvals.value.map((approval) => approval.approval_id);
  if (found.some((approval) => !known.includes(approval.approval_id))) objection.value = "";
  approvals.value = found;
  answered.value = decided;
});
on("tools", ({ tools }) => {
  descriptions.value = Object.fromEntries(tools.map((tool) => [tool.name, tool.description]));
});

/** What a tool does, in the words that it was described with; empty where they are not known. */
export function deed(tool: string): string {
  return descriptions.value[tool] ?? "";
}

/** Answers a question. The first answer holds, whoever gave it. */
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
    objection.value = late ? `${error.document.detail} So your answer changed nothing.` : (error as Error).message;
  }
}

/** The arguments of a call one by one, values as text; what is no object stands alone. */
export function argumentRows(json: string): [string, string][] {
  let found: unknown;
  try {
    found = JSON.parse(json);
  } catch {
    return json ? [["arguments", json]] : [];
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return [["arguments", json]];
  return Object.entries(found).map(([name, value]) => [
    name.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}
