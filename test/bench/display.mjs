// A request cell that gets a JSON listing of 10 MB, and of 100 MB, against fetching and parsing it.
//
//   node test/bench/display.mjs [--quick]
//
// The contenders run in processes of their own and take turns; medians are compared. `peer` is fetch
// and JSON.parse. All others are whole cells, through the session and the client to the forms that a
// front end gets: `kernel` shows the answer while it arrives and replaces it, `run` prints what
// arrives of streams, `prompt` takes the value and lays it out itself. `unsized` is the cell of
// `kernel` where the answer has no Content-Length. `json` is that of `kernel` and then
// `exchange.json`, asked for.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const quick = process.argv.includes("--quick");
const SIZES = quick ? [10, 20] : [10, 100];
const ROUNDS = quick ? 3 : 7;
const WHAT = ["peer", "kernel", "unsized", "run", "prompt", "json"];

let body = Buffer.alloc(0);
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  if (request.method === "HEAD" || request.url === "/") {
    response.setHeader("Content-Length", body.length);
  }
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const folder = join(root, "node_modules", ".cache", `restlab-bench-display-${process.pid}`);
mkdirSync(folder, { recursive: true });
try {
  const library = bundle(folder);
  for (const size of SIZES) {
    body = Buffer.from(listing(size * 1_000_000));
    await race(library);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  server.close();
}

async function race(library) {
  console.log(`${(body.length / 1e6).toFixed(0)} MB of JSON, ${ROUNDS} rounds in turn, medians\n`);
  const results = Object.fromEntries(WHAT.map((what) => [what, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const what of round % 2 ? WHAT.toReversed() : WHAT) {
      results[what].push(await measure(what, library));
    }
  }
  row(
    "",
    "in all",
    "of the peer's",
    "processor",
    "first rows",
    "peak memory",
    "times the body",
    "without start",
  );
  const of = (what, name) => median(results[what].map((one) => one[name]));
  for (const what of WHAT) {
    row(
      what,
      milliseconds(of(what, "all")),
      (of(what, "all") / of("peer", "all")).toFixed(2),
      milliseconds(of(what, "work")),
      milliseconds(of(what, "first")),
      `${(of(what, "peak") / 1e6).toFixed(0)} MB`,
      (of(what, "peak") / body.length).toFixed(2),
      (of(what, "added") / body.length).toFixed(2),
    );
  }
  console.log();
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
  const contender = join(here, "display-contender.mjs");
  const flags = process.env.BENCH_FLAGS?.split(" ") ?? [];
  const url = `${address}${what === "unsized" ? what : ""}`;
  const child = spawn(process.execPath, [...flags, contender, what, url, library]);
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  return new Promise((resolve, reject) =>
    child.on("close", (status) =>
      status === 0 ? resolve(JSON.parse(output)) : reject(new Error(errors)),
    ),
  );
}

/** What a front end starts, as the build makes it. */
function bundle(into) {
  const entry = join(into, "entry.ts");
  const faces = ["kernel/session/mod.ts", "kernel/terminal/mod.ts"];
  writeFileSync(entry, faces.map((face) => `export * from "${join(root, face)}";`).join("\n"));
  const cli = join(root, "node_modules", "rolldown", "bin", "cli.mjs");
  // The main file of jsonc-parser requires its parts by a parameter, which no bundler follows.
  const external = ["tslab", "jsonc-parser"].flatMap((name) => ["--external", name]);
  const flags = ["-d", join(into, "made"), "-f", "esm", "-p", "node", ...external];
  const made = spawnSync(process.execPath, [cli, entry, ...flags]);
  if (made.status !== 0) throw new Error(`Cannot bundle the session: ${made.stderr}`);
  return pathToFileURL(join(into, "made", "entry.js")).href;
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
    cells.map((cell, index) => (index === 0 ? cell.padEnd(8) : cell.padStart(15))).join(""),
  );
}
