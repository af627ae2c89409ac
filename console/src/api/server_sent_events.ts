/** Server-sent events of a POST request, which the browser's EventSource does not support. */

export interface ServerSentEvent {
  event: string;
  data: unknown;
}

export async function* serverSentEvents(answer: Response): AsyncGenerator<ServerSentEvent> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const found = parsed(block);
      if (found) yield found;
    }
  }
}

/** One event; null for a comment that only keeps the connection open. */
export function parsed(block: string): ServerSentEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}
