// The build: one HTML file and flat hashed files beside it, the same bytes every time.
import { defineConfig } from "vite";
import { workers } from "./workers.js";

const SERVER = process.env["METERHOUSE"] ?? "http://127.0.0.1:8080";

const BASE = "/built/";

export default defineConfig({
  base: BASE,
  plugins: [workers(["keypad", "floor"], BASE)],
  // The server's Content-Security-Policy admits no data: URLs, so nothing is inlined.
  build: {
    outDir: "../page/built",
    emptyOutDir: true,
    assetsDir: "",
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    target: "chrome109",
    rollupOptions: {
      input: ["sign.html", "floor.html", "keypad.html", "office.html", "front.html"],
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/v1": { target: SERVER, ws: true } } },
  // Properties over many seeds: how long they take says nothing.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
} as Parameters<typeof defineConfig>[0]);
