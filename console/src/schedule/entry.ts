/** Timers, alarms and reminders in words. */

import type { ScheduleEntry } from "../api/schemas";

/** Names of the kinds, in the order of their numbers. They are also the values that the API expects. */
export const KINDS = ["timer", "alarm", "reminder"] as const;
export type Kind = (typeof KINDS)[number];

const DAYS: Record<string, string> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};

const WORKDAYS = "MO,TU,WE,TH,FR";

const UNITS: Record<string, string> = {
  MINUTELY: "minute",
  HOURLY: "hour",
  DAILY: "day",
  WEEKLY: "week",
  MONTHLY: "month",
  YEARLY: "year",
};

/** Remaining time, such as "4:05" or "1:02:09"; "0:00" when it is over. */
export function remaining(due: number, now: number): string {
  const left = Math.max(0, Math.ceil(due - now));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60) % 60;
  const padded = [minutes, left % 60].map((part) => String(part).padStart(2, "0"));
  return hours ? `${hours}:${padded.join(":")}` : `${minutes}:${padded[1]}`;
}

/** Recurrence in words; a rule without simple words stays as it is. */
export function recurrence(rrule: string): string {
  if (!rrule) return "once";
  const parts = new Map(rrule.split(";").map((part) => part.split("=") as [string, string]));
  const unit = UNITS[parts.get("FREQ") ?? ""];
  const days = parts.get("BYDAY");
  const count = Number(parts.get("INTERVAL") ?? 1);
  const known = [...parts.keys()].every((name) => ["FREQ", "INTERVAL", "BYDAY"].includes(name));
  if (!unit || !known || (days && (unit !== "week" || count !== 1))) return rrule;
  if (days === WORKDAYS) return "every weekday";
  if (days) {
    const names = days.split(",").map((day) => DAYS[day]);
    return names.every(Boolean) ? `every ${names.join(", ")}` : rrule;
  }
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** Name for buttons, which distinguishes entries of the same kind. */
export function nameOf(entry: ScheduleEntry): string {
  return [KINDS[entry.kind], entry.text || `number ${entry.id}`].join(" ");
}
