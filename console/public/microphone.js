// Runs in the audio thread: makes 40 ms pieces of 16-bit samples of what the microphone hears.
"use strict";

const PIECE = 640;

registerProcessor(
  "microphone",
  class extends AudioWorkletProcessor {
    samples = new Int16Array(PIECE);
    filled = 0;

    process([[heard]]) {
      for (const value of heard ?? []) {
        this.samples[this.filled++] = Math.max(-1, Math.min(1, value)) * 32767;
        if (this.filled < PIECE) continue;
        this.port.postMessage(this.samples.buffer, [this.samples.buffer]);
        this.samples = new Int16Array(PIECE);
        this.filled = 0;
      }
      return true;
    }
  },
);
