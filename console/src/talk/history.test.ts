import { expect, test } from "vitest";
import type { StoredMessage } from "../api/schemas";
import { linesOf } from "./history";

const message = (role: string, content: string): StoredMessage => ({ role, content, timestamp: 1, agent: "" });

test("shows tool calls with the answer that follows them", () => {
  const found = linesOf([
    message("user", "look left, then nod"),
    message("tool", 'move_head {"yaw_deg": 30}'),
    message("tool", "nod {}"),
    message("tool", '-> {"reached": true}'),
    message("assistant", "Done."),
    message("user", "thanks"),
  ]);
  expect(found.map(({ who, text }) => [who, text])).toEqual([
    ["person", "look left, then nod"],
    ["robot", "Done."],
    ["person", "thanks"],
  ]);
  expect(found[1]!.tools).toMatchObject([
    { name: "move_head", arguments: '{"yaw_deg": 30}', result: '{"reached": true}' },
    { name: "nod", arguments: "{}", result: null },
  ]);
});
