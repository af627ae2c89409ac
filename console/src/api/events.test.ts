import { expect, test, vi } from "vitest";
import { deliver, on } from "./events";

test("a handler that fails is reported and keeps the event from nobody else", () => {
  const report = vi.fn();
  vi.stubGlobal("reportError", report);
  const failure = new Error("not drawn");
  const heard: number[] = [];
  on("pose", () => {
    throw failure;
  });
  on("pose", (data) => heard.push((data as { yaw: number }).yaw));
  deliver({ kind: "pose", data: { yaw: 1 } });
  expect(heard).toEqual([1]);
  expect(report).toHaveBeenCalledWith(failure);
});

test("who ended its listening is told no more, and one that ends itself keeps nothing from the next", () => {
  const heard: string[] = [];
  const end = on("reply", () => {
    heard.push("once");
    end();
  });
  on("reply", () => heard.push("always"));
  deliver({ kind: "reply", data: {} });
  deliver({ kind: "reply", data: {} });
  expect(heard).toEqual(["once", "always", "always"]);
});
