/** A piece of a view with a heading. */

import type { ComponentChildren } from "preact";
import { useElementId } from "./element_id";
import "./card.css";

interface Props {
  title: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ title, actions, children }: Props) {
  const name = useElementId();
  return (
    <section class="card" aria-labelledby={name}>
      <div class="card-head">
        <h2 id={name}>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
