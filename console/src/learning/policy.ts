/** Policy versions: grouping and comparison. */

import type { Policy } from "../api/schemas";
import { plainName } from "../components/plain_name";

/** Versions by skill, newest first. */
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

/** Every figure of either version. */
export function compared(before: Policy, after: Policy): Figure[] {
  const names = new Set([...Object.keys(before.figures), ...Object.keys(after.figures)]);
  return [...names].map((name) => ({
    name,
    before: before.figures[name] ?? null,
    after: after.figures[name] ?? null,
  }));
}

/** Names of the learning methods; policies of other origin show their own. */
const METHODS: Record<string, string> = {
  coach: "corrections",
  bc: "imitation",
  dagger: "imitation with an expert",
  gail: "adversarial imitation",
  preference: "preferences",
  ppo: "reinforcement learning, PPO",
  sac: "reinforcement learning, SAC",
};

export const methodOf = (algorithm: string) => METHODS[algorithm] ?? plainName(algorithm);
