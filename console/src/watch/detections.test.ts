import { expect, test } from "vitest";
import { type Detection, type Detections, caption, frameOf, inWords } from "./detections";

const APPLE: Detection = {
  label: "apple",
  confidence: 0.914,
  box: [64, 48, 128, 144],
  has_position: true,
  position: { x: 0.3, y: 0.4, z: 0 },
};

function seen(...detections: Detection[]): Detections {
  return { stamp: 1, image_width: 640, image_height: 480, detections };
}

test("a box is in parts of the picture", () =>
  expect(frameOf(APPLE, seen(APPLE))).toEqual({ left: "10.00%", top: "10.00%", width: "10.00%", height: "20.00%" }));

test("a thing says how far it is where that is known", () => {
  expect(caption(APPLE)).toBe("apple 91 %, 0.50 m");
  expect(caption({ ...APPLE, has_position: false })).toBe("apple 91 %");
});

test("things are counted in words", () => {
  expect(inWords(seen(APPLE, { ...APPLE, label: "duck" }, APPLE))).toBe("2 × apple, duck");
  expect(inWords(null)).toBe("nothing that it knows");
});
