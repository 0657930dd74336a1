// Rendering text with placeholders: ours against an indexOf scanner, a one-regex replace and peers.
//
//   npm ci --prefix test/bench     (once: the peers)
//   node test/bench/interpolate.mjs [--quick]
//
// Each contender runs in a process of its own, on the same texts and values.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { HOSTILE, LARGE, SMALL } from "./interpolate-texts.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const CONTENDERS = ["ours", "scanner", "regex", "mustache", "handlebars", "lodash", "bruno"];
const CASES = ["small", "large", "unused"];
const BUDGET_SECONDS = 60;
const SLOW_MICROSECONDS = 1_000_000;

if (!existsSync(join(here, "node_modules", "mustache"))) {
  console.error("The peers are not installed: run npm ci --prefix test/bench");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
try {
  const bundle = bundleOurs(folder);
  console.log(
    `node ${process.version}, ${SMALL.length} bytes small, ${LARGE.length} bytes large\n`,
  );
  const measured = Object.fromEntries(CONTENDERS.map((contender) => [contender, {}]));
  for (const name of CASES) {
    const best = race(bundle, name, CONTENDERS);
    for (const contender of CONTENDERS) measured[contender][name] = best[contender];
  }
  printPeers(measured);
  for (const name of ["often", "often:map", "often:json"]) {
    printOften(name, race(bundle, name, ["ours", "join", "ready"]));
  }
  const whole = race(bundle, "whole", ["ours", "stringify"]);
  console.log(
    `an array of 1 MB, put in whole: ${format(whole.ours)}; JSON.stringify ${format(whole.stringify)}: ${ratio(whole.ours, whole.stringify)}`,
  );
  const many = race(bundle, "many", ["ours", "regex"]);
  console.log(
    `100,000 placeholders of 1,000 names: ${format(many.ours)}; one regex ${format(many.regex)}: ${ratio(many.ours, many.regex)}`,
  );
  for (const name of Object.keys(HOSTILE)) {
    const { ours } = race(bundle, `hostile:${name}`, ["ours"]);
    console.log(`hostile: ${name.padEnd(28)} ${format(ours)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function bundleOurs(into) {
  const rolldown = join(root, "node_modules", "rolldown", "bin", "cli.mjs");
  const entry = join(root, "lib", "interpolation", "mod.ts");
  const made = spawnSync(process.execPath, [rolldown, entry, "-d", into, "-f", "esm"]);
  if (made.status !== 0) throw new Error(`Cannot bundle ${entry}: ${made.stderr}`);
  return pathToFileURL(join(into, "mod.js")).href;
}

/**
 * The best of three turns of each contender, turn by turn, so that a moment in which the machine is
 * busy with something else does not count against one of them alone.
 */
function race(bundle, name, contenders) {
  const best = {};
  for (let turn = 0; turn < 3; turn++) {
    for (const contender of contenders) {
      if (turn > 0 && !(best[contender] < SLOW_MICROSECONDS)) continue;
      const took = measure(bundle, contender, name);
      best[contender] = turn === 0 ? took : Math.min(best[contender], took);
    }
  }
  return best;
}

/** Microseconds for one rendering, or undefined where the budget did not suffice. */
function measure(bundle, contender, name) {
  const worker = join(here, "interpolate-contender.mjs");
  const quick = process.argv.includes("--quick") ? ["--quick"] : [];
  const run = spawnSync(process.execPath, [worker, bundle, contender, name, ...quick], {
    timeout: BUDGET_SECONDS * 1000,
    encoding: "utf8",
  });
  if (run.error?.code === "ETIMEDOUT") return undefined;
  if (run.status !== 0) throw new Error(`${contender}, ${name}: ${run.stderr}`);
  return Number(run.stdout);
}

function printPeers(measured) {
  const row = (cells) =>
    console.log(cells.map((cell, i) => (i ? cell.padStart(19) : cell.padEnd(12))).join(""));
  row(["contender", "small", "x scanner", "large", "x scanner", "small, unused vars"]);
  for (const contender of CONTENDERS) {
    const { small, large, unused } = measured[contender];
    row([
      contender,
      format(small),
      ratio(small, measured.scanner.small),
      format(large),
      ratio(large, measured.scanner.large),
      format(unused),
    ]);
  }
  console.log("");
}

/**
 * Against a join of the parts, each placeholder looked up, and against a join of strings that were
 * looked up before: the least that any rendering can take.
 */
function printOften(name, { ours, join: joined, ready }) {
  const kind = { often: "an object", "often:map": "a Map", "often:json": "a Map, JSON" }[name];
  console.log(
    `parsed once, rendered often from ${kind}`.padEnd(46),
    `${format(ours)}; join of its parts ${format(joined)}: ${ratio(ours, joined)};`,
    `join of ready strings ${format(ready)}: ${ratio(ours, ready)}`,
  );
}

function format(microseconds) {
  if (microseconds === undefined) return `over ${BUDGET_SECONDS} s`;
  return microseconds < 1000
    ? `${microseconds.toFixed(2)} us`
    : `${(microseconds / 1000).toFixed(1)} ms`;
}

function ratio(one, other) {
  return one === undefined || other === undefined ? "–" : (one / other).toFixed(2);
}
