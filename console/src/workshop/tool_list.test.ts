import { expect, test } from "vitest";
import type { Tool } from "../api/schemas";
import { grouped } from "./tool_list";

const tool = (name: string, source: Tool["source"], description = "") => ({ name, source, description }) as Tool;

const FOUND = {
  tools: [tool("nod", "predefined", "Nods."), tool("wink", "generated", "Winks once."), tool("wave", "generated")],
  waiting: ["brand_new", "wave"],
};

test("lists waiting tools first, including unlisted first versions", () => {
  expect(grouped(FOUND, "").map((group) => [group.title, group.tools.map((one) => one.name)])).toEqual([
    ["Waiting for your review", ["brand_new", "wave"]],
    ["Generated tools", ["wink"]],
    ["Predefined tools", ["nod"]],
  ]);
});

test("finds tools with all words in the name or description", () => {
  expect(grouped(FOUND, "WINK once").flatMap((group) => group.tools.map((one) => one.name))).toEqual(["wink"]);
  expect(grouped(FOUND, "wink twice")).toEqual([]);
});
