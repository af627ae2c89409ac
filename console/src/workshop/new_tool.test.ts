import { expect, test } from "vitest";
import { casesOf } from "./new_tool";

test("what a test leaves out is empty", () => {
  expect(casesOf('[{"args": {"n": 3}, "expect": 9}, {}]')).toEqual([
    { args: { n: 3 }, expect: 9, raises: "" },
    { args: {}, expect: null, raises: "" },
  ]);
  expect(casesOf(" ")).toEqual([]);
});

test.each([
  ["[", "no JSON"],
  ['{"args": {}}', "a list"],
])("%s is refused in words", (text, why) => {
  expect(() => casesOf(text)).toThrow(why);
});
