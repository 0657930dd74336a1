import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHar } from "../../lib/mod.ts";
import { harFaults } from "../har/har-schema.ts";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder, openRestlab } from "./terminal.ts";

const ENTER = "\r";
const CTRL_D = "\u0004";

/** What the prompt records, and answers from a recording, on one runtime. */
function describeRecordingAtPrompt(runtime: RuntimeName): void {
  describe(`recording at the prompt on ${runtime}`, () => {
    const { url } = useDemoTerminals(runtime);

    test("--record writes what was sent at the end, and --replay answers from it", async () => {
      const cwd = makeFolder();
      const base = ["--var", `base=${url()}`];
      const lab = openRestlab(runtime, [...base, "--record", "lab.har"], { cwd });
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`(await client.send("GET {{base}}/users/2")).json.name${ENTER}`);
      await lab.shows("Alan Turing");
      await lab.prompts();
      expect(readdirSync(cwd)).toContainEqual(expect.stringMatching(/^lab\.har\..*\.part$/));
      lab.type(CTRL_D);
      expect(await lab.ended).toBe(0);
      const text = readFileSync(join(cwd, "lab.har"), "utf8");
      expect(harFaults(JSON.parse(text))).toEqual([]);
      const paths = readHar(text, "lab.har").entries.map((entry) => new URL(entry.url).pathname);
      expect(paths).toEqual(["/users/1", "/users/2"]);

      const offline = ["--var", "base=http://127.0.0.1:1", "--replay", "lab.har"];
      const again = openRestlab(runtime, offline, { cwd });
      await again.prompts();
      again.type(`GET {{base}}/users/2${ENTER}`);
      await again.shows("Alan Turing");
      await again.prompts();
      again.type(`GET {{base}}/users/3${ENTER}`);
      await again.shows("it is not in the recording");
      await again.prompts();
      again.type(CTRL_D);
      expect(await again.ended).toBe(0);
    });
  });
}

describeRecordingAtPrompt(RUNTIME);
