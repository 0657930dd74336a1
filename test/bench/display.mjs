// Showing a JSON listing of 100 MB, against fetching and parsing it.
//
//   node test/bench/display.mjs [--quick]
//
// The contenders run in processes of their own and take turns; medians are compared. `ours` fetches
// the bytes and shows them; `chunks` reads the head while they arrive; `peer` is fetch and JSON.parse.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const quick = process.argv.includes("--quick");
const MEGABYTES = quick ? 20 : 100;
const ROUNDS = quick ? 3 : 7;
const WHAT = ["peer", "ours", "chunks"];

const body = Buffer.from(listing(MEGABYTES * 1_000_000));
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const folder = join(root, "node_modules", ".cache", `restlab-bench-display-${process.pid}`);
mkdirSync(folder, { recursive: true });
try {
  const library = bundle(folder);
  console.log(`${(body.length / 1e6).toFixed(0)} MB of JSON, ${ROUNDS} rounds in turn, medians\n`);
  const results = Object.fromEntries(WHAT.map((what) => [what, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const what of round % 2 ? WHAT.toReversed() : WHAT) {
      results[what].push(await measure(what, library));
    }
  }
  row("", "in all", "after the body", "first rows", "memory", "times the body");
  for (const what of WHAT) {
    const of = (name) => median(results[what].map((one) => one[name]));
    const memory = of("memory");
    row(
      what,
      ...["all", "show", "first"].map((name) => milliseconds(of(name))),
      `${(memory / 1e6).toFixed(0)} MB`,
      (memory / body.length).toFixed(2),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  server.close();
}

function listing(bytes) {
  const rows = [];
  for (let id = 0, size = 0; size < bytes; id++) {
    const row = JSON.stringify({
      id,
      name: `User ${id}`,
      email: `user.${id}@example.com`,
      tags: ["a", "b"],
      active: id % 2 === 0,
      score: id / 7,
      note: 'A "quoted" remark, with commas',
    });
    rows.push(row);
    size += row.length + 1;
  }
  return `[${rows.join(",")}]`;
}

function measure(what, library) {
  const child = spawn(process.execPath, [
    join(here, "display-contender.mjs"),
    what,
    address,
    library,
  ]);
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  return new Promise((resolve, reject) =>
    child.on("close", (status) =>
      status === 0 ? resolve(JSON.parse(output)) : reject(new Error(errors)),
    ),
  );
}

function bundle(into) {
  const cli = join(root, "node_modules", "rolldown", "bin", "cli.mjs");
  const flags = ["-d", into, "-f", "esm", "-p", "node"];
  const made = spawnSync(process.execPath, [cli, join(root, "lib", "display", "mod.ts"), ...flags]);
  if (made.status !== 0) throw new Error(`Cannot bundle the display: ${made.stderr}`);
  return pathToFileURL(join(into, "mod.js")).href;
}

function milliseconds(value) {
  return value === null || Number.isNaN(value) ? "-" : `${value.toFixed(0)} ms`;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(...cells) {
  console.log(
    cells.map((cell, index) => (index === 0 ? cell.padEnd(8) : cell.padStart(16))).join(""),
  );
}
