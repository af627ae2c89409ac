/** A table that scrolls separately if it is wider than the screen. */

import type { ComponentChildren } from "preact";
import "./table.css";

interface Props {
  /** Caption for screen readers. */
  name: string;
  /** Headings of the columns. */
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
