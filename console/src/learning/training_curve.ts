/** Progress of the training since the page was opened. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import { type Course, followed } from "./training_course";

export const course = signal<Course>({ skill: "", points: [] });

on("training", (progress) => (course.value = followed(course.value, progress)));
