import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// One page, one script, one style sheet, with fixed names: the Python side serves them by a list.
export default defineConfig({
  plugins: [react()],
  base: "./",
  build: {
    outDir: "../page/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // What is shipped holds others' code: their licences go with it.
    license: { fileName: "licences.md" },
    chunkSizeWarningLimit: 1_200,
    modulePreload: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/page.js",
        assetFileNames: "assets/page[extname]",
        codeSplitting: false,
      },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/setup.ts"],
    restoreMocks: true,
  },
});
