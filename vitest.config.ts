import { defineConfig } from "vitest/config";

const slow = { testTimeout: 60_000, hookTimeout: 60_000 };
const runtime = (name: string) => ({
  test: { ...slow, name, include: [`test/**/*.${name}.test.ts`] },
});

/** `node` holds everything that needs one runtime only; each other project runs the shared contracts. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...slow,
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.deno.test.ts", "test/**/*.bun.test.ts", "node_modules/**"],
        },
      },
      runtime("deno"),
      runtime("bun"),
    ],
  },
});
