// The stop works without the rest of the page: it is loaded first, and needs neither the bundle nor the event socket.
"use strict";

(() => {
  const button = document.getElementById("stop");
  const label = button.querySelector("span");
  const token = () => sessionStorage.getItem("reachy.token") ?? localStorage.getItem("reachy.token");

  async function stop() {
    label.textContent = "Stopping";
    const headers = token() ? { Authorization: `Bearer ${token()}` } : {};
    try {
      const answer = await fetch("/api/v1/stop", { method: "POST", headers, keepalive: true });
      if (!answer.ok) throw new Error((await answer.json()).detail);
      document.dispatchEvent(new CustomEvent("reachy:stopped", { detail: await answer.json() }));
    } catch (error) {
      label.textContent = "Not stopped!";
      document.dispatchEvent(new CustomEvent("reachy:stop-failed", { detail: String(error.message ?? error) }));
    }
  }

  button.addEventListener("click", stop);
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.shiftKey && event.code === "Space" && !event.repeat) {
        event.preventDefault();
        stop();
      }
    },
    true,
  );
  document.addEventListener("reachy:stopped", () => (label.textContent = "Stopped"));
  document.addEventListener("reachy:released", () => (label.textContent = "Stop"));
})();
