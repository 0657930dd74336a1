import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { Contract } from "./lab.ts";

function isCompilerLoaded(): boolean {
  const { cache } = createRequire(import.meta.url);
  return Object.keys(cache).some((path) => path.includes("/node_modules/typescript/"));
}

/** In a process of its own: what is loaded stays. */
export const start: Contract = {
  "request cells do not load TypeScript": async ({ base, session, ok }) => {
    await ok(`GET ${base}/first`);
    await ok("# nothing");
    await session.isComplete("GET /users");
    await session.complete("GET /users", 3);
    assert.equal(isCompilerLoaded(), false);
    await ok("1");
    assert.equal(isCompilerLoaded(), true);
  },
  "a session can be opened again, and two at the same time": async ({ session, ok }) => {
    await ok("const mine = 1");
    await session.reset();
    assert.equal((await ok("const mine = 2\nmine")).value, 2);
  },
};
