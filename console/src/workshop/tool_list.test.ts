import { expect, test } from "vitest";
import type { Tool } from "../api/schemas";
import { grouped } from "./tool_list";

const tool = (name: string, source: Tool["source"], description = "") => ({ name, source, description }) as Tool;

const FOUND = {
  tools: [tool("nod", "predefined", "Nods."), tool("wink", "generated", "Winks once."), tool("wave", "generated")],
  waiting: ["brand_new", "wave"],
};

test("what waits comes first, also a first version that the catalogue does not have", () => {
  expect(grouped(FOUND, "").map((group) => [group.title, group.tools.map((one) => one.name)])).toEqual([
    ["Waiting for your review", ["brand_new", "wave"]],
    ["Written for the robot", ["wink"]],
    ["Came with the robot", ["nod"]],
  ]);
});

test("all words must be in a tool's name or description", () => {
  expect(grouped(FOUND, "WINK once").flatMap((group) => group.tools.map((one) => one.name))).toEqual(["wink"]);
  expect(grouped(FOUND, "wink twice")).toEqual([]);
});
