/** What the body and the mind last told of themselves. */

import { signal } from "@preact/signals";
import { on } from "../api/events";

export interface RobotState {
  activity: number;
  connected: boolean;
  emergency_stopped: boolean;
  stop_reason: string;
  simulated: boolean;
  /** Of `head` in `head_base`. */
  head_pose: { orientation: { x: number; y: number; z: number; w: number } };
}

export interface AgentState {
  state: number;
  detail: string;
  agent: string;
  persona: string;
  session_id: string;
}

/** As `AgentState` numbers them. */
export const AGENT_STATES = ["starting", "ready", "thinking", "waits for you", "in trouble", "off"];

/** As `RobotState` numbers them. */
export const ACTIVITIES = ["idle", "moving", "following", "holding", "stopped"];

export const robotState = signal<RobotState | null>(null);
export const agentState = signal<AgentState | null>(null);

on("state", (data) => (robotState.value = data as RobotState));
on("agent", (data) => (agentState.value = data as AgentState));
