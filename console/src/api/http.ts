/** Requests to the gateway: JSON in, JSON out, failures as problem documents. */

import { signal } from "@preact/signals";
import type { ProblemDocument } from "./schemas";

/** A failure that the gateway reported, or a failure to reach it (status 0). */
export class Problem extends Error {
  constructor(readonly document: ProblemDocument) {
    super(document.detail);
  }
}

const PREFIX = "/api/v1";
const KEY = "reachy.token";

/** Whether the gateway requires a token that the page does not have. */
export const tokenWanted = signal(false);

export function token(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

/** Keeps a token for this tab, or on this machine. */
export function keepToken(value: string, lasting: boolean): void {
  forgetToken();
  (lasting ? localStorage : sessionStorage).setItem(KEY, value);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** Makes a request; `what` is a path below the API's prefix. */
export async function request(method: string, what: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  const known = token();
  if (known) headers.Authorization = `Bearer ${known}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options: RequestInit = { method, headers };
  if (body !== undefined) options.body = JSON.stringify(body);
  if (signal) options.signal = signal;
  const answer = await fetch(PREFIX + what, options).catch((error: unknown) => {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw new Problem({ title: "Unreachable", status: 0, detail: "The gateway does not answer.", code: "UNREACHABLE" });
  });
  if (answer.status === 401) tokenWanted.value = true;
  if (!answer.ok) throw new Problem(await problemOf(answer));
  return answer;
}

export async function get<T>(what: string, signal?: AbortSignal): Promise<T> {
  return (await request("GET", what, undefined, signal)).json() as Promise<T>;
}

export async function post<T>(what: string, body: unknown = {}): Promise<T> {
  return (await request("POST", what, body)).json() as Promise<T>;
}

/** Checks whether the gateway requires a token, for requests that do not report it. */
export async function checkToken(): Promise<void> {
  await get("/state").catch(() => undefined);
}

async function problemOf(answer: Response): Promise<ProblemDocument> {
  const fallback = { title: answer.statusText, status: answer.status, detail: answer.statusText, code: "INTERNAL" };
  return answer.json().then(
    (found: ProblemDocument) => found,
    () => fallback,
  );
}
