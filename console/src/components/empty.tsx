/** Text of an empty list, with the next step. */

import type { ComponentChildren } from "preact";
import "./empty.css";

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <div class="soft">{children}</div>}
    </div>
  );
}
