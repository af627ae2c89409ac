/** What people thought of what the robot did, as the gateway tells it. */

export interface Reward {
  feedback_id: string;
  act_id: string;
  skill: string;
  /** s since the epoch. */
  given: number;
  /** Of the judgement that the act gets, 0 to 1. */
  weight: number;
  sign: number;
  /** -1 to 1. */
  rating: number;
  confidence: number;
  axes: string[];
  stop: boolean;
  policy_version: string;
}

export interface Judgement {
  feedback_id: string;
  source: "text" | "speech" | "button" | "rating" | "implicit";
  text: string;
  given: number;
  turn_id: string;
  rating: number | null;
  person: string;
  /** What was made of it, the act that got most first. */
  rewards: Reward[];
}

export interface PolicyUpdate {
  feedback_id: string;
  skill: string;
  learned: boolean;
  policy_version: number;
  reason: string;
}

export interface Worth {
  status: "stored" | "stopped";
  reward: number;
  confidence: number;
  axes: string[];
  judged: string;
  question: string;
}

/** A rating with its sign, which a bare 0.3 lacks. */
export function signed(rating: number): string {
  return `${rating > 0 ? "+" : rating < 0 ? "−" : ""}${Math.abs(rating).toFixed(2)}`;
}

/** One judgement once, oldest first, though several acts share it; only those with a share for the skill. */
export function curveOf(rewards: Reward[], skill: string): Reward[] {
  const seen = new Set<string>();
  return rewards
    .filter((reward) => !skill || reward.skill === skill)
    .sort((a, b) => a.given - b.given || b.weight - a.weight)
    .filter((reward) => !seen.has(reward.feedback_id) && seen.add(reward.feedback_id));
}
