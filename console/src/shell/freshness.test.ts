import { expect, test } from "vitest";
import { age } from "./freshness";

test.each([
  [0, 50_000, null],
  [50_000, 51_900, 0],
  [50_000, 52_100, 2],
  [50_000, 63_400, 13],
])("heard at %d, checked at %d: %s", (heard, at, found) => expect(age(heard, at)).toBe(found));
