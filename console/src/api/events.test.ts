import { expect, test, vi } from "vitest";
import { deliver, on } from "./events";

test("reports a failing handler and calls the others", () => {
  const report = vi.fn();
  vi.stubGlobal("reportError", report);
  const failure = new Error("not drawn");
  const heard: number[] = [];
  on("pose", () => {
    throw failure;
  });
  on("pose", (data) => heard.push(data.joints.yaw!));
  deliver({ kind: "pose", data: { stamp: 0, joints: { yaw: 1 } } });
  expect(heard).toEqual([1]);
  expect(report).toHaveBeenCalledWith(failure);
});

test("does not call a removed handler, and a handler that removes itself does not affect the next", () => {
  const heard: string[] = [];
  const end = on("alive", () => {
    heard.push("once");
    end();
  });
  on("alive", () => heard.push("always"));
  deliver({ kind: "alive", data: { stamp: 0, degraded: [] } });
  deliver({ kind: "alive", data: { stamp: 0, degraded: [] } });
  expect(heard).toEqual(["once", "always", "always"]);
});
