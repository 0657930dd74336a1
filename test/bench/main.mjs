// All benchmarks one after the other; each prints a table and can be run by itself.
//
//   npm ci --prefix test/bench     (once: the peers)
//   npm run bench [-- NAME... --quick]     (without a name all of them)
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BENCHMARKS = [
  "interpolate",
  "send",
  "run",
  "suite",
  "import",
  "repl",
  "display",
  "kernel",
  "secrets",
  "sizes",
  "growth",
];

const args = process.argv.slice(2);
const named = args.filter((arg) => BENCHMARKS.includes(arg));
const others = args.filter((arg) => !named.includes(arg));
for (const name of named.length > 0 ? named : BENCHMARKS) {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  if (!existsSync(script)) continue;
  console.log(`\n# ${name}\n`);
  const { status } = spawnSync(process.execPath, [script, ...others], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
