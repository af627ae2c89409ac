/** Frame of a view: title, actions and content. */

import type { ComponentChildren } from "preact";
import "./view.css";

interface Props {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function View({ title, actions, children }: Props) {
  return (
    <div class="page">
      <div class="page-head">
        <h1>{title}</h1>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
