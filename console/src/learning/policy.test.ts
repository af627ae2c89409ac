import { expect, test } from "vitest";
import type { Policy } from "../api/schemas";
import { bySkill, compared } from "./policy";

const policy = (skill: string, version: number, figures: Record<string, number> = {}) =>
  ({ skill, version, figures }) as Policy;

test("groups versions by skill, newest first", () => {
  const found = bySkill([policy("look", 1), policy("look", 2), policy("nod", 1)]);
  expect([...found].map(([skill, versions]) => [skill, versions.map((one) => one.version)])).toEqual([
    ["look", [2, 1]],
    ["nod", [1]],
  ]);
});

test("compares figures that only one version has", () => {
  expect(compared(policy("look", 1, { error: 0.1 }), policy("look", 2, { error: 0.05, success: 1 }))).toEqual([
    { name: "error", before: 0.1, after: 0.05 },
    { name: "success", before: null, after: 1 },
  ]);
});
