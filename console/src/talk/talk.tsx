/** Talking with the robot in writing, and seeing what it does meanwhile. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type Line, type ToolStep, lines, running, say } from "./conversation";
import "./talk.css";

export function Talk() {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [lines.value]);
  return (
    <section class="talk" aria-label="Conversation">
      <div class="lines" role="log" aria-live="polite">
        {lines.value.length === 0 && <p class="hint">Say something: “look left”, “nod”, “what do you see?”</p>}
        {lines.value.map((line) => (
          <Said key={line.id} line={line} />
        ))}
        <div ref={end} />
      </div>
      <Composer />
    </section>
  );
}

function Said({ line }: { line: Line }) {
  return (
    <article class={`line ${line.who}`} aria-busy={line.open}>
      {line.tools.map((tool, index) => (
        <Tool key={index} tool={tool} />
      ))}
      {line.text && <p>{line.text}</p>}
      {line.note && <p class="note">{line.note}</p>}
      {line.open && !line.text && !line.note && <p class="note">…</p>}
    </article>
  );
}

function Tool({ tool }: { tool: ToolStep }) {
  return (
    <details class="tool">
      <summary>
        <code>{tool.name}</code> {tool.took === null ? "runs" : `${(tool.took / 1000).toFixed(1)} s`}
      </summary>
      <pre>{tool.arguments}</pre>
      {tool.result && <pre>{tool.result}</pre>}
    </details>
  );
}

function Composer() {
  const [text, setText] = useState("");
  const [aloud, setAloud] = useState(true);
  const send = (event: Event) => {
    event.preventDefault();
    if (!text.trim() || running.value) return;
    void say(text.trim(), aloud);
    setText("");
  };
  return (
    <form class="composer" onSubmit={send}>
      <input
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        placeholder="Say something to the robot"
        aria-label="Message"
        autocomplete="off"
        maxLength={10000}
      />
      <label class="aloud">
        <input type="checkbox" checked={aloud} onChange={(event) => setAloud(event.currentTarget.checked)} /> aloud
      </label>
      {running.value ? (
        <button type="button" onClick={() => running.value?.abort()}>
          Cancel
        </button>
      ) : (
        <button type="submit" class="primary">
          Send
        </button>
      )}
    </form>
  );
}
