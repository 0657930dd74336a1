import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import {
  type CountingServer,
  endlessCells,
  rest,
  startCountingServer,
} from "../support/endless-cells.ts";
import { RUNTIME } from "../support/runtime.ts";
import { endTerminals, openRestlab, removeFolders } from "./terminal.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";

/** What an entry at the prompt began ends with it. */
function describeOwners(runtime: RuntimeName): void {
  describe(`what entries started at the prompt on ${runtime}`, () => {
    let server: CountingServer;
    // For each attempt: what an earlier one has sent must not count.
    beforeEach(async () => {
      server = await startCountingServer();
    });
    afterEach(() => {
      endTerminals();
      server.close();
    });
    afterAll(removeFolders);

    test("sends nothing after Ctrl-C; what another entry started continues", async () => {
      const lab = openRestlab(runtime, []);
      await lab.prompts();
      lab.type(
        `const timer = setInterval(() => client.send("GET ${server.base}/other").catch(() => 0), 100)${ENTER}`,
      );
      await server.seen("/other", 1);
      await lab.prompts();
      const cells = endlessCells(server.base);
      for (const [path, code] of cells) {
        lab.paste(code);
        lab.type(ENTER);
        await server.seen(path, 3);
        lab.type(CTRL_C);
        await lab.prompts();
      }
      const paths = cells.map(([path]) => path);
      expect(await rest(server, paths)).toEqual([]);
      await server.seen("/other", server.count("/other") + 3);
    });
  });
}

describeOwners(RUNTIME);
