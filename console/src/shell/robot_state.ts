/** Latest states of the robot and the agent. */

import { computed, signal } from "@preact/signals";
import { on } from "../api/events";
import type { AgentState, RobotState } from "../api/schemas";

/** In the order of the numbers in `AgentState`. */
export const AGENT_STATES = ["starting", "ready", "thinking", "waiting for you", "ready, last turn failed", "off"];

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

on("state", (data) => (robotState.value = data));
on("agent", (data) => (agentState.value = data));
