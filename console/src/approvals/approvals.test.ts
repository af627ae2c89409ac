import { expect, test } from "vitest";
import { argumentRows } from "./approvals";

test.each([
  ['{"name": "happy", "loops_max": 2}', [["name", "happy"], ["loops max", "2"]]],
  ['{"to": {"x": 1}}', [["to", '{"x":1}']]],
  ["[1, 2]", [["arguments", "[1, 2]"]]],
  ["{broken", [["arguments", "{broken"]]],
  ["", []],
  ["{}", []],
])("%s", (json, rows) => expect(argumentRows(json)).toEqual(rows));
