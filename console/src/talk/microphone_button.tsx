/** Button to speak: hold it, or press it once to start and once to stop. */

import { Mic } from "lucide-preact";
import { useRef } from "preact/hooks";
import { recording, startSpeaking, stopSpeaking } from "./voice";

/** ms; a shorter press starts a recording that the next press ends. */
const HELD = 400;

export function MicrophoneButton() {
  const pressed = useRef(0);
  const begin = () => {
    if (recording.value) return;
    pressed.current = performance.now();
    void startSpeaking();
  };
  const end = () => {
    if (pressed.current && performance.now() - pressed.current > HELD) stopSpeaking();
  };
  const click = (event: MouseEvent) => {
    const justBegan = event.detail > 0 && performance.now() - pressed.current < HELD;
    if (recording.value && !justBegan) stopSpeaking();
    else if (event.detail === 0) begin(); // from the keyboard
  };
  return (
    <button
      type="button"
      class={recording.value ? "microphone recording" : "microphone"}
      aria-pressed={recording.value}
      aria-label={recording.value ? "Stop speaking" : "Speak: hold, or press once"}
      title="Speak: hold, or press once"
      onPointerDown={begin}
      onPointerUp={end}
      onPointerLeave={end}
      onClick={click}
    >
      <Mic aria-hidden="true" size={20} />
    </button>
  );
}
