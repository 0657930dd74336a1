import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";
import { type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

const LOGIN = `@user = ada

# @name login
POST {{base}}/login

###
@bearer = Bearer {{login.token}}
`;

const CELLS = [
  "# @import ./parts/login.http",
  "# @ref login\nGET {{base}}/me/{{user}}\nAuthorization: {{bearer}}",
  `const { readFileSync, writeFileSync } = await import("node:fs");
const text = readFileSync("notes/parts/login.http", "utf8");
writeFileSync("notes/parts/login.http", text.replace("ada", "grace"));`,
  "# @import ./parts/login.http\n# @forceRef login\nGET {{base}}/me/{{user}}",
];

/** Imports of notebook cells and of entries at the prompt. */
function describeImports(runtime: RuntimeName): void {
  describe(`imports under ${runtime}`, () => {
    let folder: string;
    let server: Recorder;
    beforeAll(async () => {
      server = await startRecorder({ "/login": { json: { token: "t-0ken-of-ada" } } });
      folder = mkdtempSync(join(tmpdir(), "restlab-imports-"));
      mkdirSync(join(folder, "notes/parts"), { recursive: true });
      writeFileSync(join(folder, "notes/parts/login.http"), LOGIN);
      writeFileSync(join(folder, "notes/cells.ipynb"), notebook(...CELLS));
    });
    afterAll(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });
    const seen = (): readonly string[] => server.received.map(({ target }) => target);

    test("a cell imports relative to its notebook, and what the file says now", async () => {
      const base = `base=http://${server.host}`;
      const checked = await restlab(runtime, ["check", "notes/cells.ipynb", "--var", base], {
        cwd: folder,
      });
      expect(checked.stdout + checked.stderr).toBe("No faults in 1 file\n");
      const ended = await restlab(runtime, ["run", "notes/cells.ipynb", "--var", base], {
        cwd: folder,
      });
      expect(ended.stderr).toContain("4 cells run");
      expect(seen()).toEqual(["/login", "/me/ada", "/login", "/me/grace"]);
      expect(server.received[1]?.headers["authorization"]).toBe("Bearer t-0ken-of-ada");
    });

    test("an entry at the prompt imports relative to the working folder", async () => {
      const before = seen().length;
      const text = `@base = http://${server.host}\n# @import parts/login.http\n# @ref login\nGET {{base}}/prompt`;
      const ended = await restlab(runtime, ["-e", text], { cwd: join(folder, "notes") });
      expect(ended.status, ended.stderr).toBe(0);
      expect(seen().slice(before)).toEqual(["/login", "/prompt"]);
    });
  });
}

describeImports(RUNTIME);
