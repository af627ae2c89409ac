/** Age of the data on the page. */

import { computed, signal } from "@preact/signals";
import { connected, heardAt } from "../api/events";

/** The gateway sends a heartbeat every second. */
const FRESH = 2_000;

const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 500);

/** Seconds since the last message; 0 if it is recent, null before the first. */
export const staleFor = computed(() => age(heardAt.value, now.value));

/** Whether the page shows the present: the connection is open and its last message is recent. */
export const live = computed(() => connected.value && staleFor.value === 0);

/** Whether the page shows the past, because it was connected and is no longer live. */
export const outdated = computed(() => staleFor.value !== null && !live.value);

export function age(heard: number, at: number): number | null {
  if (!heard) return null;
  return at - heard > FRESH ? Math.round((at - heard) / 1000) : 0;
}
