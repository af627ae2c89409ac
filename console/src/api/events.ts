/** What happens in the graph: one socket for the whole page, which comes back by itself. */

import { signal } from "@preact/signals";
import { token } from "./http";

export interface GraphEvent {
  kind: string;
  data: Record<string, unknown>;
}

type Handler = (data: any) => void;

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/** Whether the socket is open; what was shown before goes stale when it is not. */
export const connected = signal(false);

/** When something was last heard, ms since the epoch. */
export const heardAt = signal(0);

const handlers = new Map<string, Set<Handler>>();

/** Calls a handler with the data of every event of a kind; returns how to end that. */
export function on(kind: string, handler: Handler): () => void {
  const known = handlers.get(kind) ?? new Set();
  handlers.set(kind, known.add(handler));
  return () => known.delete(handler);
}

/** Opens the socket, and opens it again whenever it closes. */
export function connect(): void {
  let pause = FIRST_PAUSE;
  const open = () => {
    const secret = token();
    const protocols = secret ? ["reachy.v1", `bearer.${secret}`] : ["reachy.v1"];
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/events`, protocols);
    socket.onopen = () => {
      connected.value = true;
      pause = FIRST_PAUSE;
    };
    socket.onmessage = (message) => {
      heardAt.value = Date.now();
      const event = JSON.parse(message.data as string) as GraphEvent;
      handlers.get(event.kind)?.forEach((handler) => handler(event.data));
    };
    socket.onclose = () => {
      connected.value = false;
      setTimeout(open, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  open();
}
