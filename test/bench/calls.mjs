// How much of the sources one request at the prompt passes through: files, functions and calls.
//
//   npm ci --prefix test/node-versions   (once: Node 24 runs the sources without a build)
//   node test/bench/calls.mjs [ROOT]
//
// A GET is counted, from the Enter key to its table, after a first one has loaded what loads lazily. V8's
// precise coverage counts the calls. Of five GETs the one with the fewest calls is printed: on a busy
// machine the prompt also draws how long it has been waiting.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { spawn } from "@lydell/node-pty";
import { startUsersServer } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(process.argv[2] ?? join(here, "..", ".."));
const node24 = join(here, "..", "node-versions/node_modules/node24/bin/node");
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), "restlab-calls-"));
const report = join(folder, "report.json");

// Loaded before the prompt: the first signal sets the counters to zero, the second writes them.
const COUNTER = `
import { Session } from "node:inspector";
import { renameSync, writeFileSync } from "node:fs";
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("SIGUSR2", () => {
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    writeFileSync(${JSON.stringify(`${report}.part`)}, JSON.stringify(result));
    renameSync(${JSON.stringify(`${report}.part`)}, ${JSON.stringify(report)});
  });
});
`;

const server = await startUsersServer();
try {
  const counter = join(folder, "counter.mjs");
  writeFileSync(counter, COUNTER);
  const args = ["--import", pathToFileURL(counter).href, join(root, "kernel/main.ts")];
  const env = { ...process.env, RESTLAB_HISTORY: join(folder, "history"), NO_COLOR: "1" };
  const prompt = spawn(node24, args, { cols: 100, rows: 40, cwd: root, env });
  let shown = "";
  prompt.onData((text) => {
    shown += text;
  });
  const request = `GET ${server.base}/users/1`;
  await waitFor(() => /> /.test(shown));
  await send(request);
  await takeCounts();
  const counts = [];
  for (let round = 0; round < ROUNDS; round++) {
    await send(request);
    counts.push(countsOf(await takeCounts()));
  }
  prompt.kill();
  const [least] = counts.sort((one, other) => one.total - other.total);
  print(least);

  async function send(line) {
    shown = "";
    prompt.write(`${line}\r`);
    // The table is complete when the prompt for the next entry stands below it.
    await waitFor(() => /200 OK[\s\S]*> /.test(shown));
  }

  async function takeCounts() {
    rmSync(report, { force: true });
    process.kill(prompt.pid, "SIGUSR2");
    return waitFor(() => JSON.parse(readFileSync(report, "utf8")));
  }
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function waitFor(attempt) {
  for (let tries = 0; tries < 600; tries++) {
    try {
      const value = attempt();
      if (value) return value;
    } catch {
      // The report has not been written yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the prompt did not answer within 30 seconds");
}

function countsOf(scripts) {
  const own = [];
  for (const { url, functions } of scripts) {
    if (!url.startsWith("file:")) continue;
    const file = relative(root, fileURLToPath(url));
    if (!/^(?:lib|kernel)\//.test(file)) continue;
    const called = functions
      .map(({ functionName, ranges }) => ({ file, name: functionName, count: ranges[0].count }))
      .filter(({ name, count }) => count > 0 && name !== "");
    if (called.length > 0) own.push(called);
  }
  const calls = own.flat();
  const total = calls.reduce((sum, { count }) => sum + count, 0);
  return { files: own.length, calls, total };
}

function print({ files, calls, total }) {
  console.log(`files ${files}, functions ${calls.length}, calls ${total}`);
  console.log("\nmost often called:");
  const often = calls.sort((a, b) => b.count - a.count).slice(0, 15);
  for (const { file, name, count } of often)
    console.log(`${String(count).padStart(6)}  ${name}  ${file}`);
}
