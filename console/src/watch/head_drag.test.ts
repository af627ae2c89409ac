import { Vector3 } from "three";
import { expect, test } from "vitest";
import { anglesOf, ledBy } from "./head_drag";

const AHEAD = { yaw: 0, pitch: 0 };

test("measures yaw to the left and pitch down", () => {
  expect(anglesOf(new Vector3(1, 1, 0)).yaw).toBeCloseTo(Math.PI / 4);
  expect(anglesOf(new Vector3(1, 0, -1)).pitch).toBeCloseTo(Math.PI / 4);
});

test("turns the head by the angle between the grabbed point and the pointer", () => {
  const led = ledBy({ yaw: 0.1, pitch: 0.2 }, { yaw: 0.3, pitch: 0 }, { yaw: 0.5, pitch: -0.1 });
  expect(led.yaw).toBeCloseTo(0.3);
  expect(led.pitch).toBeCloseTo(0.1);
});

test("turns the short way behind the head, and stays within the reach of the neck", () => {
  expect(ledBy(AHEAD, { yaw: 3.1, pitch: 0 }, { yaw: -3.1, pitch: 0 }).yaw).toBeCloseTo(2 * Math.PI - 6.2);
  expect(ledBy(AHEAD, AHEAD, { yaw: 2, pitch: -2 })).toEqual({ yaw: 1, pitch: -0.55 });
});
