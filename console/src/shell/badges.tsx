/** Whether what is shown can be believed: the connection, the robot, the mind. */

import { connected } from "../api/events";
import { ACTIVITIES, AGENT_STATES, agentState, robotState } from "./robot_state";

type Mood = "good" | "busy" | "bad";

function Badge({ name, text, mood }: { name: string; text: string; mood: Mood }) {
  return (
    <span class={`badge ${mood}`}>
      <span class="dot" aria-hidden="true" />
      <span class="badge-name">{name}</span> {text}
    </span>
  );
}

export function Badges() {
  const body = robotState.value;
  const mind = agentState.value;
  return (
    <div class="badges" role="status">
      {!connected.value && <Badge name="Connection" text="lost, trying again" mood="bad" />}
      {body && (
        <Badge
          name={body.simulated ? "Simulated robot" : "Robot"}
          text={body.connected ? ACTIVITIES[body.activity]! : "does not answer"}
          mood={!body.connected || body.emergency_stopped ? "bad" : body.activity ? "busy" : "good"}
        />
      )}
      {mind && (
        <Badge
          name="Mind"
          text={AGENT_STATES[mind.state]!}
          mood={mind.state === 1 ? "good" : mind.state === 4 || mind.state === 5 ? "bad" : "busy"}
        />
      )}
    </div>
  );
}
