/** 3D view of the robot's current pose, from any direction. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Quaternion } from "three";
import { on } from "../api/events";
import { outdated } from "../shell/freshness";
import { leadable } from "../shell/robot_state";
import type { RobotScene } from "./robot_scene";

const TURN = 0.2;

export function RobotView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<RobotScene | null>(null);
  const [note, setNote] = useState("The model is loading…");
  const [problem, setProblem] = useState("");
  const [pose, setPose] = useState("The robot. Its pose is unknown so far.");
  useEffect(() => {
    let open = true;
    let end: () => void = () => undefined;
    const start = async () => {
      const { RobotScene, loadModel } = await import("./robot_scene");
      const model = await loadModel();
      if (!open) return;
      const made = new RobotScene(canvas.current!, model, (error) => setProblem(error.message));
      const unsubscribe = on("pose", (data) => {
        made.take(data.joints);
        setPose(described(made.head));
      });
      scene.current = made;
      end = () => {
        unsubscribe();
        made.close();
      };
      setNote("");
    };
    start().catch((error: unknown) => setNote(`The robot cannot be shown: ${(error as Error).message}`));
    return () => {
      open = false;
      end();
    };
  }, []);
  const turn = (event: KeyboardEvent) => {
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-TURN, 0],
      ArrowRight: [TURN, 0],
      ArrowUp: [0, TURN],
      ArrowDown: [0, -TURN],
    };
    const found = turns[event.key];
    if (!found) return;
    event.preventDefault();
    scene.current?.turn(...found);
  };
  return (
    <div class="picture robot-picture">
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={pose} onKeyDown={turn} />
      {leadable.value && !note && <p class="picture-facts">{problem || "Drag the head to show a movement."}</p>}
      {(note || outdated.value) && (
        <p class="picture-note" role="status">
          {note || "This pose is old: the connection is lost."}
        </p>
      )}
    </div>
  );
}

/** Description of the head's pose for screen readers. */
function described({ x, y, z, w }: Quaternion): string {
  const yaw = degrees(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)));
  const pitch = degrees(Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))));
  const aside = yaw === 0 ? "straight ahead" : `${Math.abs(yaw)} degrees to the ${yaw > 0 ? "left" : "right"}`;
  const level = pitch === 0 ? "level" : `${Math.abs(pitch)} degrees ${pitch > 0 ? "down" : "up"}`;
  return `The robot. Its head looks ${aside}, ${level}. The arrow keys turn the view.`;
}

function degrees(angle: number): number {
  return Math.round((angle * 180) / Math.PI / 5) * 5;
}
