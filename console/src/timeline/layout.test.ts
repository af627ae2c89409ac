import { expect, test } from "vitest";
import type { Span } from "../api/schemas";
import { layout, ticks } from "./layout";
import {
  APPROVAL,
  HEARING,
  MODEL,
  SPEECH,
  TOOL,
  TURN,
  detail,
  failed,
  interrupted,
  plainArguments,
  tokens,
} from "./span";

function span(number: number, kind: number, start: number, duration: number, more: Partial<Span> = {}): Span {
  const empty = {
    parent: 0,
    name: "",
    input_tokens: 0,
    output_tokens: 0,
    arguments_json: "",
    summary: "",
  };
  return { ...empty, span: number, kind, start, duration, error_code: 0, error_msg: "", ...more };
}

const TURN_OF_TEN = [
  span(3, TOOL, 4, 6),
  span(0, TURN, 0, 10),
  span(1, HEARING, -2, 2),
  span(2, MODEL, 1, 3, { input_tokens: 800, output_tokens: 40 }),
  span(4, APPROVAL, 4, 5),
];

test("orders rows by start and leaves out the turn itself", () => {
  expect(layout(TURN_OF_TEN).bars.map((bar) => bar.span.span)).toEqual([1, 2, 3, 4]);
});

test("places speech before zero and scales bars to the axis", () => {
  const { bars, start, end } = layout(TURN_OF_TEN);
  expect([start, end]).toEqual([-2, 10]);
  expect(bars[0]!.left).toBe(0);
  expect(bars[2]!.left).toBe(50);
  expect(bars[2]!.width).toBe(50);
});

test("nests an approval under the tool that waits for it", () => {
  expect(layout(TURN_OF_TEN).bars.map((bar) => bar.nested)).toEqual([false, false, false, true]);
});

test("does not nest an approval that outlasts the call above", () => {
  const { bars } = layout([span(1, TOOL, 0, 1), span(2, APPROVAL, 0.5, 3)]);
  expect(bars[1]!.nested).toBe(false);
});

test("draws a turn of length zero", () => {
  const { bars, ticks } = layout([span(1, TOOL, 0, 0)]);
  expect(bars[0]!.left).toBe(0);
  expect(ticks.every((tick) => Number.isFinite(tick.left))).toBe(true);
});

test.each([
  [0, 0.004],
  [-0.71, 11.5],
  [0, 59],
  [-3, 100_000],
])("divides the axis from %d to %d s by a few round ticks, including zero", (start, end) => {
  const found = ticks(start, end);
  expect(found.length).toBeGreaterThan(1);
  expect(found.length).toBeLessThanOrEqual(8);
  expect(found.map((tick) => tick.seconds)).toContain(0);
  expect(found.every((tick) => tick.left >= -1e-6 && tick.left <= 100 + 1e-6)).toBe(true);
});

test("counts the tokens of the steps, not those of the turn again", () => {
  const whole = span(0, TURN, 0, 10, { input_tokens: 800, output_tokens: 40 });
  expect(tokens([whole, ...TURN_OF_TEN])).toEqual({ read: 800, written: 40 });
});

test("shows arguments without JSON punctuation and invalid JSON unchanged", () => {
  expect(plainArguments('{"yaw_deg": -60.0, "name": "cup"}')).toBe("yaw -60°, name cup");
  expect(plainArguments("{broken")).toBe("{broken");
  expect(plainArguments("")).toBe("");
});

test("shows speech that was cut off as interrupted, and other canceled steps as failed", () => {
  const canceled = { summary: "Once upon a time", error_code: 1, error_msg: "say was canceled." };
  const speech = span(1, SPEECH, 0, 1, canceled);
  expect([failed(speech), interrupted(speech), detail(speech)]).toEqual([false, true, "Interrupted: Once upon a time"]);
  const tool = span(2, TOOL, 0, 1, canceled);
  expect([failed(tool), interrupted(tool), detail(tool)]).toEqual([true, false, "say was canceled."]);
  const broken = span(3, SPEECH, 0, 1, { ...canceled, error_code: 2, error_msg: "The voice failed." });
  expect([failed(broken), interrupted(broken)]).toEqual([true, false]);
});
