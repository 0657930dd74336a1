// All benchmarks one after the other; each prints a table and can be run by itself.
//
//   npm ci --prefix test/bench     (once: the peers)
//   npm run bench [-- --quick]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BENCHMARKS = [
  "interpolate",
  "send",
  "run",
  "suite",
  "repl",
  "display",
  "kernel",
  "secrets",
  "sizes",
];

for (const name of BENCHMARKS) {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  if (!existsSync(script)) continue;
  console.log(`\n# ${name}\n`);
  const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
