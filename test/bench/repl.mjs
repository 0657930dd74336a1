// The start of the prompt: until it is there, until the first answer, until the first TypeScript.
//
//   node test/bench/repl.mjs [--quick]
//
// Contenders take turns, so that a drift of the machine's speed meets all of them alike. Each runs in
// a pseudo-terminal of its own; a time ends when the awaited text has come out of it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { startUsersServer } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const rounds = process.argv.includes("--quick") ? 3 : 11;
const node = process.execPath;
const lab = [node, join(root, "dist/kernel/main.js")];
const deno = [
  join(root, "node_modules/.bin/deno"),
  "run",
  "-A",
  "--quiet",
  join(root, "kernel/main.ts"),
];
const bun = [join(root, "node_modules/.bin/bun"), join(root, "kernel/main.ts")];
const ky = 'await import("ky"); process.stdout.write("ready> ")';

// tslab has no prompt: this is what its kernel does for the first cell, without its sockets.
const TSLAB = `
const { createConverter } = require("tslab/dist/converter.js");
const { createExecutor } = require("tslab/dist/executor.js");
const converter = createConverter();
const converters = { node: converter, browser: converter, close: () => converter.close() };
createExecutor(process.cwd(), converters, console).execute("40 + 2").then(() => process.exit());
`;

const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
const server = await startUsersServer();
try {
  const request = `GET ${server.base}/users/1\r`;
  const prompt = /(?:restlab|ready|\d)> /;
  const answer = /200 OK/;
  const sum = /42\s/;
  const contenders = {
    "node -e and ky": { command: [node, "--input-type=module", "-e", ky], until: prompt },
    "restlab, prompt": { command: lab, until: prompt },
    "restlab, first answer": { command: lab, until: prompt, type: request, shows: answer },
    "restlab, first TypeScript": { command: lab, until: prompt, type: "40 + 2\r", shows: sum },
    "tslab, first result": { command: [node, "--input-type=commonjs", "-e", TSLAB], until: sum },
    "restlab, prompt, deno": { command: deno, until: prompt },
    "restlab, prompt, bun": { command: bun, until: prompt },
  };
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, contender] of Object.entries(contenders)) {
      const taken = await time(contender);
      if (round > 0) times[name].push(taken);
    }
  }
  print(times);
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds from the start of the process to the last awaited text. */
function time({ command: [file, ...args], until, type, shows }) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const env = {
      ...process.env,
      RESTLAB_HISTORY: join(folder, "history"),
      PAGER: "cat",
      NO_COLOR: "1",
    };
    const terminal = spawn(file, args, { name: "xterm", cols: 100, rows: 50, cwd: root, env });
    let output = "";
    let wanted = until;
    const timer = setTimeout(() => {
      terminal.kill("SIGKILL");
      reject(new Error(`${file} ${args.join(" ")} does not show ${wanted}, but: ${output}`));
    }, 60_000);
    terminal.onData((data) => {
      output += data;
      if (!wanted.test(output)) return;
      if (wanted === until && shows !== undefined) {
        output = "";
        wanted = shows;
        terminal.write(type);
        return;
      }
      clearTimeout(timer);
      resolve(performance.now() - start);
      terminal.kill("SIGKILL");
    });
  });
}

function print(times) {
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const base = median(times["node -e and ky"]);
  console.log(`node ${process.version}, milliseconds, median of ${rounds} in turn\n`);
  for (const [name, list] of Object.entries(times)) {
    const value = median(list);
    console.log(
      `${name.padEnd(28)} ${value.toFixed(0).padStart(6)}  ${(value / base).toFixed(2).padStart(6)}`,
    );
  }
}
