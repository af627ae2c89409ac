/** What was found in the camera's picture, and where to draw it. */

import type { Detection, Detections } from "../api/schemas";

export interface Frame {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** A detection's box in parts of the picture, so that it fits whatever size that is shown in. */
export function frameOf(detection: Detection, of: Detections): Frame {
  const [x0, y0, x1, y1] = detection.box;
  const percent = (value: number, whole: number) => `${((100 * value) / whole).toFixed(2)}%`;
  return {
    left: percent(x0, of.image_width),
    top: percent(y0, of.image_height),
    width: percent(x1 - x0, of.image_width),
    height: percent(y1 - y0, of.image_height),
  };
}

/** What it is, and how sure the robot is of that. */
export function caption(detection: Detection): string {
  return `${detection.label} ${Math.round(100 * detection.confidence)} %`;
}

/** All of them in one sentence, with how far they are where that is known. */
export function inWords(found: Detections | null): string {
  if (!found?.detections.length) return "nothing that it knows";
  return found.detections.map(placed).join(", ");
}

function placed({ label, has_position: known, position: { x, y, z } }: Detection): string {
  return known ? `${label} (${Math.hypot(x, y, z).toFixed(2)} m)` : label;
}
