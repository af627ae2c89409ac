/** Difference of two sources, with removed and added lines. */

import { useMemo } from "preact/hooks";
import { Tokens } from "./code";
import { type ChangedLine, folded, lineChanges } from "./line_changes";
import { pythonLines } from "./python_tokens";

const MARKS = { same: " ", added: "+", removed: "-" };
const WORDS = { same: "", added: "added: ", removed: "removed: " };

export function CodeDiff({ before, after, name }: { before: string; after: string; name: string }) {
  const lines = useMemo(() => folded(lineChanges(before, after)), [before, after]);
  const old = useMemo(() => pythonLines(before), [before]);
  const now = useMemo(() => pythonLines(after), [after]);
  const tokens = (line: ChangedLine) => (line.after === null ? old[line.before! - 1]! : now[line.after - 1]!);
  if (lines.every((line) => line.change === "same" || line.change === "fold")) return <p>The code is the same.</p>;
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      <code>
        {lines.map((line, index) =>
          line.change === "fold" ? (
            <span key={index} class="code-fold">
              {line.lines} unchanged {line.lines === 1 ? "line" : "lines"}
              {"\n"}
            </span>
          ) : (
            <span key={index} class={`code-line code-${line.change}`}>
              <span class="code-number" aria-hidden="true">
                {line.after ?? line.before} {MARKS[line.change]}
              </span>
              <span class="unseen">{WORDS[line.change]}</span>
              <Tokens of={tokens(line)} />
              {"\n"}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}
