/** Latest states of the robot and the agent. */

import { computed, signal } from "@preact/signals";
import { on } from "../api/events";
import type { AgentState, RobotState } from "../api/schemas";

/** In the order of the numbers in `AgentState`. */
export const AGENT_STATES = ["starting", "ready", "thinking", "waiting for you", "ready, last turn failed", "off"];

/** Number of "ready" in `AGENT_STATES`. */
export const READY = 1;

/** In the order of the numbers in `RobotState`. */
export const ACTIVITIES = ["idle", "moving", "following", "holding", "stopped"];

export const robotState = signal<RobotState | null>(null);
const GRAVITY_COMPENSATION = 2;

/** Whether the head of the drawn robot can be dragged: the robot is simulated, and its motors are free. */
export const leadable = computed(() => {
  const state = robotState.value;
  return state !== null && state.simulated && state.motor_mode === GRAVITY_COMPENSATION;
});

export const agentState = signal<AgentState | null>(null);

/** Names of the nodes that work, but not completely. Each states the reason in the Health view. */
export const degradedNodes = signal<string[]>([]);

/** Returns the text of the agent's badge. An agent that is ready cannot do everything while a node is degraded. */
export function agentText(state: number, degraded: string[]): string {
  const text = AGENT_STATES[state]!;
  if (state !== READY || !degraded.length) return text;
  return `${text}, ${degraded.length === 1 ? "1 node is" : `${degraded.length} nodes are`} degraded`;
}

on("state", (data) => (robotState.value = data));
on("agent", (data) => (agentState.value = data));
on("alive", (data) => (degradedNodes.value = data.degraded));
