/** The gateway's clock, which deadlines refer to. */

import { on } from "../api/events";

/** s by which this machine's clock is ahead: the smallest difference, of the message with the shortest delay. */
let ahead = Infinity;

on("alive", ({ stamp }) => {
  ahead = Math.min(ahead, Date.now() / 1000 - stamp);
});

/** Current time of the gateway, s since the epoch. */
export function serverNow(): number {
  return Date.now() / 1000 - (Number.isFinite(ahead) ? ahead : 0);
}
