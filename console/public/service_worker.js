// Keeps the page itself, so that it can be installed and opens at once; what the robot tells is never kept.
"use strict";

const KEPT = "shell";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(newest(request, "/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (["/stop.js", "/icon.svg", "/microphone.js"].includes(url.pathname))
    event.respondWith(newest(request, request));
});

// What is in assets/ never changes under its name.
async function kept(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function newest(request, name) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(name, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(name);
    if (found) return found;
    throw error;
  }
}
