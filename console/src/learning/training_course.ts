/** Progress of a training, collected from the trainer's messages. */

import type { EventData } from "../api/schemas";
import type { Point } from "./scale";

/** Number of the state in `TrainingStatus`. */
export const TRAINING = 2;

const MOST_POINTS = 2_000;

export interface Course {
  skill: string;
  points: Point[];
}

/** The progress after one more message. Another skill or an earlier episode starts a new one. */
export function followed(course: Course, progress: EventData["training"]): Course {
  const { state, skill, episode, mean_reward: reward } = progress;
  if (state !== TRAINING || reward === null) return course;
  const last = course.points.at(-1);
  const point = { x: episode, y: reward };
  if (skill !== course.skill || (last && episode < last.x)) return { skill, points: [point] };
  const points = last?.x === episode ? course.points.slice(0, -1) : course.points;
  return { skill, points: [...points, point].slice(-MOST_POINTS) };
}
