/** Camera and robot next to the conversation, on wide screens. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CameraView } from "../watch/camera_view";
import { RobotView } from "../watch/robot_view";
import "../watch/watch.css";

const WIDE = matchMedia("(min-width: 64rem)");

export function SidePanel() {
  const wide = useSignal(WIDE.matches);
  useEffect(() => {
    const look = () => (wide.value = WIDE.matches);
    WIDE.addEventListener("change", look);
    return () => WIDE.removeEventListener("change", look);
  }, []);
  if (!wide.value) return null;
  return (
    <aside class="side-panel" aria-label="Robot">
      <RobotView />
      <CameraView />
    </aside>
  );
}
