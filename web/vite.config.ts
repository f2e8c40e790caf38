/** What is built and where: the page, the boards alone, and an example page for each board. */
import { defineConfig } from "vitest/config";

const BOARDS = ["tictactoe-board", "go-board", "chinese-checkers-board"];

export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/parlour/gateways/web/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // The server's content policy allows no data: scripts and no inline styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // A board is imported by pages that are not ours: its element must be registered there.
      preserveEntrySignatures: "strict",
      input: {
        index: "index.html",
        "examples/tictactoe": "examples/tictactoe.html",
        "examples/go": "examples/go.html",
        "examples/chinese-checkers": "examples/chinese-checkers.html",
        ...Object.fromEntries(BOARDS.map((name) => [name, `src/boards/${name}.ts`])),
      },
      output: {
        // Other pages name these files, so their names do not change with their contents.
        entryFileNames: ({ name }) =>
          BOARDS.includes(name) ? "boards/[name].js" : "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  // For `npm run dev`: the page comes from here, everything else from a server that runs.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"] },
});
