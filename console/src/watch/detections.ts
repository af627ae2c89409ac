/** Detections as text and as boxes on the picture. */

import type { Detection, Detections } from "../api/schemas";

export interface Frame {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** A detection's box in percent of the picture, which may have any size on the page. */
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

/** Label and confidence of a detection. */
export function caption(detection: Detection): string {
  return `${detection.label} ${Math.round(100 * detection.confidence)} %`;
}

/** All detections in one sentence, with known distances. */
export function inWords(found: Detections | null): string {
  if (!found?.detections.length) return "no known objects";
  return found.detections.map(placed).join(", ");
}

function placed({ label, has_position: known, position: { x, y, z } }: Detection): string {
  return known ? `${label} (${Math.hypot(x, y, z).toFixed(2)} m)` : label;
}
