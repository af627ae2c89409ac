import { expect, test } from "vitest";
import { MultipartReader } from "./multipart";

const STREAM = new TextEncoder().encode(
  ["first", "second, longer"]
    .map(
      (body, at) =>
        `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${body.length}\r\nX-Timestamp: ${at}\r\n\r\n${body}\r\n`,
    )
    .join(""),
);

test.each([1, 7, 64, 1000])("joins parts from chunks of %d bytes", (size) => {
  const reader = new MultipartReader();
  const found: string[] = [];
  for (let at = 0; at < STREAM.length; at += size) {
    for (const part of reader.take(STREAM.slice(at, at + size))) {
      found.push(`${part.headers.get("x-timestamp")} ${new TextDecoder().decode(part.body)}`);
    }
  }
  expect(found).toEqual(["0 first", "1 second, longer"]);
});

test("rejects a picture without its length", () => {
  const bytes = new TextEncoder().encode("--frame\r\nContent-Type: image/jpeg\r\n\r\nx");
  expect(() => new MultipartReader().take(bytes)).toThrow("length");
});
