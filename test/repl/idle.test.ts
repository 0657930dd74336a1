import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, describe, test } from "vitest";
import { startKernel } from "../jupyter/kernel-process.ts";
import { endTerminals, makeFolder, openRestlab, removeFolders } from "./terminal.ts";

afterEach(endTerminals);
afterAll(removeFolders);

/** Resolves when the compiler has been loaded, and its code been cached, for which a cell was compiled. */
async function codeIn(folder: string): Promise<void> {
  while (!existsSync(join(folder, "restlab/compiled"))) await setTimeout(50);
}

// Where the runtime caches by itself nothing shows that the compiler is loaded.
describe.skipIf(!process.version.startsWith("v20."))(
  "TypeScript is loaded before it is asked for",
  () => {
    test("by a prompt at which nobody types", async () => {
      const folder = makeFolder();
      const { prompts } = openRestlab("node", [], { env: { XDG_CACHE_HOME: folder } });
      await prompts();
      await codeIn(folder);
    });

    test("by a kernel that has no cell to run", async () => {
      const folder = makeFolder();
      const kernel = await startKernel("node", { history: folder, cache: folder });
      try {
        await codeIn(folder);
      } finally {
        await kernel.dispose();
      }
    });
  },
);
