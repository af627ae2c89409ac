/** The stored conversation, and turns of other clients: the command line, the microphone, another page. */

import { effect, signal } from "@preact/signals";
import { on } from "../api/events";
import { get } from "../api/http";
import type { Reply, SessionList, StoredConversation, StoredMessage, TurnDetail } from "../api/schemas";
import { agentState } from "../shell/robot_state";
import { serverNow } from "../shell/server_clock";
import { type Line, type ToolStep, addLine, lineOf, lines } from "./conversation";

/** Most messages of a stored conversation to show, from its end. */
const MOST_MESSAGES = 200;
/** ms between two requests for the stored conversation, while they fail. */
const PAUSE = 2_000;

/** Whether the stored conversation is being fetched. */
export const loading = signal(false);

/** Whether the stored conversation has messages before the first shown one. */
export const shortened = signal(false);

let shown = "";

effect(() => {
  const session = agentState.value?.session_id;
  if (session && session !== shown) void show(session);
});

on("reply", (reply) => {
  if (reply.is_final && reply.text && reply.session_id === shown) void join(reply);
});

/** Shows the messages of a conversation, before those of this page if it is the first. */
async function show(session: string): Promise<void> {
  if (shown) lines.value = [];
  shown = session;
  loading.value = true;
  const since = serverNow();
  const stored = await storedMessages(session);
  if (shown !== session) return; // another one was resumed since
  // The turns since then have their lines already.
  const messages = lines.value.length ? stored.filter(({ timestamp }) => (timestamp ?? 0) < since) : stored;
  shortened.value = messages.length > MOST_MESSAGES;
  lines.value = [...linesOf(messages.slice(-MOST_MESSAGES)), ...lines.value];
  loading.value = false;
}

/** The messages of a conversation; none if it is new. Asks again while the agent does not answer. */
async function storedMessages(session: string): Promise<StoredMessage[]> {
  while (shown === session) {
    try {
      const { sessions } = await get<SessionList>("/sessions");
      if (!sessions.some((one) => one.session_id === session)) return [];
      return (await get<StoredConversation>(`/session/${encodeURIComponent(session)}/history`)).messages;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  return [];
}

/** Adds a turn of another client. */
async function join(reply: Reply): Promise<void> {
  const own = () => lines.value.some((line) => line.turn === reply.turn_id);
  if (own()) return;
  // An announcement belongs to no recorded turn.
  const recorded = reply.agent !== "announcer";
  const turn = recorded ? await get<TurnDetail>(`/traces/${reply.turn_id}`).catch(() => null) : null;
  if (own()) return; // its line on this page has received the id since
  if (turn?.heard) addLine({ who: "person", text: turn.heard });
  addLine({ who: "robot", text: reply.text, turn: reply.turn_id });
}

/** Stored messages as lines: the tool calls of an answer belong to its line. */
export function linesOf(messages: StoredMessage[]): Line[] {
  const found: Line[] = [];
  let tools: ToolStep[] = [];
  for (const { role, content } of messages) {
    if (role === "tool") tools = withStep(tools, content);
    else {
      const who = role === "user" ? "person" : "robot";
      found.push(lineOf({ who, text: content, tools: who === "robot" ? tools : [] }));
      tools = [];
    }
  }
  return found;
}

/** Adds a call, or the result of the oldest call that has none. */
function withStep(tools: ToolStep[], content: string): ToolStep[] {
  if (content.startsWith("-> ")) {
    const at = tools.findIndex((tool) => tool.result === null);
    return tools.map((tool, index) => (index === at ? { ...tool, result: content.slice(3) } : tool));
  }
  const space = content.indexOf(" ");
  const name = space < 0 ? content : content.slice(0, space);
  return [...tools, { name, arguments: content.slice(name.length + 1), result: null, began: 0, took: null }];
}
