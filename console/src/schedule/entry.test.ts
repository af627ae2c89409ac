import { expect, test } from "vitest";
import { nameOf, recurrence, remaining } from "./entry";

test.each([
  [-5, "0:00"],
  [0.2, "0:01"],
  [59.5, "1:00"],
  [245, "4:05"],
  [3729, "1:02:09"],
])("%d s remaining reads %s", (left, text) => expect(remaining(1e9 + left, 1e9)).toBe(text));

test.each([
  ["", "once"],
  ["FREQ=DAILY", "every day"],
  ["FREQ=HOURLY;INTERVAL=2", "every 2 hours"],
  ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"],
  ["FREQ=WEEKLY;BYDAY=SA,SU", "every Saturday, Sunday"],
  ["FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"],
  ["FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"],
  ["FREQ=WEEKLY;BYDAY=MO;INTERVAL=2", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=2"],
])("the rule %s reads %s", (rrule, text) => expect(recurrence(rrule)).toBe(text));

test("an entry without a text is named by its number", () => {
  const entry = {
    id: 3,
    kind: 1,
    text: "",
    language: "en",
    due: 0,
    duration: 0,
    time_zone: "",
    rrule: "",
    ringing: false,
  };
  expect(nameOf(entry)).toBe("alarm number 3");
  expect(nameOf({ ...entry, text: "pasta", kind: 0 })).toBe("timer pasta");
});
