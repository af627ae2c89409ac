import { expect, test } from "vitest";
import { rangeOf, roundTicks, trailingMean } from "./scale";

test("chooses round ticks within the range", () => {
  expect(roundTicks(-1, 1)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(roundTicks(0, 137)).toEqual([0, 50, 100]);
  expect(roundTicks(0.001, 0.0042)).toEqual([0.001, 0.002, 0.003, 0.004]);
  expect(roundTicks(3, 3)).toEqual([3]);
});

test("limits the trailing mean to its window", () => {
  expect(trailingMean([1, -1, 1, 1], 2)).toEqual([1, 0, 0, 1]);
  expect(trailingMean([], 2)).toEqual([]);
});

test("returns a nonempty range for one number and for none", () => {
  expect(rangeOf([2])).toEqual([1.5, 2.5]);
  expect(rangeOf([])).toEqual([0, 1]);
  expect(rangeOf([3, -1])).toEqual([-1, 3]);
});
