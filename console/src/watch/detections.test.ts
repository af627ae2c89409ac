import { expect, test } from "vitest";
import type { Detection, Detections } from "../api/schemas";
import { caption, frameOf, inWords } from "./detections";

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

test("describes detections in words, with known distances", () => {
  const duck = { ...APPLE, label: "duck", has_position: false };
  expect(inWords(seen(APPLE, duck))).toBe("apple (0.50 m), duck");
  expect(inWords(null)).toBe("no known objects");
});
