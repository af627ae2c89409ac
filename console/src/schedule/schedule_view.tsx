/** Timers, alarms and reminders: list, add and cancel. */

import { useEffect, useState } from "preact/hooks";
import { post, request } from "../api/http";
import type { ChatRequest, Schedule as ScheduleList, ScheduleEntry } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { Table } from "../components/table";
import { Tag } from "../components/tag";
import { View } from "../components/view";
import { serverNow } from "../shell/server_clock";
import { AddEntry } from "./add_entry";
import { KINDS, nameOf, recurrence, remaining } from "./entry";
import "./schedule.css";

/** s; entries that are due sooner show a countdown. */
const SOON = 3600;

export function Schedule() {
  const schedule = useResource<ScheduleList>("/schedule", "schedule");
  const { running, error, run } = useAction();
  const now = useSeconds();
  const cancel = (entry: ScheduleEntry) => run(() => request("DELETE", `/schedule/${entry.id}`).then(schedule.reload));
  const say = (word: string) => run(() => post<unknown>("/chat", { message: word } satisfies ChatRequest));
  return (
    <View title="Schedule">
      <AddEntry added={() => void schedule.reload()} />
      <Card title="Timers, alarms and reminders">
        <ProblemNotice error={error} />
        <Loaded of={schedule}>
          {({ entries }) =>
            entries.length ? (
              <Table
                name="Timers, alarms and reminders"
                columns={["Kind", "Text", "Due", "Repeated", <span class="unseen">Actions</span>]}
              >
                {entries.map((entry) => (
                  <Row
                    key={`${entry.id} ${entry.ringing}`}
                    entry={entry}
                    now={now}
                    busy={running}
                    cancel={() => void cancel(entry)}
                    say={(word) => void say(word)}
                  />
                ))}
              </Table>
            ) : (
              <Empty title="Nothing is scheduled">Add an entry above, or tell the robot: “remind me at six to…”.</Empty>
            )
          }
        </Loaded>
      </Card>
    </View>
  );
}

interface RowProps {
  entry: ScheduleEntry;
  now: number;
  busy: boolean;
  cancel: () => void;
  /** Says a word to the robot. A ringing alarm takes "stop" and "snooze" before anything else does. */
  say: (word: string) => void;
}

function Row({ entry, now, busy, cancel, say }: RowProps) {
  return (
    <tr>
      <th scope="row">{KINDS[entry.kind]}</th>
      <td>{entry.text}</td>
      <td>{entry.ringing ? <Tag mood="busy">ringing</Tag> : <Due entry={entry} now={now} />}</td>
      <td>{recurrence(entry.rrule)}</td>
      <td>
        <div class="row row-end">
          {entry.ringing ? (
            <>
              <button type="button" disabled={busy} onClick={() => say("snooze")}>
                Snooze
              </button>
              <button type="button" class="primary" disabled={busy} onClick={() => say("stop")}>
                Stop ringing
              </button>
            </>
          ) : (
            <button type="button" disabled={busy} aria-label={`Cancel ${nameOf(entry)}`} onClick={cancel}>
              Cancel
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

function Due({ entry, now }: { entry: ScheduleEntry; now: number }) {
  const date = new Date(entry.due * 1000);
  const zone = entry.time_zone && entry.time_zone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {entry.due - now < SOON ? (
        <span class="countdown">in {remaining(entry.due, now)}</span>
      ) : (
        date.toLocaleString(undefined, {
          weekday: "short",
          day: "numeric",
          month: "short",
          hour: "2-digit",
          minute: "2-digit",
        })
      )}
      {zone && <span class="soft small"> ({entry.time_zone})</span>}
    </time>
  );
}

/** Time of the gateway (s since the epoch), updated every second while the view is shown. */
function useSeconds(): number {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
