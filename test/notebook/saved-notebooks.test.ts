import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { textOfHtml } from "../display/judge.ts";
import { SANITIZERS } from "../display/sanitizers.ts";
import { type CommandOptions, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { checkNotebook, type StoredCell } from "./check-notebook.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");
const names = readdirSync(FOLDER).filter((name) => /^\d.*\.ipynb$/.test(name));
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

/** As in `save-notebooks.mjs`. */
const REPEATABLE = ["--seed", "restlab", "--now", "2026-01-31T12:00:00Z"];
const PORT = 8787;
/** Ends a process that opens a connection. */
const TRAP =
  'const net = require("node:net"); const trap = () => { process.stderr.write("A socket was opened\\n"); process.exit(99); };\n' +
  "net.Socket.prototype.connect = trap; net.connect = trap; globalThis.fetch = trap;\n";

/** A free port of as many digits as the usual one, so that responses that contain it have the same size. */
async function similarPort(): Promise<number> {
  for (let port = PORT + 1; port < 9999; port++) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error("No port is free");
}

/** One process shows that no connection is tried; for the others nobody listens there. */
function trapOf(name: string): CommandOptions {
  if (name !== names[0]) return {};
  const trap = join(makeFolder("offline-notebook"), "trap.cjs");
  writeFileSync(trap, TRAP);
  return { runtimeOptions: ["--require", trap] };
}

const outputsOf = (cells: readonly StoredCell[]): readonly Readonly<Record<string, unknown>>[] =>
  cells.flatMap(({ outputs = [] }) => outputs);

// If this fails after a change of what is shown or sent: npm run notebooks.
describe("the saved outputs are written again byte for byte", () => {
  let folder = "";
  let port = 0;
  beforeAll(async () => {
    folder = makeFolder("saved-notebooks");
    port = await similarPort();
    cpSync(join(FOLDER, "users.yaml"), join(folder, "users.yaml"));
    const paths = names.map((name) => join(folder, name));
    for (const [index, name] of names.entries()) {
      writeFileSync(paths[index] ?? "", read(name).replace('"%demo"', `"%demo ${port}"`));
    }
    // All in one process, which loads the compiler once.
    const args = ["run", ...REPEATABLE, "--stable", "--output", folder, ...paths];
    const { status, stderr } = await restlab("node", args);
    expect(status, stderr).toBe(0);
  });

  test.each(names)("in %s", (name) => {
    const written = readFileSync(join(folder, name), "utf8").replace(`"%demo ${port}"`, '"%demo"');
    const shown = written.replaceAll(String(port), String(PORT));
    expect(withoutGroups(shown)).toBe(withoutGroups(read(name)));
  });
});

/** The name of a group of sections is made of what they show, of which the port is a part. */
function withoutGroups(text: string): string {
  return text.replace(/(?<=<details name=\\")restlab-\w+/g, "restlab");
}

describe.each(names)("the saved outputs of %s", (name) => {
  test("are what a recording answers, without a network", async () => {
    const recording = join(FOLDER, "recordings", name.replace(".ipynb", ".har"));
    const offline = ["--replay", recording, "--var", `base=http://127.0.0.1:${PORT}`];
    const args = ["verify", "--strict", ...REPEATABLE, ...offline, join(FOLDER, name)];
    const { status, stdout, stderr } = await restlab("node", args, trapOf(name));
    expect(stdout.match(/^(?:compatible|drifted|broken|skipped) .*$/gm)).toBe(null);
    expect(stderr).toMatch(/: (\d+) responses: \1 same/);
    expect(status).toBe(0);
  });

  test("are small and valid, without errors, times and secrets", () => {
    expect(statSync(join(FOLDER, name)).size).toBeLessThan(256 * 1024);
    const cells = checkNotebook(read(name)).filter(({ cell_type }) => cell_type === "code");
    expect(cells.map(({ execution_count }) => execution_count)).toEqual(
      cells.map((_, at) => at + 1),
    );
    const text = JSON.stringify(outputsOf(cells));
    expect(text).not.toMatch(
      /"output_type":"error"|\d ms\b|GMT|correct-horse-42|demo-key-1234|my-very-own/,
    );
  });

  test("say the same on a page that removes styles and scripts, as GitHub does", () => {
    const clean = SANITIZERS["GitHub's (hast-util-sanitize)"];
    const shown = outputsOf(JSON.parse(read(name)).cells).flatMap(({ data }) => {
      const html = (data as Readonly<Record<string, readonly string[]>> | undefined)?.["text/html"];
      return html === undefined ? [] : [[html].flat().join("")];
    });
    expect(shown.length).toBeGreaterThan(3);
    for (const html of shown) {
      expect(html).not.toMatch(/<(?:style|script)\b/);
      const page = clean?.(html) ?? "";
      expect(page).not.toContain("style=");
      expect(textOfHtml(page)).toBe(textOfHtml(html));
    }
  });
});
