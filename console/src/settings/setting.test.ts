import { expect, test } from "vitest";
import type { Setting } from "../api/schemas";
import { matching, rangeOf, valueOf } from "./setting";

const setting = (name: string, more: Partial<Setting> = {}) =>
  ({ name, origin: "default", description: "", low: null, high: null, unit: "", default: "", ...more }) as Setting;

const PAUSE = setting("hardware_bridge.breathing_pause", {
  description: "Idle time after which the robot begins to breathe",
  type: "double",
  low: 0,
  high: 3600,
  unit: "s",
  default: 5,
});
const NAME = setting("robot_name", { type: "string", default: "Reachy", origin: "reachy_agent.yaml, line 1" });
const OWN = setting("agent.robot_name", { type: "string", origin: "argument robot_name" });

test("shows only changed settings without a search", () => {
  expect(matching([PAUSE, NAME, OWN], " ")).toEqual([NAME]);
});

test("finds settings with all words in name or description", () => {
  expect(matching([PAUSE, NAME, OWN], "breathing PAUSE idle")).toEqual([PAUSE]);
  expect(matching([PAUSE, NAME], "idle name")).toEqual([]);
});

test("describes range, unit and default", () => {
  expect(rangeOf(PAUSE)).toBe("0 to 3600 s, default 5");
  expect(rangeOf(NAME)).toBe("default Reachy");
  expect(rangeOf(setting("voice"))).toBe("default empty");
});

test("sends numbers as numbers and leaves other texts to the gateway", () => {
  expect(valueOf(PAUSE, "2.5")).toBe(2.5);
  expect(valueOf(PAUSE, "soon")).toBe("soon");
  expect(valueOf(PAUSE, "")).toBe("");
  expect(valueOf(NAME, "7")).toBe("7");
});
