/** Status of the connection, the robot and the agent. */

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
  const robot = robotState.value;
  const agent = agentState.value;
  return (
    <div class="badges" role="status">
      {!connected.value && <Badge name="Connection" text="lost, reconnecting" mood="bad" />}
      {robot && (
        <Badge
          name={robot.simulated ? "Simulated robot" : "Robot"}
          text={robot.connected ? ACTIVITIES[robot.activity]! : "not responding"}
          mood={!robot.connected || robot.emergency_stopped ? "bad" : robot.activity ? "busy" : "good"}
        />
      )}
      {agent && (
        <Badge
          name="Agent"
          text={AGENT_STATES[agent.state]!}
          mood={agent.state === 1 ? "good" : agent.state === 4 || agent.state === 5 ? "bad" : "busy"}
        />
      )}
    </div>
  );
}
