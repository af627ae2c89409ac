import { expect, test } from "vitest";
import { folded, lineChanges } from "./line_changes";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

test("numbers removed, added and unchanged lines in both sources", () => {
  expect(lineChanges(text("a", "b", "c"), text("a", "x", "y", "c"))).toEqual([
    { change: "same", before: 1, after: 1 },
    { change: "removed", before: 2, after: null },
    { change: "added", before: null, after: 2 },
    { change: "added", before: null, after: 3 },
    { change: "same", before: 3, after: 4 },
  ]);
});

test("marks all lines of a first version as new", () => {
  expect(lineChanges("", text("a", "b")).map((line) => line.change)).toEqual(["added", "added"]);
});

test("folds unchanged lines far from a change", () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = before.with(10, "changed");
  expect(folded(lineChanges(text(...before), text(...after)), 2)).toEqual([
    { change: "fold", lines: 8 },
    { change: "same", before: 9, after: 9 },
    { change: "same", before: 10, after: 10 },
    { change: "removed", before: 11, after: null },
    { change: "added", before: null, after: 11 },
    { change: "same", before: 12, after: 12 },
    { change: "same", before: 13, after: 13 },
    { change: "fold", lines: 7 },
  ]);
});

test("folds equal sources completely", () => {
  expect(folded(lineChanges(text("a", "b"), text("a", "b")))).toEqual([{ change: "fold", lines: 2 }]);
});
