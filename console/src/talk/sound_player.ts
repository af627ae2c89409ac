/** Plays chunks of sound without gaps. */

export class SoundPlayer {
  private readonly context = new AudioContext();
  private readonly playing = new Set<AudioBufferSourceNode>();
  private until = 0;

  /** Plays samples after the previous ones. */
  play(samples: Float32Array<ArrayBuffer>, rate: number): void {
    if (!samples.length) return;
    const buffer = this.context.createBuffer(1, samples.length, rate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(this.context, { buffer });
    source.connect(this.context.destination);
    this.until = Math.max(this.until, this.context.currentTime);
    source.start(this.until);
    this.until += buffer.duration;
    this.playing.add(source);
    source.onended = () => this.playing.delete(source);
  }

  /** Stops and drops the samples that are still queued. */
  drop(): void {
    this.playing.forEach((source) => source.stop());
    this.until = 0;
  }

  close(): void {
    void this.context.close();
  }
}

/** 16-bit samples in base64, as numbers from -1 to 1. */
export function samplesOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const words = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, at) => words.getInt16(2 * at, true) / 32768);
}
