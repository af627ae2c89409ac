import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import preact from "@preact/preset-vite";
import { Resvg } from "@resvg/resvg-js";
import { type Plugin, defineConfig } from "vite";

const PAGE = "../reachy_agent_ros/gateway/page";

/** Writes what is worth it compressed beside itself, so that the gateway never compresses. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const entry of readdirSync(PAGE, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(html|js|css|svg|json|webmanifest|glb)$/.test(path)) continue;
        const content = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(content));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Draws the icon in the sizes that installing wants. */
function icons(): Plugin {
  return {
    name: "icons",
    apply: "build",
    closeBundle() {
      const icon = readFileSync("public/icon.svg", "utf8");
      for (const size of [192, 512]) {
        const drawn = new Resvg(icon, { fitTo: { mode: "width", value: size } }).render();
        writeFileSync(join(PAGE, `icon-${size}.png`), drawn.asPng());
      }
    },
  };
}

/** The built page lies in the Python package, from which the gateway serves it. */
export default defineConfig({
  plugins: [preact(), icons(), compressed()],
  build: { outDir: PAGE, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 800 },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8042", ws: true } } },
});
