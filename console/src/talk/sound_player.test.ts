import { expect, test } from "vitest";
import { samplesOf } from "./sound_player";

test("reads signed little-endian samples", () =>
  expect([...samplesOf(btoa("\x00\x00\x00\x40\x00\x80"))]).toEqual([0, 0.5, -1]));
