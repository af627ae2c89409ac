/** A list next to the chosen entry; on a phone one or the other. */

import { ChevronLeft } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import "./split.css";

interface Props {
  list: ComponentChildren;
  /** The chosen entry; null if there is none. */
  chosen: ComponentChildren | null;
  /** Whether a person chose the entry. On a phone it then replaces the list. */
  picked: boolean;
  /** Address of the list alone. */
  back: string;
  /** Text next to the list while nothing is chosen. */
  hint: string;
}

export function Split({ list, chosen, picked, back, hint }: Props) {
  return (
    <div class={picked ? "split has-chosen" : "split"}>
      <div class="split-list">{list}</div>
      <div class="split-chosen">
        {chosen === null ? (
          <p class="soft split-hint">{hint}</p>
        ) : (
          <>
            <Link class="split-back" href={back}>
              <ChevronLeft size={18} aria-hidden="true" /> All
            </Link>
            {chosen}
          </>
        )}
      </div>
    </div>
  );
}
