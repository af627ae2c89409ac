/** Directions of corrections in words. */

import { plainName } from "../components/plain_name";

const WORDS: Record<string, string> = {
  pitch_up: "further up",
  pitch_down: "further down",
  yaw_left: "further left",
  yaw_right: "further right",
  roll_left: "tilted more to the left",
  roll_right: "tilted more to the right",
};

export const axisName = (axis: string) => WORDS[axis] ?? plainName(axis);

/** A sentence of the trainer in which directions and skills have their names in the program. */
export const plainReason = (reason: string) => reason.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, axisName);
