import { expect, test } from "vitest";
import { casesOf } from "./new_tool";

test("fills in omitted fields of a test", () => {
  expect(casesOf('[{"args": {"n": 3}, "expect": 9}, {}]')).toEqual([
    { args: { n: 3 }, expect: 9, raises: "" },
    { args: {}, expect: null, raises: "" },
  ]);
  expect(casesOf(" ")).toEqual([]);
});

test.each([
  ["[", "not valid JSON"],
  ['{"args": {}}', "a list"],
])("rejects %s with a message", (text, why) => {
  expect(() => casesOf(text)).toThrow(why);
});
