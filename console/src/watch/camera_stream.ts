/** Live pictures of the robot's camera. */

import { request } from "../api/http";
import { MultipartReader } from "./multipart";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

interface Listener {
  /** A picture. The stream owns and closes it. */
  onPicture: (picture: ImageBitmap) => void;
  onFailure: (error: Error) => void;
}

/** Fetches pictures, also after a failure, until the returned function is called. */
export function watchCamera(listener: Listener): () => void {
  const control = new AbortController();
  void keepWatching(listener, control.signal);
  return () => control.abort();
}

async function keepWatching(listener: Listener, ended: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE;
  const watching = () => !ended.aborted;
  while (watching()) {
    try {
      await watchOnce(listener.onPicture, ended, () => (pause = FIRST_PAUSE));
    } catch (error) {
      if (!watching()) return;
      listener.onFailure(error as Error);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

async function watchOnce(show: (picture: ImageBitmap) => void, ended: AbortSignal, well: () => void): Promise<void> {
  const answer = await request("GET", "/vision/stream", undefined, ended);
  const reader = answer.body!.getReader();
  const parts = new MultipartReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the camera stream ended");
    const newest = parts.take(value).at(-1);
    if (!newest) continue;
    const picture = await createImageBitmap(new Blob([newest.body], { type: "image/jpeg" }));
    well();
    if (!ended.aborted) show(picture);
    picture.close();
  }
}
