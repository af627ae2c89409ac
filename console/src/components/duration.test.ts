import { expect, test } from "vitest";
import { ago, duration } from "./duration";

test.each([
  [0.0001, "0.1 ms"],
  [0.0284, "28 ms"],
  [0.9996, "1.00 s"],
  [4.2, "4.20 s"],
  [61.3, "61.3 s"],
  [150, "2 min 30 s"],
  [179.7, "3 min 0 s"],
  [-0.71, "-710 ms"],
])("%d s reads %s", (seconds, text) => expect(duration(seconds)).toBe(text));

test.each([
  [5, "just now"],
  [-3, "just now"],
  [61, "1 minute ago"],
  [7_300, "2 hours ago"],
  [90_000, "yesterday"],
])("describes %d s ago as %s", (passed, text) => expect(ago(1e9 - passed, 1e9)).toBe(text));
