/** What was found in the camera's picture, and where to draw it. */

export interface Detection {
  label: string;
  confidence: number;
  /** x0, y0, x1, y1 in pixels. */
  box: [number, number, number, number];
  has_position: boolean;
  position: { x: number; y: number; z: number };
}

export interface Detections {
  stamp: number;
  image_width: number;
  image_height: number;
  detections: Detection[];
}

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

/** Its name, and how far it is where that is known. */
export function caption(detection: Detection): string {
  const { x, y, z } = detection.position;
  const name = `${detection.label} ${Math.round(100 * detection.confidence)} %`;
  return detection.has_position ? `${name}, ${Math.hypot(x, y, z).toFixed(2)} m` : name;
}

/** All of them in one sentence. */
export function inWords(found: Detections | null): string {
  if (!found?.detections.length) return "nothing that it knows";
  const counts = new Map<string, number>();
  for (const { label } of found.detections) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => (count > 1 ? `${count} × ${label}` : label)).join(", ");
}
