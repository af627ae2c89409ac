/** What happens in the graph: one socket for the whole page, which comes back by itself. */

import { signal } from "@preact/signals";
import { checkToken, token } from "./http";
import type { EventData, EventKind, GraphEvent, StreamSelection } from "./schemas";

/** Of whichever kind: the key in `handlers` says which. */
type Handler = (data: never) => void;

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/** Whether the socket is open; what was shown before goes stale when it is not. */
export const connected = signal(false);

/** When something was last heard, ms since the epoch. */
export const heardAt = signal(0);

const handlers = new Map<EventKind, Set<Handler>>();
let open: WebSocket | null = null;
let choosing = false;
let last = 0;

/** Calls a handler with the data of every event of a kind; returns how to end that. */
export function on<K extends EventKind>(kind: K, handler: (data: EventData[K]) => void): () => void {
  const known = handlers.get(kind) ?? new Set<Handler>();
  handlers.set(kind, known.add(handler));
  choose();
  return () => {
    known.delete(handler);
    choose();
  };
}

/** Tells everybody who waits for it. One of them that fails is reported, and keeps it from nobody else. */
export function deliver(event: GraphEvent): void {
  for (const handler of [...(handlers.get(event.kind) ?? [])]) {
    try {
      handler(event.data as never);
    } catch (failure) {
      reportError(failure);
    }
  }
}

/** Says which kinds are wanted: some are sent only then. */
function choose(): void {
  if (choosing) return;
  choosing = true;
  queueMicrotask(() => {
    choosing = false;
    const watch = [...handlers].filter(([, known]) => known.size).map(([kind]) => kind);
    if (open?.readyState === WebSocket.OPEN) open.send(JSON.stringify({ watch } satisfies StreamSelection));
  });
}

/** Opens the socket, and opens it again whenever it closes, for what happened since too. */
export function connect(): void {
  let pause = FIRST_PAUSE;
  const begin = () => {
    const secret = token();
    const protocols = secret ? ["reachy.v1", `bearer.${secret}`] : ["reachy.v1"];
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/events?after=${last}`, protocols);
    socket.onopen = () => {
      open = socket;
      connected.value = true;
      pause = FIRST_PAUSE;
      choose();
    };
    socket.onmessage = (message) => {
      heardAt.value = Date.now();
      const event = JSON.parse(message.data as string) as GraphEvent;
      last = event.number ?? last;
      deliver(event);
    };
    socket.onclose = () => {
      if (!connected.value) void checkToken(); // a refusal looks like any other failure here
      connected.value = false;
      setTimeout(begin, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  begin();
}
