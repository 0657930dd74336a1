// client.send against bare ky over the same fetch: requests in turn to a keep-alive server on loopback.
//
//   node test/bench/send.mjs [node|deno|bun] [--quick]
//
// Server and contenders run in processes of their own; the contenders take turns, and medians are
// compared. At most 1.6 times as much, no more connections, no growth once the history is full.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const quick = process.argv.includes("--quick");
const runtime = process.argv.find((word) => word === "deno" || word === "bun") ?? "node";
const PAIRS = quick ? 5 : 15;
const REQUESTS = 1000;
const COMMANDS = {
  node: [process.execPath],
  deno: [
    join(root, "node_modules/.bin/deno"),
    "run",
    "-A",
    "--cached-only",
    "--no-lock",
    "--quiet",
  ],
  bun: [join(root, "node_modules/.bin/bun"), "run"],
};

const platform = pathToFileURL(join(root, "dist", "kernel", "platform", "library.js")).href;

const library = pathToFileURL(join(root, "dist", "kernel", "library.js")).href;

console.log(`${runtime}, ${PAIRS} pairs of ${REQUESTS} requests in turn, medians\n`);
row("", "ky", "client.send", "ratio", "of pairs");
for (const method of ["GET", "POST"]) await compare(method);
await showGrowth();

async function compare(method) {
  const results = { ky: [], ours: [] };
  for (let pair = 0; pair < PAIRS; pair++) {
    // The order changes, so that neither always follows the other.
    for (const contender of pair % 2 ? ["ours", "ky"] : ["ky", "ours"]) {
      results[contender].push(await measure(contender, method, REQUESTS));
    }
  }
  for (const [key, name] of [
    ["micros", "time"],
    ["cpu", "processor"],
  ]) {
    const [peer, own] = [results.ky, results.ours].map((list) => list.map((one) => one[key]));
    const pairs = own.map((value, pair) => value / peer[pair]);
    row(
      `${method} ${name}`,
      `${median(peer).toFixed(0)} us`,
      `${median(own).toFixed(0)} us`,
      (median(own) / median(peer)).toFixed(3),
      median(pairs).toFixed(3),
    );
  }
  const connections = (list) => String(Math.max(...list.map((one) => one.connections)));
  row(`${method} connections`, connections(results.ky), connections(results.ours));
}

/** The history is full after the first 100, that is within the warm-up. */
async function showGrowth() {
  if (runtime !== "node") return;
  console.log("\nheap grown over n further requests, history full");
  for (const count of quick ? [1000, 4000] : [1000, 4000, 16_000]) {
    const grown = [];
    for (const contender of ["ky", "ours"]) {
      grown.push((await measure(contender, "GET", count, ["--expose-gc"])).grown);
    }
    row(String(count), ...grown.map((bytes) => `${(bytes / 1024).toFixed(0)} KiB`));
  }
}

/** Each measurement has a server of its own, so that its connections are counted. */
async function measure(contender, method, requests, extra = []) {
  const server = spawn(process.execPath, [join(here, "send-server.mjs")]);
  try {
    const port = await new Promise((resolve) => server.stdout.once("data", resolve));
    const [command, ...flags] = COMMANDS[runtime];
    const base = `http://127.0.0.1:${String(port).trim()}`;
    const worker = join(here, "send-contender.mjs");
    const child = spawn(command, [
      ...extra,
      ...flags,
      worker,
      contender,
      method,
      base,
      library,
      platform,
      requests,
    ]);
    let [output, errors] = ["", ""];
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (errors += data));
    const status = await new Promise((resolve) => child.on("close", resolve));
    if (status !== 0) throw new Error(`${contender}: ${errors}`);
    return JSON.parse(output);
  } finally {
    server.kill();
  }
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function row(name, ...cells) {
  console.log([name.padEnd(18), ...cells.map((cell) => cell.padStart(13))].join(""));
}
