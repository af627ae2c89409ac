/** A line and points over one axis, at the full width. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type Point, rangeOf, roundTicks } from "./scale";
import "./chart.css";

export interface Dot extends Point {
  /** Text of the tooltip. */
  about: string;
}

interface Props {
  /** Title and latest value, for screen readers. */
  name: string;
  line: Point[];
  dots?: Dot[];
  /** Range of the vertical axis; null: the range of the line. */
  range?: [number, number];
  /** Label of the horizontal axis. */
  counts: string;
}

const HEIGHT = 200;
const EDGE = { left: 40, right: 12, top: 10, bottom: 34 };

export function Chart({ name, line, dots = [], range, counts }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const all = [...line, ...dots];
  const [left, right] = rangeOf(all.map((point) => point.x));
  const [low, high] = range ?? rangeOf(all.map((point) => point.y));
  const x = (value: number) => EDGE.left + ((value - left) / (right - left)) * (width - EDGE.left - EDGE.right);
  const y = (value: number) =>
    HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  return (
    <div ref={frame}>
      <svg class="chart" role="img" aria-label={name} width={width} height={HEIGHT}>
        {roundTicks(low, high).map((value) => (
          <g key={value}>
            <line
              class={value === 0 ? "chart-zero" : "chart-grid"}
              x1={EDGE.left}
              x2={width - EDGE.right}
              y1={y(value)}
              y2={y(value)}
            />
            <text x={EDGE.left - 8} y={y(value)} text-anchor="end" dominant-baseline="middle">
              {value}
            </text>
          </g>
        ))}
        {roundTicks(left, right)
          .filter(Number.isInteger)
          .map((value) => (
            <text key={value} x={x(value)} y={HEIGHT - EDGE.bottom + 16} text-anchor="middle">
              {value}
            </text>
          ))}
        <text x={width - EDGE.right} y={HEIGHT - 4} text-anchor="end">
          {counts}
        </text>
        <polyline class="chart-line" points={line.map((point) => `${x(point.x)},${y(point.y)}`).join(" ")} />
        {dots.map((dot) => (
          <circle
            key={dot.x}
            class={dot.y > 0 ? "chart-good" : dot.y < 0 ? "chart-bad" : "chart-even"}
            cx={x(dot.x)}
            cy={y(dot.y)}
            r={4}
          >
            <title>{dot.about}</title>
          </circle>
        ))}
      </svg>
    </div>
  );
}

function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(entry!.contentRect.width, 120)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  return width;
}
