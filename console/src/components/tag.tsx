/** One or two words about a state. The color repeats what the words say. */

import type { ComponentChildren } from "preact";
import "./tag.css";

export type Mood = "good" | "busy" | "bad" | "plain";

export function Tag({ mood = "plain", children }: { mood?: Mood; children: ComponentChildren }) {
  return <span class={`tag tag-${mood}`}>{children}</span>;
}
