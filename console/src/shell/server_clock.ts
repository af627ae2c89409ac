/** The gateway's clock, by which deadlines are told. */

import { on } from "../api/events";

/** s that this machine's clock is ahead: the least that was seen, which is the one with the shortest way. */
let ahead = Infinity;

on("alive", ({ stamp }) => {
  ahead = Math.min(ahead, Date.now() / 1000 - stamp);
});

/** s since the epoch, as the gateway counts them. */
export function serverNow(): number {
  return Date.now() / 1000 - (Number.isFinite(ahead) ? ahead : 0);
}
