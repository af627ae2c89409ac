/** State of every node, with its use of processor and memory. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { on } from "../api/events";
import type { Diagnostic, HealthReport, NodeStatus } from "../api/schemas";
import { Card } from "../components/card";
import { duration } from "../components/duration";
import { Table } from "../components/table";
import { type Mood, Tag } from "../components/tag";
import { View } from "../components/view";
import { type History, troubles, withReport } from "./health_report";
import { Sparkline, periodOf } from "./sparkline";
import "./health.css";

const report = signal<HealthReport | null>(null);
const history = signal<History>({});

const MOODS: Record<string, Mood> = {
  ready: "good",
  ok: "good",
  starting: "busy",
  stopping: "busy",
  degraded: "busy",
  warn: "busy",
  silent: "bad",
  error: "bad",
  stale: "bad",
};

export function Health() {
  useEffect(() => {
    history.value = {}; // no reports arrive while the view is closed, and the chart would not show the gap
    return on("health", (data) => {
      report.value = data;
      history.value = withReport(history.value, report.value);
    });
  }, []);
  const found = report.value;
  return (
    <View title="Health">
      {found ? (
        <>
          <Summary of={found} />
          <Nodes of={found.nodes} />
          <Concerns of={found.diagnostics} />
        </>
      ) : (
        <p class="loading" role="status">
          Asking the nodes…
        </p>
      )}
    </View>
  );
}

function Summary({ of: found }: { of: HealthReport }) {
  const bad = troubles(found);
  const ready = found.nodes.filter((node) => node.state === "ready").length;
  const working = ready === found.nodes.length ? "good" : "busy";
  return (
    <div class="figures">
      <Figure name="Nodes ready" value={`${ready} of ${found.nodes.length}`} mood={found.ready ? working : "bad"} />
      <Figure
        name="Warnings"
        value={bad.length ? String(bad.length) : "none"}
        mood={bad.length ? (bad[0]!.level === "warn" ? "busy" : "bad") : "good"}
      />
      <Figure name={`Processor (${found.cores} cores)`} value={percent(found.cpu)}>
        <Sparkline
          values={history.value.machine ?? []}
          top={1}
          label={`Processor use, ${periodOf(history.value.machine?.length ?? 0)}`}
        />
      </Figure>
      <Figure name="Motion loop delay" value={lateness(found)} />
      <Figure name="Memory in use" value={`${(found.memory_mb / 1024).toFixed(1)} GB`} />
    </div>
  );
}

/** Delay of the motion loop, from its own diagnostics. */
function lateness(found: HealthReport): string {
  const loop = found.diagnostics.find((diagnostic) => diagnostic.concern === "motion loop");
  const p99 = loop?.values.p99_ms;
  return p99 ? `${Number(p99).toFixed(1)} ms (p99)` : "–";
}

interface FigureProps {
  name: string;
  value: string;
  mood?: Mood;
  children?: preact.ComponentChildren;
}

function Figure({ name, value, mood, children }: FigureProps) {
  return (
    <div class="figure">
      <span class="soft small">{name}</span>
      <span class={`figure-value ${mood ? `mood-${mood}` : ""}`}>{value}</span>
      {children}
    </div>
  );
}

function Nodes({ of: nodes }: { of: NodeStatus[] }) {
  const period = periodOf(history.value.machine?.length ?? 0);
  return (
    <Card title="Nodes">
      <Table
        name="Table of nodes"
        columns={["Node", "State", "Processor", capitalized(period), "Memory", "Uptime", "Restarts"]}
      >
        {nodes.map((node) => (
          <tr key={node.name}>
            <th scope="row">
              {node.name.replaceAll("_", " ")}
              {(node.detail || node.last_end) && <div class="soft small node-note">{node.detail || node.last_end}</div>}
            </th>
            <td>
              <Tag mood={MOODS[node.state] ?? "plain"}>{node.state}</Tag>
            </td>
            <td>{node.cpu === null ? "–" : percent(node.cpu)}</td>
            <td>
              <Sparkline values={history.value[node.name] ?? []} top={0.5} label={`${node.name}, ${period}`} />
            </td>
            <td>{Math.round(node.resident_mb)} MB</td>
            <td class="uptime">{node.pid ? duration(Math.round(node.age)).replace(/\.\d+/, "") : "–"}</td>
            <td>{node.restarts}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Concerns({ of: diagnostics }: { of: Diagnostic[] }) {
  const worst = (level: string) => ["error", "stale", "warn", "ok"].indexOf(level);
  const sorted = [...diagnostics].sort((one, other) => worst(one.level) - worst(other.level));
  return (
    <Card title="Diagnostics of the nodes">
      <div class="concerns">
        {sorted.map((concern) => (
          <details key={`${concern.node} ${concern.concern}`} class="concern" open={concern.level !== "ok"}>
            <summary>
              <Tag mood={MOODS[concern.level] ?? "plain"}>{concern.level}</Tag>{" "}
              <strong>
                {concern.node.split("/").at(-1)!.replaceAll("_", " ")}: {concern.concern}
              </strong>{" "}
              <span class="soft">{concern.message}</span>
            </summary>
            <dl class="values">
              {Object.entries(concern.values).map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll("_", " ")}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        ))}
      </div>
    </Card>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function percent(part: number): string {
  return `${Math.round(100 * part)} %`;
}
