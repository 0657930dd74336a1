import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { currentPlatform } from "../../kernel/platform/mod.ts";
import { createSession } from "../../kernel/session/mod.ts";

test("whether the first TypeScript cell is complete is told by the parser, without any types", async () => {
  const session = await createSession({ platform: currentPlatform() });
  try {
    expect((await session.isComplete("function first() {")).status).toBe("incomplete");
    expect((await session.isComplete("function first() {}")).status).toBe("complete");
    const { cache } = createRequire(import.meta.url);
    const loaded = Object.keys(cache).filter((path) => path.includes("/node_modules/typescript/"));
    expect(loaded).not.toEqual([]);
    expect(session.isWarm).toBe(false);
  } finally {
    await session.close();
  }
});
