// Runs the notebooks of the project against the embedded API, and saves their outputs and recordings:
// npm run notebooks. The outputs are the same again as long as nothing has changed. A recording that still
// answers its notebook is kept, since times and nonces would make each one new.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "dist/kernel/main.js");
const FOLDER = "notebooks";
const RECORDINGS = join(FOLDER, "recordings");
const REPEATABLE = ["--seed", "restlab", "--now", "2026-01-31T12:00:00Z"];
const BASE = "http://127.0.0.1:8787";

function restlab(...args) {
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: ROOT, encoding: "utf8" });
}

/** Whether the recording of a notebook answers all that it sends, as its outputs say. */
function isAnswered(notebook, recording) {
  if (!existsSync(join(ROOT, recording))) return false;
  const offline = ["--replay", recording, "--var", `base=${BASE}`];
  return restlab("verify", "--strict", ...REPEATABLE, ...offline, notebook).status === 0;
}

function save(name) {
  const notebook = join(FOLDER, name);
  const recording = join(RECORDINGS, name.replace(".ipynb", ".har"));
  const run = (...options) => {
    const { status, stderr } = restlab("run", ...REPEATABLE, ...options, notebook);
    process.stdout.write(stderr);
    if (status !== 0) throw new Error(`${notebook} failed with status ${status}`);
  };
  run("--stable", "--output", notebook);
  if (!readFileSync(join(ROOT, notebook), "utf8").includes(`is ${BASE}, the URL`)) {
    throw new Error(`${notebook} has another address than ${BASE}: stop what uses this port`);
  }
  if (!isAnswered(notebook, recording)) run("--record", recording);
}

mkdirSync(join(ROOT, RECORDINGS), { recursive: true });
for (const name of readdirSync(join(ROOT, FOLDER)).sort()) {
  if (/^\d\d-.*\.ipynb$/.test(name)) save(name);
}
