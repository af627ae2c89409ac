import { expect, test } from "vitest";
import type { Detection, Detections } from "../api/schemas";
import { caption, frameOf, inWords, placeLabels } from "./detections";

const APPLE: Detection = {
  label: "apple",
  confidence: 0.914,
  box: [64, 48, 128, 144],
  track: "",
  visible: 1,
  bearing: { x: 0.6, y: 0.8, z: 0 },
  has_position: true,
  position: { x: 0.3, y: 0.4, z: 0 },
  position_covariance: [],
};

function seen(...detections: Detection[]): Detections {
  const camera_pose = { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
  return { stamp: 1, image_width: 640, image_height: 480, detections, camera_pose, detector: "" };
}

test("scales a box to the picture", () =>
  expect(frameOf(APPLE, seen(APPLE))).toEqual({ left: "10.00%", top: "10.00%", width: "10.00%", height: "20.00%" }));

test("labels a detection with its confidence", () => expect(caption(APPLE)).toBe("apple 91 %"));

test("places labels above their boxes", () =>
  expect(placeLabels(seen(APPLE), 640, 480)).toEqual([{ left: 64, top: 28 }]));

test("keeps labels inside the picture", () => {
  const corner: Detection = { ...APPLE, box: [600, 2, 640, 60] };
  const [place] = placeLabels(seen(corner), 320, 240);
  expect(place!.left).toBeLessThan(320 - 60);
  expect(place!.top).toBeGreaterThanOrEqual(0);
});

test("does not let labels overlap", () => {
  const places = placeLabels(seen(APPLE, { ...APPLE, box: [70, 50, 130, 150] }, APPLE), 640, 480);
  const found = places.map((place) => place!);
  const corners = found.map(({ left, top }) => `${left} ${top}`);
  expect(new Set(corners).size).toBe(3);
  for (const [at, one] of found.entries())
    for (const other of found.slice(at + 1))
      expect(Math.abs(one.top - other.top) >= 20 || Math.abs(one.left - other.left) >= 80).toBe(true);
});

test("leaves out a label without a free place", () =>
  expect(placeLabels(seen(...Array<Detection>(20).fill(APPLE)), 320, 240)).toContain(null));

test("describes detections in words, with known distances", () => {
  const duck = { ...APPLE, label: "duck", has_position: false };
  expect(inWords(seen(APPLE, duck))).toBe("apple (0.50 m), duck");
  expect(inWords(null)).toBe("no known objects");
});
