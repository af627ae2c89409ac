import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../api/schemas";
import { type Line, step } from "./conversation";

const LINE: Line = { id: 1, who: "robot", text: "", tools: [], note: "", turn: "", open: true, queued: false };
const NOTE = "Queued: 1 turn runs or waits before this one.";
const QUEUED: ChatEvent = { event: "queued", data: { text: NOTE, name: "", arguments: "" } };
const CANCELED = { title: "Conflict", status: 409, detail: "The turn was cancelled.", code: "CANCELED" };

describe("a line of the conversation", () => {
  it("shows that its turn is queued until the turn begins", () => {
    const queued = step(LINE, QUEUED);
    expect(queued).toMatchObject({ queued: true, note: NOTE });
    const begun = step(queued, { event: "tool_started", data: { text: "", name: "dance", arguments: "{}" } });
    expect(begun).toMatchObject({ queued: false, note: "" });
  });

  it("shows what ended a turn that was queued", () => {
    const queued = step(LINE, QUEUED);
    const ended = step(queued, { event: "problem", data: CANCELED });
    expect(ended).toMatchObject({ queued: false, note: "The turn was cancelled." });
  });
});
