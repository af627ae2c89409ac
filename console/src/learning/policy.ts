/** Versions of what was learned: by skill, and compared. */

import type { Policy } from "../api/schemas";

/** Versions by skill, the newest first. */
export function bySkill(policies: Policy[]): Map<string, Policy[]> {
  const skills = new Map<string, Policy[]>();
  for (const policy of policies) skills.set(policy.skill, [policy, ...(skills.get(policy.skill) ?? [])]);
  return skills;
}

export interface Figure {
  name: string;
  before: number | null;
  after: number | null;
}

/** Every figure that one of two versions has, side by side. */
export function compared(before: Policy, after: Policy): Figure[] {
  const names = new Set([...Object.keys(before.figures), ...Object.keys(after.figures)]);
  return [...names].map((name) => ({
    name,
    before: before.figures[name] ?? null,
    after: after.figures[name] ?? null,
  }));
}
