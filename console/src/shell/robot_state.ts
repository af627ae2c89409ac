/** What the body and the mind last told of themselves. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import type { AgentState, RobotState } from "../api/schemas";

/** As `AgentState` numbers them. */
export const AGENT_STATES = ["starting", "ready", "thinking", "waits for you", "in trouble", "off"];

/** As `RobotState` numbers them. */
export const ACTIVITIES = ["idle", "moving", "following", "holding", "stopped"];

export const robotState = signal<RobotState | null>(null);
export const agentState = signal<AgentState | null>(null);

on("state", (data) => (robotState.value = data));
on("agent", (data) => (agentState.value = data));
