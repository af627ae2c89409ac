/** Status of the connection, the robot and the agent. */

import type { AgentState, RobotState } from "../api/schemas";
import { live, outdated } from "./freshness";
import { ACTIVITIES, AGENT_STATES, agentState, robotState } from "./robot_state";

type Mood = "good" | "busy" | "bad" | "unknown";

interface Props {
  name: string;
  text: string;
  mood: Mood;
  /** Explanation, as a tooltip. */
  about?: string;
}

function Badge({ name, text, mood, about = "" }: Props) {
  return (
    <span class={`badge ${mood}`} title={about}>
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
      {outdated.value && <Badge name="Connection" text="lost, reconnecting" mood="bad" />}
      {!outdated.value && !live.value && <Badge name="Connection" text="connecting" mood="busy" />}
      {robot && <RobotBadge robot={robot} />}
      {agent && <AgentBadge agent={agent} />}
    </div>
  );
}

function RobotBadge({ robot }: { robot: RobotState }) {
  const name = robot.simulated ? "Simulated robot" : "Robot";
  if (!live.value) return <Badge name={name} text="unknown" mood="unknown" />;
  if (!robot.connected) return <Badge name={name} text="not responding" mood="bad" />;
  const mood = robot.emergency_stopped ? "bad" : robot.activity ? "busy" : "good";
  return <Badge name={name} text={ACTIVITIES[robot.activity]!} mood={mood} />;
}

function AgentBadge({ agent }: { agent: AgentState }) {
  if (!live.value) return <Badge name="Agent" text="unknown" mood="unknown" />;
  const mood = agent.state === 1 ? "good" : agent.state === 5 ? "bad" : "busy";
  return <Badge name="Agent" text={AGENT_STATES[agent.state]!} mood={mood} about={agent.detail} />;
}
