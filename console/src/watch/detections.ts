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

/** Top left corner of a label, pixels on the page. */
export interface Place {
  left: number;
  top: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const LABEL_HEIGHT = 20;
/** Width of a letter of a label, on average, and the padding of a label, pixels. */
const LETTER = 7.2;
const PADDING = 12;
/** Height of the caption at the lower edge of the picture, pixels. */
const CAPTION = 28;

/**
 * Places of the labels on a picture of this size on the page: inside the picture, without overlaps, close to their boxes.
 *
 * A label without a free place is left out (null); the caption names all detections.
 */
export function placeLabels(found: Detections, width: number, height: number): (Place | null)[] {
  const taken: Box[] = [];
  return found.detections.map((detection) => {
    const size = Math.min(caption(detection).length * LETTER + PADDING, width);
    const at = candidates(boxOn(detection, found, width, height), size)
      .map(({ left, top }) => ({ left: Math.max(0, Math.min(left, width - size)), top }))
      .map(({ left, top }) => ({ left, top, right: left + size, bottom: top + LABEL_HEIGHT }))
      .find((at) => at.top >= 0 && at.bottom <= height - CAPTION && !taken.some((other) => overlap(at, other)));
    if (!at) return null;
    taken.push(at);
    return { left: at.left, top: at.top };
  });
}

/** Places for a label in the order of preference: above its box, inside it, below it. */
function candidates({ left, top, right, bottom }: Box, size: number): Place[] {
  const rows = [top - LABEL_HEIGHT, top, bottom - LABEL_HEIGHT, bottom];
  return rows.flatMap((row) => [left, right - size].map((column) => ({ left: column, top: row })));
}

function boxOn({ box: [x0, y0, x1, y1] }: Detection, of: Detections, width: number, height: number): Box {
  const [across, down] = [width / of.image_width, height / of.image_height];
  return { left: x0 * across, top: y0 * down, right: x1 * across, bottom: y1 * down };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** All detections in one sentence, with known distances. */
export function inWords(found: Detections | null): string {
  if (!found?.detections.length) return "no known objects";
  return found.detections.map(placed).join(", ");
}

function placed({ label, has_position: known, position: { x, y, z } }: Detection): string {
  return known ? `${label} (${Math.hypot(x, y, z).toFixed(2)} m)` : label;
}
