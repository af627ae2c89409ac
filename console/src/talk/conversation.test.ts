import { describe, expect, it } from "vitest";
import { type Line, step } from "./conversation";

const LINE: Line = { id: 1, who: "robot", text: "", tools: [], note: "", turn: "", open: true, queued: false };
const QUEUED = "Queued: 1 turn runs or waits before this one.";

describe("a line of the conversation", () => {
  it("shows that its turn is queued until the turn begins", () => {
    const queued = step(LINE, "queued", { text: QUEUED });
    expect(queued).toMatchObject({ queued: true, note: QUEUED });
    const begun = step(queued, "tool_started", { name: "dance", arguments: "{}" });
    expect(begun).toMatchObject({ queued: false, note: "" });
  });

  it("shows what ended a turn that was queued", () => {
    const queued = step(LINE, "queued", { text: QUEUED });
    const ended = step(queued, "problem", { detail: "The turn was cancelled." });
    expect(ended).toMatchObject({ queued: false, note: "The turn was cancelled." });
  });
});
