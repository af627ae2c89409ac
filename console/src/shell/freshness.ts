/** Whether what is shown is still true. */

import { computed, signal } from "@preact/signals";
import { heardAt } from "../api/events";

/** The gateway gives a sign of life every second. */
const FRESH = 2_000;

const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 500);

/** Seconds since something was heard; 0 while that is recent, null before anything was. */
export const staleFor = computed(() => age(heardAt.value, now.value));

export function age(heard: number, at: number): number | null {
  if (!heard) return null;
  return at - heard > FRESH ? Math.round((at - heard) / 1000) : 0;
}
