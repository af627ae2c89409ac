/** One turn: the sentence, the reply and the steps with their times. */

import { Link } from "wouter-preact";
import type { TurnDetail } from "../api/schemas";
import { Card } from "../components/card";
import { duration } from "../components/duration";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";
import { Waterfall } from "./waterfall";

export function TurnView({ id }: { id: string }) {
  const turn = useResource<TurnDetail>(`/traces/${encodeURIComponent(id)}`, "trace");
  return <Loaded of={turn}>{(turn) => <Shown turn={turn} />}</Loaded>;
}

function Shown({ turn }: { turn: TurnDetail }) {
  return (
    <Card title={turn.heard ? `“${turn.heard}”` : "No text"} actions={<Ended turn={turn} />}>
      {turn.reply && <p class="turn-reply">{turn.reply}</p>}
      <Waterfall spans={turn.spans} />
      <p class="soft small turn-foot">
        <span>{new Date(turn.began * 1000).toLocaleString()}</span>
        <span>conversation {turn.session_id || "none"}</span>
        {turn.agent && <span>answered by {answererOf(turn.agent)}</span>}
        {turn.input_tokens + turn.output_tokens > 0 && (
          <span>
            {turn.input_tokens} tokens read, {turn.output_tokens} written
          </span>
        )}
        {turn.lost > 0 && <span>{turn.lost} steps not recorded</span>}
        <span>
          turn <code>{turn.turn_id.slice(0, 8)}</code>
        </span>
        <Link href={`/learning?turn=${turn.turn_id}`}>Give feedback</Link>
      </p>
    </Card>
  );
}

/** The agent of a turn; "reflex" stands for commands that need no model. */
function answererOf(agent: string): string {
  return agent === "reflex" ? "the intent recognizer" : `the agent ${plainName(agent)}`;
}

function Ended({ turn }: { turn: TurnDetail }) {
  if (turn.error_code) return <Tag mood="bad">failed</Tag>;
  if (turn.duration === null) return <Tag mood="busy">running</Tag>;
  return <Tag>{duration(turn.duration)}</Tag>;
}
