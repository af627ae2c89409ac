/** What is said where there is nothing yet, and what to do about it. */

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
