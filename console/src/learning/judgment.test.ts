import { expect, test } from "vitest";
import type { Reward } from "../api/schemas";
import { curveOf, signed } from "./judgment";

const reward = (feedback_id: string, skill: string, given: number, weight: number) =>
  ({ feedback_id, skill, given, weight }) as Reward;

const REWARDS = [reward("b", "nod", 2, 1), reward("a", "look", 1, 0.3), reward("a", "nod", 1, 0.7)];

test("shows one point for a judgment, of the action with the largest share", () => {
  expect(curveOf(REWARDS, "").map((one) => [one.feedback_id, one.skill])).toEqual([
    ["a", "nod"],
    ["b", "nod"],
  ]);
});

test("shows only judgments with a share for the skill", () => {
  expect(curveOf(REWARDS, "look").map((one) => one.feedback_id)).toEqual(["a"]);
});

test.each([
  [0.274, "+0.27"],
  [-1, "−1.00"],
  [0, "0.00"],
])("formats %d as %s", (rating, text) => expect(signed(rating)).toBe(text));
