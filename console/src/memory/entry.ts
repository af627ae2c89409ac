/** One thing that the robot remembers, as `GET memory` tells it. */

export type Kind = "fact" | "episode" | "note" | "document";

export interface Entry {
  id: number;
  kind: Kind;
  /** A fact's name, the file of a note or document; empty for an episode. */
  key: string;
  text: string;
  source: string;
  /** s since the epoch. */
  created: number;
  participants: string[];
  /** 0 to 1; null without a query. */
  score: number | null;
}

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
