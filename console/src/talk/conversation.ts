/** The lines of the conversation, and sending a message. */

import { signal } from "@preact/signals";
import { Problem, request } from "../api/http";
import type { ChatEvent, ChatRequest } from "../api/schemas";
import { serverSentEvents } from "../api/server_sent_events";
import { agentState } from "../shell/robot_state";

export interface ToolStep {
  name: string;
  arguments: string;
  result: string | null;
  began: number;
  took: number | null;
}

export interface Line {
  id: number;
  who: "person" | "robot";
  text: string;
  tools: ToolStep[];
  note: string;
  /** Cause of an error that the text reports in the robot's words. */
  cause: string;
  /** Id of the turn; empty if it is unknown, as of a stored conversation. */
  turn: string;
  open: boolean;
  /** Whether the turn waits for earlier turns. */
  queued: boolean;
}

export const lines = signal<Line[]>([]);

/** Abort controllers of this page's running turns, by the number of the line. */
export const running = signal<ReadonlyMap<number, AbortController>>(new Map());

/** Most turns of this page at once. Each keeps a connection open, of which a browser allows six for one address: the
    camera's picture, the next sentence, which may be a stop, and the stop button need one as well. */
export const MOST_TURNS = 3;

const TOO_MANY = "Not sent: too many messages wait already. Wait for an answer, or say “stop” to end them.";

let count = 0;

/** Adds a line and returns its number. */
export function addLine(line: Partial<Line> & Pick<Line, "who">): number {
  const added = lineOf(line);
  lines.value = [...lines.value, added];
  return added.id;
}

/** A line with a new number. */
export function lineOf(line: Partial<Line> & Pick<Line, "who">): Line {
  const empty = { text: "", tools: [], note: "", cause: "", turn: "", open: false, queued: false };
  return { ...empty, ...line, id: ++count };
}

export function changeLine(id: number, how: (line: Line) => Line): void {
  lines.value = lines.value.map((line) => (line.id === id ? how(line) : line));
}

/** Sends a message to the robot and shows the reply as it arrives.

    The message is sent at once, also while other turns run. The robot decides whether it is a stop, which takes effect at once,
    or waits for its turn. */
export async function say(text: string, aloud: boolean): Promise<void> {
  addLine({ who: "person", text });
  const reply = addLine({ who: "robot", open: true });
  const control = new AbortController();
  running.value = new Map(running.value).set(reply, control);
  const crowded = running.value.size > MOST_TURNS;
  try {
    const body: ChatRequest = { message: text, speak: aloud, session_id: agentState.value?.session_id ?? "" };
    const answer = await request("POST", "/chat/stream", body, control.signal);
    for await (const event of serverSentEvents(answer)) {
      if (event.event === "queued" && crowded) control.abort(TOO_MANY);
      changeLine(reply, (line) => step(line, event as ChatEvent));
    }
  } catch (error) {
    const note = error instanceof Problem ? error.message : control.signal.aborted ? ended(control) : String(error);
    changeLine(reply, (line) => ({ ...line, note }));
  } finally {
    changeLine(reply, (line) => ({ ...line, open: false, queued: false }));
    const others = new Map(running.value);
    others.delete(reply);
    running.value = others;
  }
}

function ended(control: AbortController): string {
  return typeof control.signal.reason === "string" ? control.signal.reason : "Cancelled.";
}

/** The line after one more event of its turn. */
export function step(before: Line, { event, data }: ChatEvent): Line {
  const begun = before.queued ? { ...before, queued: false, note: "" } : before;
  const line = "turn_id" in data ? { ...begun, turn: data.turn_id } : begun;
  switch (event) {
    case "queued":
      return { ...line, queued: true, note: data.text };
    case "token":
      return { ...line, text: line.text + data.text, note: "" };
    case "tool_started": {
      const { name, arguments: given } = data;
      const tool = { name, arguments: given, result: null, began: performance.now(), took: null };
      return { ...line, tools: [...line.tools, tool] };
    }
    case "tool_ended": {
      const at = line.tools.findIndex((tool) => tool.name === data.name && tool.result === null);
      const ended = (tool: ToolStep) => ({ ...tool, result: data.text, took: performance.now() - tool.began });
      return { ...line, tools: line.tools.map((tool, index) => (index === at ? ended(tool) : tool)) };
    }
    case "handoff":
      return { ...line, note: `${data.name} takes over` };
    case "waiting":
      return { ...line, note: reports(line.text, data.text) ? "" : data.text };
    case "answer":
      return { ...line, text: data.response || line.text, turn: data.trace_id, note: "" };
    case "problem":
      if (!line.text || data.code === "CANCELED") return { ...line, note: data.detail };
      return { ...line, note: "", cause: reports(line.text, data.detail) ? "" : data.detail };
    default:
      return line;
  }
}

/** Whether a reply contains an error message, which begins with a capital letter only where a sentence begins. */
function reports(reply: string, message: string): boolean {
  const words = (text: string) => text.toLowerCase().replace(/[.\s]+$/, "");
  return words(reply).includes(words(message));
}
