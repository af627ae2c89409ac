/** A table that scrolls by itself where it is wider than the screen. */

import type { ComponentChildren } from "preact";
import "./table.css";

interface Props {
  /** What it lists; read by screen readers. */
  name: string;
  /** Of the columns. */
  columns: ComponentChildren[];
  children: ComponentChildren;
}

export function Table({ name, columns, children }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={name}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
