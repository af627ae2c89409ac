/** Stored conversations: resume or delete one. */

import { request } from "../api/http";
import type { Session, SessionList } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ConfirmedButton } from "../components/confirmed_button";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { Table } from "../components/table";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { agentState } from "../shell/robot_state";

const pathOf = (session: string) => `/session/${encodeURIComponent(session)}`;

export function Conversations() {
  const found = useResource<SessionList>("/sessions", "agent", "reply");
  const { running, error, run } = useAction();
  const resume = (id: string) => run(() => request("POST", `${pathOf(id)}/resume`).then(found.reload));
  const forget = (id: string) => run(() => request("DELETE", pathOf(id)).then(found.reload));
  return (
    <Card title="Conversations">
      <ProblemNotice error={error} />
      <Loaded of={found}>
        {({ sessions }) =>
          sessions.length ? (
            <Table
              name="Conversations"
              columns={["Name", "First message", "Turns", "Last used", <span class="unseen">Actions</span>]}
            >
              {sessions.map((session) => (
                <Row key={session.session_id} session={session} busy={running} resume={resume} forget={forget} />
              ))}
            </Table>
          ) : (
            <Empty title="No conversations yet">A message under Talk starts one.</Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

interface RowProps {
  session: Session;
  busy: boolean;
  resume: (id: string) => void;
  forget: (id: string) => void;
}

function Row({ session, busy, resume, forget }: RowProps) {
  const id = session.session_id;
  const current = agentState.value?.session_id === id;
  return (
    <tr>
      <th scope="row">
        {id} {current && <Tag mood="good">current</Tag>}
      </th>
      <td>{session.beginning && `“${session.beginning}”`}</td>
      <td>{session.message_count}</td>
      <td>
        <When stamp={session.changed_at} />
      </td>
      <td>
        <div class="row row-end">
          {!current && (
            <button type="button" disabled={busy} aria-label={`Resume ${id}`} onClick={() => resume(id)}>
              Resume
            </button>
          )}
          <ConfirmedButton
            label={`Delete ${id}`}
            question={`Delete the conversation ${id}?`}
            consequence="Its messages are erased from the disk. Memories of it remain under Memory."
            act="Delete"
            onConfirm={() => forget(id)}
            disabled={busy}
          >
            Delete
          </ConfirmedButton>
        </div>
      </td>
    </tr>
  );
}
