/** Scales of a chart. */

export interface Point {
  x: number;
  y: number;
}

/** A few round numbers that lie in a range. */
export function roundTicks(low: number, high: number, most = 5): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => span / one <= most)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)) + 0);
}

/** The mean of each value and the values before it, at most `most` in all: the trend without the noise. */
export function trailingMean(values: number[], most: number): number[] {
  return values.map((_, index) => {
    const part = values.slice(Math.max(0, index + 1 - most), index + 1);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** The range of numbers, never empty. */
export function rangeOf(values: number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
