import { expect, test } from "vitest";
import { deliver } from "../api/events";
import { agentText, degradedNodes } from "./robot_state";

test.each([
  [1, [], "ready"],
  [1, ["camera"], "ready, 1 node is degraded"],
  [1, ["camera", "stt"], "ready, 2 nodes are degraded"],
  [2, ["camera"], "thinking"],
])("agent in state %d with the degraded nodes %j: %s", (state, degraded, text) =>
  expect(agentText(state, degraded)).toBe(text),
);

test("every heartbeat updates the degraded nodes", () => {
  for (const degraded of [["camera"], []]) {
    deliver({ kind: "alive", data: { stamp: 0, degraded } });
    expect(degradedNodes.value).toEqual(degraded);
  }
});
