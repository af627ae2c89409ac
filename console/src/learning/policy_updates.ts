/** What became of judgements since the page was opened, by the judgement. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import type { PolicyUpdate } from "./judgement";

export const policyUpdates = signal<ReadonlyMap<string, PolicyUpdate>>(new Map());

on("policy_update", (data) => {
  const update = data as PolicyUpdate;
  policyUpdates.value = new Map(policyUpdates.value).set(update.feedback_id, update);
});
