/** A word or two about a thing, coloured by whether it is well; the colour alone says nothing. */

import type { ComponentChildren } from "preact";
import "./tag.css";

export type Mood = "good" | "busy" | "bad" | "plain";

export function Tag({ mood = "plain", children }: { mood?: Mood; children: ComponentChildren }) {
  return <span class={`tag tag-${mood}`}>{children}</span>;
}
