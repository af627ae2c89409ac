/** How a training goes, from what the trainer says while the page is open. */

import { signal } from "@preact/signals";
import { on } from "../api/events";
import { type Course, followed } from "./training_course";

export const course = signal<Course>({ skill: "", points: [] });

on("training", (progress) => (course.value = followed(course.value, progress)));
