import { expect, test, vi } from "vitest";
import { deliver } from "../api/events";
import type { Approval } from "../api/schemas";
import { answered, approvals, argumentRows, decide, objection } from "./approvals";

const question = (approval_id: string) => ({ approval_id }) as Approval;

const ask = (...ids: string[]) =>
  deliver({ kind: "approvals", data: { stamp: 0, approvals: ids.map(question), decided: [] } });

/** Response of the gateway to a second answer. */
function answerLate(): void {
  const problem = { title: "Conflict", status: 409, detail: "It was answered already, by Ada.", code: "INVALID_GOAL" };
  vi.stubGlobal("sessionStorage", { getItem: () => "" });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(problem), { status: 409 })));
}

test("reports a late answer until another approval opens", async () => {
  answerLate();
  ask("first");
  await decide(approvals.value[0]!, "once");
  expect(objection.value).toBe("It was answered already, by Ada. Your answer had no effect.");
  ask();
  expect(objection.value).toContain("Your answer had no effect");
  ask("second");
  expect(objection.value).toBe("");
});

test("lists the latest answers with the name of the client", () => {
  const question = { approval_id: "first", tool: "dance", session_id: "", asked_by: "" };
  const decided = [{ ...question, approved: true, decided_by: "service: token:desk#77aa01cd", decided: 1 }];
  deliver({ kind: "approvals", data: { stamp: 0, approvals: [], decided } });
  expect(answered.value.map((one) => one.decided_by)).toEqual(["service: token:desk#77aa01cd"]);
});

test.each([
  [
    '{"name": "happy", "loops_max": 2}',
    [
      ["name", "happy"],
      ["loops max", "2"],
    ],
  ],
  ['{"yaw_deg": -40.5}', [["yaw", "-40.5°"]]],
  ['{"to": {"x": 1}}', [["to", '{"x":1}']]],
  ["[1, 2]", [["arguments", "[1, 2]"]]],
  ["{broken", [["arguments", "{broken"]]],
  ["", []],
  ["{}", []],
])("%s", (json, rows) => expect(argumentRows(json)).toEqual(rows));
