/** The kinds of things that the robot remembers, and the path that finds them. */

import type { MemoryEntry } from "../api/schemas";

export type Kind = MemoryEntry["kind"];

export const KINDS: Record<Kind, string> = {
  fact: "Facts",
  episode: "Episodes",
  note: "Notes",
  document: "Documents",
};

/** The path that finds entries by words and sorts; nothing chosen means all of them. */
export function pathFor(query: string, kinds: ReadonlySet<Kind>): string {
  const search = new URLSearchParams();
  if (query.trim()) search.set("query", query.trim());
  for (const kind of kinds) search.append("kind", kind);
  search.set("limit", "100");
  return `/memory?${search}`;
}
