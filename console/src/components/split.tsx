/** A list beside what is chosen of it; on a phone one after the other. */

import { ChevronLeft } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import "./split.css";

interface Props {
  list: ComponentChildren;
  /** Null: there is nothing to show. */
  chosen: ComponentChildren | null;
  /** Whether somebody picked it; on a phone only then it takes the place of the list. */
  picked: boolean;
  /** Where the list alone is. */
  back: string;
  /** What is said beside the list while nothing is chosen. */
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
