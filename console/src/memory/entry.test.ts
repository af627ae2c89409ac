import { expect, test } from "vitest";
import { pathFor } from "./entry";

test("puts words and kinds into the path and leaves out empty ones", () => {
  expect(pathFor("", new Set())).toBe("/memory?limit=100");
  expect(pathFor(" my dog & cat ", new Set(["fact", "note"]))).toBe(
    "/memory?query=my+dog+%26+cat&kind=fact&kind=note&limit=100",
  );
});
