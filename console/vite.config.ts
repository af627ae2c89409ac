import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import preact from "@preact/preset-vite";
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

/** The built page lies in the Python package, from which the gateway serves it. */
export default defineConfig({
  plugins: [preact(), compressed()],
  build: { outDir: PAGE, emptyOutDir: true, target: "es2022" },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8042", ws: true } } },
});
