import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../api/schemas";
import { type Line, step } from "./conversation";

const LINE: Line = {
  id: 1,
  who: "robot",
  text: "",
  tools: [],
  note: "",
  cause: "",
  turn: "",
  open: true,
  queued: false,
};
const NOTE = "Queued: 1 turn runs or waits before this one.";
const QUEUED: ChatEvent = { event: "queued", data: { text: NOTE, name: "", arguments: "", turn_id: "7" } };
const CANCELED = { title: "Conflict", status: 409, detail: "The turn was canceled.", code: "CANCELED" };

describe("a line of the conversation", () => {
  it("shows that its turn is queued until the turn begins", () => {
    const queued = step(LINE, QUEUED);
    expect(queued).toMatchObject({ queued: true, note: NOTE });
    const begun = step(queued, {
      event: "tool_started",
      data: { text: "", name: "dance", arguments: "{}", turn_id: "7" },
    });
    expect(begun).toMatchObject({ queued: false, note: "" });
  });

  it("shows what ended a turn that was queued", () => {
    const queued = step(LINE, QUEUED);
    const ended = step(queued, { event: "problem", data: CANCELED });
    expect(ended).toMatchObject({ queued: false, note: "The turn was canceled." });
  });

  it("has the id of its turn from the first event on", () => expect(step(LINE, QUEUED).turn).toBe("7"));

  it("does not repeat an error that the reply reports", () => {
    const reply = { ...LINE, text: "I could not nod: the emergency stop is on." };
    const problem = { title: "Conflict", status: 409, detail: "The emergency stop is on.", code: "EMERGENCY_STOPPED" };
    expect(step(reply, { event: "problem", data: problem })).toMatchObject({ note: "", cause: "" });
  });

  it("does not repeat a question that the reply asks", () => {
    const question = "May I turn my head? Please say yes or no.";
    const waiting: ChatEvent = { event: "waiting", data: { text: question, name: "", arguments: "", turn_id: "7" } };
    expect(step({ ...LINE, text: question }, waiting).note).toBe("");
    expect(step(LINE, waiting).note).toBe(question);
  });

  it("keeps the cause of an error that the reply only mentions", () => {
    const reply = { ...LINE, text: "I could not answer, because my language model failed." };
    const problem = { title: "Bad gateway", status: 502, detail: "HTTP 500.", code: "MODEL_FAILED" };
    expect(step(reply, { event: "problem", data: problem })).toMatchObject({ note: "", cause: "HTTP 500." });
  });
});
