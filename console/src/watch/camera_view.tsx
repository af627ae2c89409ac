/** The camera picture with a box around each detection. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { on } from "../api/events";
import type { Detections } from "../api/schemas";
import { outdated } from "../shell/freshness";
import { watchCamera } from "./camera_stream";
import { caption, frameOf, inWords, placeLabels } from "./detections";

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
      {note.value || outdated.value ? (
        <p class="picture-note" role="status">
          {note.value || "No current picture: the connection is lost."}
        </p>
      ) : (
        <>
          <Boxes of={found.value} />
          <p class="picture-facts">
            {rate.value} pictures/s · sees {inWords(found.value)}
          </p>
        </>
      )}
    </div>
  );
}

function Boxes({ of: found }: { of: Detections | null }) {
  const frame = useRef<HTMLDivElement>(null);
  const { clientWidth: width, clientHeight: height } = frame.current ?? { clientWidth: 0, clientHeight: 0 };
  const places = found && width ? placeLabels(found, width, height) : [];
  return (
    <div ref={frame} class="boxes" aria-hidden="true">
      {found?.detections.map((detection, at) => (
        <span key={at} class="box" style={{ ...frameOf(detection, found) }} />
      ))}
      {places.map(
        (place, at) =>
          place && (
            <span key={`name ${at}`} class="box-name" style={{ left: `${place.left}px`, top: `${place.top}px` }}>
              {caption(found!.detections[at]!)}
            </span>
          ),
      )}
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  if (canvas.width !== picture.width) canvas.width = picture.width;
  if (canvas.height !== picture.height) canvas.height = picture.height;
  canvas.getContext("2d", { alpha: false, desynchronized: true })!.drawImage(picture, 0, 0);
}
