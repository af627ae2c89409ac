/** Search and description of a setting of the robot. */

import type { Setting } from "../api/schemas";

/** Settings that match all words, or the changed ones if there are no words. */
export function matching(settings: Setting[], words: string): Setting[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!sought.length) return settings.filter((one) => one.origin !== "default" && !one.origin.startsWith("argument "));
  return settings.filter((one) => {
    const text = `${one.name} ${one.name.replaceAll("_", " ")} ${one.description}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

/** The range and default of a setting, such as "0 to 3600 s, default 5". */
export function rangeOf({ low, high, unit, default: usual }: Setting): string {
  const end = unit ? ` ${unit}` : "";
  const range = low !== null && high !== null ? `${low} to ${high}${end}, ` : "";
  return `${range}default ${usual === "" ? "empty" : usual}${range ? "" : end}`;
}

/** The value that a text field stands for. The gateway checks it. */
export function valueOf(setting: Setting, text: string): string | number {
  const number = Number(text);
  return setting.type === "string" || text.trim() === "" || Number.isNaN(number) ? text : number;
}
