/** Figures of two versions, side by side. */

import { useState } from "preact/hooks";
import type { Policy } from "../api/schemas";
import { Table } from "../components/table";
import { plainName } from "../components/plain_name";
import { compared } from "./policy";

export function Comparison({ versions }: { versions: Policy[] }) {
  const numbers = versions.map((one) => one.version);
  const [before, setBefore] = useState(numbers[1]!);
  const [after, setAfter] = useState(numbers[0]!);
  const of = (number: number) => versions.find((one) => one.version === number) ?? versions[0]!;
  const figures = compared(of(before), of(after));
  return (
    <details class="comparison">
      <summary>Compare versions</summary>
      <div class="row">
        <Choice name="Before" numbers={numbers} chosen={before} choose={setBefore} />
        <Choice name="After" numbers={numbers} chosen={after} choose={setAfter} />
      </div>
      {figures.length === 0 ? (
        <p class="soft">These two versions have no figures.</p>
      ) : (
        <Table name="Comparison" columns={["Measured", `Version ${before}`, `Version ${after}`]}>
          {figures.map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{plainName(figure.name)}</th>
              <td>{figureOf(figure.before)}</td>
              <td>{figureOf(figure.after)}</td>
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}

interface ChoiceProps {
  name: string;
  numbers: number[];
  chosen: number;
  choose: (number: number) => void;
}

function Choice({ name, numbers, chosen, choose }: ChoiceProps) {
  return (
    <label>
      {name}{" "}
      <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {numbers.map((number) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
}

function figureOf(value: number | null): string {
  return value === null ? "–" : value.toFixed(3);
}
