/** Conversation with the robot, with its tool calls. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ApprovalDock } from "../approvals/approval_dock";
import { plainName } from "../components/plain_name";
import { aloud as usuallyAloud } from "../settings/preferences";
import { type Line, type ToolStep, lines, running, say } from "./conversation";
import { loading, shortened } from "./history";
import { Judgment } from "./judgment";
import { MicrophoneButton } from "./microphone_button";
import { SidePanel } from "./side_panel";
import { heard, recording, voiceProblem } from "./voice";
import "./talk.css";

export function Talk() {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [lines.value]);
  return (
    <div class="talk-view">
      <h1 class="unseen">Talk</h1>
      <section class="talk" aria-label="Conversation">
        <div class="lines" role="log" aria-live="polite" tabIndex={0} aria-label="Conversation">
          {shortened.value && <p class="soft small earlier">Earlier messages are not shown.</p>}
          {lines.value.length === 0 && !loading.value && <Beginning />}
          {lines.value.map((line) => (
            <Said key={line.id} line={line} />
          ))}
          {(recording.value || heard.value) && <p class="line person hearing">{heard.value || "…"}</p>}
          <div ref={end} />
        </div>
        <ApprovalDock />
        <Composer />
      </section>
      <SidePanel />
    </div>
  );
}

const SUGGESTIONS = ["look left", "nod", "dance", "what do you see?"];

function Beginning() {
  return (
    <div class="beginning">
      <p>Say something to the robot, or try one of these.</p>
      <div class="row">
        {SUGGESTIONS.map((text) => (
          <button key={text} type="button" onClick={() => void say(text, true)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

function Said({ line }: { line: Line }) {
  return (
    <article class={`line ${line.who}`} aria-busy={line.open}>
      {line.tools.map((tool, index) => (
        <Tool key={index} tool={tool} />
      ))}
      {line.text && <p>{line.text}</p>}
      {line.cause && (
        <details class="tool">
          <summary>Cause</summary>
          <p>{line.cause}</p>
        </details>
      )}
      {line.note && <p class="note">{line.note}</p>}
      {line.open && !line.text && !line.note && <p class="note">…</p>}
      {running.value.has(line.id) && (
        <button type="button" class="cancel" onClick={() => running.value.get(line.id)?.abort()}>
          Cancel
        </button>
      )}
      {line.who === "robot" && !line.open && line.text && line.turn && <Judgment turn={line.turn} />}
    </article>
  );
}

function Tool({ tool }: { tool: ToolStep }) {
  return (
    <details class="tool">
      <summary>
        <strong>{plainName(tool.name)}</strong> {took(tool)}
      </summary>
      <pre>{tool.arguments}</pre>
      {tool.result && <pre>{tool.result}</pre>}
    </details>
  );
}

function took(tool: ToolStep): string {
  if (tool.took !== null) return `${(tool.took / 1000).toFixed(1)} s`;
  return tool.result === null && tool.began ? "runs" : ""; // a stored step has no times
}

function Composer() {
  const [text, setText] = useState("");
  const [aloud, setAloud] = useState(usuallyAloud.value === "yes");
  const send = (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    void say(text.trim(), aloud);
    setText("");
  };
  return (
    <form class="composer" onSubmit={send}>
      {voiceProblem.value && (
        <p class="voice-problem" role="alert">
          {voiceProblem.value}
        </p>
      )}
      <MicrophoneButton />
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
      <button type="submit" class="primary">
        Send
      </button>
    </form>
  );
}
