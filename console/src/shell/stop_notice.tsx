/** Notice of an emergency stop, from the robot's own state, with a button to release it. */

import { computed, effect, signal } from "@preact/signals";
import { Problem, post } from "../api/http";
import { robotState } from "./robot_state";

const failure = signal("");

/** Undefined before the first state of the robot. */
const stopped = computed(() => robotState.value?.emergency_stopped);

// The stop button shows the robot's state, also if another client stopped or released it.
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
          Release the stop
        </button>
      )}
    </div>
  );
}
