/** Says that the robot is stopped, as the robot itself tells it, and lets it go again. */

import { signal } from "@preact/signals";
import { Problem, post } from "../api/http";
import { robotState } from "./robot_state";

const failure = signal("");

document.addEventListener("reachy:stopped", () => (failure.value = ""));
document.addEventListener("reachy:stop-failed", (event) => {
  failure.value = `The stop did not reach the robot: ${(event as CustomEvent<string>).detail}`;
});

async function release() {
  try {
    await post("/stop/reset");
    document.dispatchEvent(new Event("reachy:released"));
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
