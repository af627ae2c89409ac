/** Line differences of two sources. */

import { diffLines } from "diff";

export interface ChangedLine {
  change: "same" | "added" | "removed";
  /** Line numbers from 1 in the old and the new source; null if the line is not in it. */
  before: number | null;
  after: number | null;
}

/** Folded unchanged lines. */
export interface Fold {
  change: "fold";
  lines: number;
}

/** Every line of both sources, in reading order. */
export function lineChanges(before: string, after: string): ChangedLine[] {
  let [old, now] = [0, 0];
  return diffLines(before, after).flatMap((part) =>
    Array.from({ length: part.count }, (): ChangedLine => {
      if (part.added) return { change: "added", before: null, after: ++now };
      if (part.removed) return { change: "removed", before: ++old, after: null };
      return { change: "same", before: ++old, after: ++now };
    }),
  );
}

/** The same with a limited number of unchanged lines around each change. */
export function folded(lines: ChangedLine[], around = 3): (ChangedLine | Fold)[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(index - around, 0), index + around + 1).some((line) => line.change !== "same"),
  );
  const shown: (ChangedLine | Fold)[] = [];
  lines.forEach((line, index) => {
    const last = shown.at(-1);
    if (near[index]) shown.push(line);
    else if (last?.change === "fold") last.lines += 1;
    else shown.push({ change: "fold", lines: 1 });
  });
  return shown;
}
