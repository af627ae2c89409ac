/** Learning results since the page was opened, by feedback id. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import type { PolicyUpdate } from "../api/schemas";

export const policyUpdates = signal<ReadonlyMap<string, PolicyUpdate>>(new Map());

on("policy_update", (update) => {
  policyUpdates.value = new Map(policyUpdates.value).set(update.feedback_id, update);
});
