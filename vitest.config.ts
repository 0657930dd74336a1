import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";

const slow = { testTimeout: 60_000, hookTimeout: 60_000 };
const runtime = (name: string): TestProjectInlineConfiguration => ({
  test: { ...slow, name, include: [`test/**/*.${name}.test.ts`] },
});

/** `node` holds everything that needs one runtime only; each other project runs the shared contracts. */
const config: ViteUserConfig = {
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
};

export default config;
