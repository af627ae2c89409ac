/** The latest turns, each with its steps on one time axis. */

import { Link, useSearchParams } from "wouter-preact";
import type { TurnList, TurnSummary } from "../api/schemas";
import { duration } from "../components/duration";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { useResource } from "../components/resource";
import { Split } from "../components/split";
import { Tag } from "../components/tag";
import { View } from "../components/view";
import { When } from "../components/when";
import { TurnView } from "./turn_view";

export function Timeline() {
  const turns = useResource<TurnList>("/traces?limit=50", "trace");
  const [search] = useSearchParams();
  const picked = search.get("turn");
  return (
    <View title="Timeline">
      <Loaded of={turns}>
        {({ turns }) =>
          turns.length === 0 && !picked ? (
            <Empty title="No turns yet">
              Say something under <Link href="/talk">Talk</Link>, and each step appears here as it happens.
            </Empty>
          ) : (
            <Chosen turns={turns} picked={picked} />
          )
        }
      </Loaded>
    </View>
  );
}

/** Shows the latest turn unless one is chosen, so that a running turn can be followed. */
function Chosen({ turns, picked }: { turns: TurnSummary[]; picked: string | null }) {
  const chosen = picked ?? turns[0]!.turn_id;
  return (
    <Split
      list={<Turns turns={turns} chosen={chosen} />}
      chosen={<TurnView key={chosen} id={chosen} />}
      picked={picked !== null}
      back="/timeline"
      hint="Choose a turn to see its steps."
    />
  );
}

function Turns({ turns, chosen }: { turns: TurnSummary[]; chosen: string }) {
  return (
    <ul class="items">
      {turns.map((turn) => (
        <li key={turn.turn_id}>
          <Link class="item" href={`/timeline?turn=${turn.turn_id}`} aria-current={turn.turn_id === chosen}>
            <span class="item-name">{turn.heard ? `“${turn.heard}”` : "No text"}</span>
            <span class="item-about">
              <When stamp={turn.began} />
              {turn.duration === null ? <Tag mood="busy">running</Tag> : <span>{duration(turn.duration)}</span>}
              {turn.tools.length > 0 && (
                <span>{turn.tools.length === 1 ? plainName(turn.tools[0]!) : `${turn.tools.length} tools`}</span>
              )}
              {turn.error_code !== 0 && <Tag mood="bad">failed</Tag>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
