/** An argument of a tool call as a name and a value with the unit that ends its name: `yaw_deg` as an angle in °. */

import { plainName } from "./plain_name";

const UNITS: Record<string, string> = { deg: "°", s: " s", m: " m", mm: " mm" };

export function plainArgument(name: string, value: unknown): [string, string] {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  const [, quantity, unit] = /^(.+)_(deg|s|mm?)$/.exec(name) ?? [];
  return unit ? [plainName(quantity!), `${shown}${UNITS[unit]}`] : [plainName(name), shown];
}
