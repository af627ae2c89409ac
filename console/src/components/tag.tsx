/** A word or two about a thing, colored by whether it is well; the color alone says nothing. */

import type { ComponentChildren } from "preact";
import "./tag.css";

export type Mood = "good" | "busy" | "bad" | "plain";

export function Tag({ mood = "plain", children }: { mood?: Mood; children: ComponentChildren }) {
  return <span class={`tag tag-${mood}`}>{children}</span>;
}
