/** Ratings as text and as a curve. */

import type { Reward } from "../api/schemas";

/** A rating with its sign, which a bare 0.3 lacks. */
export function signed(rating: number): string {
  return `${rating > 0 ? "+" : rating < 0 ? "−" : ""}${Math.abs(rating).toFixed(2)}`;
}

/** One reward for each judgment, oldest first, also if several actions share it; only judgments of the skill, if one is given. */
export function curveOf(rewards: Reward[], skill: string): Reward[] {
  const seen = new Set<string>();
  return rewards
    .filter((reward) => !skill || reward.skill === skill)
    .sort((a, b) => a.given - b.given || b.weight - a.weight)
    .filter((reward) => !seen.has(reward.feedback_id) && seen.add(reward.feedback_id));
}
