/** The camera picture with a box around each detection. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { on } from "../api/events";
import type { Detections } from "../api/schemas";
import { watchCamera } from "./camera_stream";
import { caption, frameOf, inWords } from "./detections";

/** s after which detections are too old for the shown picture. */
const OLD_BOXES = 2;
/** ms after which the age of the picture is shown. */
const OLD_PICTURE = 1_000;

export function CameraView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const found = useSignal<Detections | null>(null);
  const note = useSignal("The camera is starting…");
  const rate = useSignal(0);
  const size = useSignal({ width: 640, height: 480 });
  useEffect(() => {
    let pictures = 0;
    let shown = 0;
    let foundAt = 0;
    const end = watchCamera({
      onPicture: (picture) => {
        const { width, height } = picture;
        if (width !== size.value.width || height !== size.value.height) size.value = { width, height };
        draw(canvas.current!, picture);
        pictures++;
        shown = performance.now();
        note.value = "";
      },
      onFailure: (error) => (note.value = `No picture: ${error.message}`),
    });
    const forget = on("detections", (data) => {
      found.value = data;
      foundAt = performance.now();
    });
    const timer = setInterval(() => {
      rate.value = pictures;
      pictures = 0;
      const age = performance.now() - shown;
      if (shown && age > OLD_PICTURE && !note.value.startsWith("No"))
        note.value = `This picture is ${(age / 1000).toFixed(0)} s old.`;
      if (performance.now() - foundAt > 1000 * OLD_BOXES) found.value = null;
    }, 1000);
    return () => {
      end();
      forget();
      clearInterval(timer);
    };
  }, []);
  return (
    <div class="picture camera-picture" style={{ aspectRatio: `${size.value.width} / ${size.value.height}` }}>
      <canvas ref={canvas} role="img" aria-label="Picture of the robot's camera" />
      <Boxes of={found.value} />
      {note.value && (
        <p class="picture-note" role="status">
          {note.value}
        </p>
      )}
      <p class="picture-facts">
        {rate.value} pictures/s · sees {inWords(found.value)}
      </p>
    </div>
  );
}

function Boxes({ of: found }: { of: Detections | null }) {
  return (
    <div class="boxes" aria-hidden="true">
      {found?.detections.map((detection, at) => (
        <span key={at} class="box" style={{ ...frameOf(detection, found) }}>
          <span class={detection.box[1] < 30 ? "box-name inside" : "box-name"}>{caption(detection)}</span>
        </span>
      ))}
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  if (canvas.width !== picture.width) canvas.width = picture.width;
  if (canvas.height !== picture.height) canvas.height = picture.height;
  canvas.getContext("2d", { alpha: false, desynchronized: true })!.drawImage(picture, 0, 0);
}
