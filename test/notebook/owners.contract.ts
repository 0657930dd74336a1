import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
import { endlessCells, startCountingServer } from "../support/endless-cells.ts";
import { makeFolder } from "../support/folders.ts";
import { RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

const LIMIT = 0.4;
/** Cells that wait two seconds in all. */
const WAITING = Array<string>(8).fill("await new Promise((done) => setTimeout(done, 250))");

/** What a cell of a run began ends with it. */
function describeOwners(runtime: RuntimeName): void {
  describe(`what cells started in restlab run on ${runtime}`, () => {
    test("sends nothing after --timeout; what another cell started continues", async () => {
      const server = await startCountingServer();
      try {
        // The contract of sessions ends each of these cells; here a third of them meets the time limit of a run.
        const cells = endlessCells(server.base).filter((_, index) => index % 3 === 0);
        const other = `const timer = setInterval(() => client.send("GET ${server.base}/other").catch(() => 0), 100)`;
        const sources = [
          other,
          ...cells.map(([, code]) => code),
          ...[WAITING[0] ?? "", `GET ${server.base}/mark`],
          ...WAITING,
          "clearInterval(timer)",
        ];
        const cwd = makeFolder("owners");
        writeFileSync(join(cwd, "cells.ipynb"), notebook(...sources));
        const paths = [...cells.map(([path]) => path), "/other"];
        const marked = server.seen("/mark", 1).then(() => paths.map((path) => server.count(path)));
        const given = ["run", "-k", "--timeout", String(LIMIT), "cells.ipynb"];
        const { stderr } = await restlab(runtime, given, { cwd });
        expect(stderr).toContain(`${sources.length} cells run, ${cells.length} failed`);
        const before = await marked;
        const more = paths.filter((path, index) => server.count(path) !== before[index]);
        expect(more).toEqual(["/other"]);
        for (const [path] of cells) expect([path, server.count(path) > 0]).toEqual([path, true]);
      } finally {
        server.close();
      }
    });
  });
}

describeOwners(RUNTIME);
