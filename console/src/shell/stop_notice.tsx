/** Says that the robot is stopped, as the robot itself tells it, and lets it go again. */

import { computed, effect, signal } from "@preact/signals";
import { Problem, post } from "../api/http";
import { robotState } from "./robot_state";

const failure = signal("");

/** Undefined before the robot has told it. */
const stopped = computed(() => robotState.value?.emergency_stopped);

// The button says how it is, whoever stopped the robot or let it go.
effect(() => {
  if (stopped.value !== undefined)
    document.dispatchEvent(new Event(stopped.value ? "reachy:stopped" : "reachy:released"));
});

document.addEventListener("reachy:stopped", () => (failure.value = ""));
document.addEventListener("reachy:stop-failed", (event) => {
  failure.value = `The stop did not reach the robot: ${(event as CustomEvent<string>).detail}`;
});

async function release() {
  try {
    await post("/stop/reset");
  } catch (error) {
    failure.value = error instanceof Problem ? error.message : String(error);
  }
}

export function StopNotice() {
  const state = robotState.value;
  if (!failure.value && !state?.emergency_stopped) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{failure.value || `The robot is stopped: ${state!.stop_reason}.`}</p>
      {state?.emergency_stopped && (
        <button type="button" onClick={release}>
          Let it move again
        </button>
      )}
    </div>
  );
}
