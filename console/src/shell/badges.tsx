/** Status of the connection, the robot and the agent. */

import type { AgentState, RobotState } from "../api/schemas";
import { live, outdated } from "./freshness";
import { ACTIVITIES, READY, agentState, agentText, degradedNodes, robotState } from "./robot_state";

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
  const degraded = degradedNodes.value;
  const mood = agent.state === READY && !degraded.length ? "good" : agent.state === 5 ? "bad" : "busy";
  const about = [agent.detail, degraded.length ? `Degraded: ${degraded.join(", ")}. See Health.` : ""];
  return (
    <Badge
      name="Agent"
      text={agentText(agent.state, degraded)}
      mood={mood}
      about={about.filter((line) => line).join("\n")}
    />
  );
}
