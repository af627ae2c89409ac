/** A list of names and values. */

import type { ComponentChildren } from "preact";
import "./facts.css";

export function Facts({ children, class: kind = "" }: { children: ComponentChildren; class?: string }) {
  return <dl class={`facts ${kind}`}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
