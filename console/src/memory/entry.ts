/** Kinds of memory entries, and the path of a search. */

import type { MemoryEntry } from "../api/schemas";

export type Kind = MemoryEntry["kind"];

/** Name of one entry of a kind. */ export const KIND_NAMES: Record<Kind, string> = {
  fact: "fact",
  episode: "event",
  note: "note",
  document: "document",
};
/** Names of the filters. */ export const KINDS: Record<Kind, string> = {
  fact: "Facts",
  episode: "Events",
  note: "Notes",
  document: "Documents",
};

/** Path of a search by words and kinds. Without kinds it finds entries of all kinds. */
export function pathFor(query: string, kinds: ReadonlySet<Kind>): string {
  const search = new URLSearchParams();
  if (query.trim()) search.set("query", query.trim());
  for (const kind of kinds) search.append("kind", kind);
  search.set("limit", "100");
  return `/memory?${search}`;
}
