import { expect, test } from "vitest";
import { type Course, TRAINING, followed } from "./training_course";

const EMPTY: Course = { skill: "", points: [] };
const told = (skill: string, episode: number, mean_reward: number | null, state = TRAINING) => ({
  stamp: 0,
  state,
  skill,
  episode,
  episodes: 10,
  mean_reward,
  policy_version: "",
  detail: "",
});

test("adds one point for each episode, also if it is reported several times", () => {
  const course = [told("nod", 1, -0.5), told("nod", 1, -0.4), told("nod", 2, 0)].reduce(followed, EMPTY);
  expect(course.points).toEqual([
    { x: 1, y: -0.4 },
    { x: 2, y: 0 },
  ]);
});

test("starts a new curve for another skill or a new training", () => {
  const course = [told("nod", 5, 1)].reduce(followed, EMPTY);
  expect(followed(course, told("look", 6, 0)).points).toEqual([{ x: 6, y: 0 }]);
  expect(followed(course, told("nod", 1, 0)).points).toEqual([{ x: 1, y: 0 }]);
});

test("ignores messages without training or reward", () => {
  expect(followed(EMPTY, told("nod", 1, 0, 0))).toBe(EMPTY);
  expect(followed(EMPTY, told("nod", 1, null))).toBe(EMPTY);
});
