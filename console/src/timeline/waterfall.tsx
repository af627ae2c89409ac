/** The steps of a turn as a table with bars on one axis, and times in words for screen readers. */

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Span } from "../api/schemas";
import { duration } from "../components/duration";
import { type Bar, layout, type Tick } from "./layout";
import { LABELS, detail, failed, interrupted } from "./span";
import { SpanDetails } from "./span_details";
import "./timeline.css";

export function Waterfall({ spans }: { spans: Span[] }) {
  const [open, setOpen] = useState<number | null>(null);
  const { bars, ticks } = layout(spans);
  if (bars.length === 0) return <p class="soft">No steps recorded.</p>;
  return (
    <table class="waterfall">
      <caption class="unseen">Steps of the turn by start</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" class="axis">
            <span class="unseen">When</span>
            <Axis ticks={ticks} />
          </th>
          <th scope="col" class="took">
            Took
          </th>
          <th scope="col" class="about">
            About
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => {
          const number = bar.span.span;
          const toggle = () => setOpen(open === number ? null : number);
          return (
            <Fragment key={number}>
              <Row bar={bar} ticks={ticks} open={open === number} toggle={toggle} />
              {open === number && (
                <tr>
                  <td colSpan={4} id={`step-${number}`}>
                    <SpanDetails span={bar.span} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Axis({ ticks }: { ticks: Tick[] }) {
  return (
    <span class="lane" aria-hidden="true">
      {ticks.map((tick) => (
        <span
          key={tick.seconds}
          class={tick.left > 94 ? "tick-name at-end" : "tick-name"}
          style={{ left: `${tick.left}%` }}
        >
          {tick.seconds === 0 ? "0" : duration(tick.seconds).replace(/\.?0+ s$/, " s")}
        </span>
      ))}
    </span>
  );
}

interface RowProps {
  bar: Bar;
  ticks: Tick[];
  open: boolean;
  toggle: () => void;
}

function Row({ bar: { span, nested, left, width }, ticks, open, toggle }: RowProps) {
  const label = LABELS[span.kind] ?? "step";
  return (
    <tr
      class={`span span-${label}${failed(span) ? " failed" : ""}${interrupted(span) ? " interrupted" : ""}`}
      onClick={toggle}
    >
      <th scope="row">
        <button
          type="button"
          class={nested ? "span-name nested" : "span-name"}
          aria-expanded={open}
          aria-controls={open ? `step-${span.span}` : undefined}
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          {label}
        </button>
      </th>
      <td class="axis">
        <span class="unseen">begins at {duration(span.start)}</span>
        <span class="lane" aria-hidden="true">
          {ticks.map((tick) => (
            <span
              key={tick.seconds}
              class={tick.seconds === 0 ? "tick zero" : "tick"}
              style={{ left: `${tick.left}%` }}
            />
          ))}
          <span class="span-bar" style={{ left: `${left}%`, width: `${width}%` }} />
        </span>
      </td>
      <td class="took">{duration(span.duration)}</td>
      <td class="about">{detail(span)}</td>
    </tr>
  );
}
