/** What became of judgements since the page was opened, by the judgement. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import type { Lesson } from "./judgement";

export const lessons = signal<ReadonlyMap<string, Lesson>>(new Map());

on("lesson", (data) => {
  const lesson = data as Lesson;
  lessons.value = new Map(lessons.value).set(lesson.feedback_id, lesson);
});
