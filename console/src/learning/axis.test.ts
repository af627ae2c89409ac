import { expect, test } from "vitest";
import { plainReason } from "./axis";

test.each([
  ["Corrected: pitch_up, slower.", "Corrected: further up, slower."],
  ["Restored the look_at of Monday.", "Restored the look at of Monday."],
  ["Praised.", "Praised."],
])("puts the reason %s into words", (reason, words) => expect(plainReason(reason)).toBe(words));
