/** Voice connection: sends this machine's microphone to the robot and plays the robot's voice on its loudspeaker. */

import { signal } from "@preact/signals";
import { token } from "../api/http";
import type { VoiceEnd, VoiceMessage } from "../api/schemas";
import { type Line, addLine, changeLine } from "./conversation";
import { SoundPlayer, samplesOf } from "./sound_player";

const RATE = 16_000;

/** Whether this machine's microphone is open. */
export const recording = signal(false);
export const voiceProblem = signal("");

/** Transcript so far of the current sentence. */
export const heard = signal("");

interface Session {
  socket: WebSocket;
  player: SoundPlayer;
}

interface Capture {
  context: AudioContext;
  stream: MediaStream;
}

let session: Session | null = null;
let connecting: Promise<Session> | null = null;
let capture: Capture | null = null;
/** Number of recordings so far. A microphone that opens after its recording has ended is closed again. */
let beginnings = 0;
let reply = 0;

/** Starts a recording. */
export async function startSpeaking(): Promise<void> {
  voiceProblem.value = obstacle();
  if (voiceProblem.value || recording.value) return;
  recording.value = true;
  const mine = ++beginnings;
  try {
    const { socket, player } = (session ??= await (connecting ??= connected()));
    player.drop(); // speaking interrupts the robot
    const wanted = () => recording.value && mine === beginnings;
    const found = await opened((samples) => socket.readyState === WebSocket.OPEN && socket.send(samples));
    if (wanted()) capture = found;
    else close(found); // released before the microphone was open
  } catch (error) {
    if (mine !== beginnings) return;
    voiceProblem.value = explained(error as Error);
    stopSpeaking();
  }
}

/** Ends the recording. */
export function stopSpeaking(): void {
  recording.value = false;
  release();
  if (session?.socket.readyState === WebSocket.OPEN)
    session.socket.send(JSON.stringify({ type: "end" } satisfies VoiceEnd));
}

function release(): void {
  if (capture) close(capture);
  capture = null;
}

function close({ context, stream }: Capture): void {
  stream.getTracks().forEach((track) => track.stop());
  void context.close();
}

function obstacle(): string {
  if (window.isSecureContext && "mediaDevices" in navigator) return "";
  return "Browsers give a page the microphone only over https or on localhost. You can type instead.";
}

function explained(error: Error): string {
  if (error.name === "NotAllowedError") return "The browser does not let this page use the microphone.";
  if (error.name === "NotFoundError") return "This machine has no microphone.";
  return error.message;
}

async function opened(take: (samples: ArrayBuffer) => void): Promise<Capture> {
  const plain = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: plain });
  const context = new AudioContext({ sampleRate: RATE });
  await context.audioWorklet.addModule("/microphone.js").catch((error: unknown) => {
    close({ context, stream });
    throw error;
  });
  const node = new AudioWorkletNode(context, "microphone", { channelCount: 1, channelCountMode: "explicit" });
  node.port.onmessage = (message) => take(message.data as ArrayBuffer);
  context.createMediaStreamSource(stream).connect(node);
  return { context, stream };
}

function connected(): Promise<Session> {
  const secret = token();
  const protocols = secret ? ["reachy.v1", `bearer.${secret}`] : ["reachy.v1"];
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/api/v1/ws/voice`, protocols);
  const player = new SoundPlayer();
  socket.onmessage = (message) => take(JSON.parse(message.data as string) as VoiceMessage, player);
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve({ socket, player });
    socket.onclose = () => {
      reject(new Error("Cannot connect to the robot's speech recognition."));
      player.close();
      session = connecting = null;
      stopSpeaking();
    };
  });
}

/** The open line of a spoken sentence with more of its reply. Replies to other clients are sent here as well. */
function answered(line: Line, { data, final, turn_id: turn }: Extract<VoiceMessage, { type: "response" }>): Line {
  if (!line.open || (line.turn && line.turn !== turn)) return line;
  return { ...line, turn, open: !final, text: final ? data || line.text : `${line.text} ${data}`.trim() };
}

function take(message: VoiceMessage, player: SoundPlayer): void {
  switch (message.type) {
    case "transcription":
      heard.value = message.final ? "" : message.data;
      if (message.final && message.rejected) voiceProblem.value = `Not understood: ${message.rejected}`;
      else if (message.final && message.data) {
        addLine({ who: "person", text: message.data });
        reply = addLine({ who: "robot", open: true });
      }
      break;
    case "response":
      changeLine(reply, (line) => answered(line, message));
      break;
    case "audio":
      player.play(samplesOf(message.data), message.sample_rate);
      break;
    case "interrupted":
      player.drop();
      break;
    case "problem":
      voiceProblem.value = message.data;
      break;
  }
}
