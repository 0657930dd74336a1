import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Starts the server of `users-server.mjs`. */
export async function startUsersServer() {
  const script = fileURLToPath(new URL("users-server.mjs", import.meta.url));
  const server = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) =>
    server.stdout.once("data", (data) => resolve(Number(data))),
  );
  return { base: `http://127.0.0.1:${port}`, stop: () => server.kill() };
}

/**
 * Runs a command to its end.
 *
 * @returns Its wall time and processor time in seconds, and its peak memory in bytes (both 0 where Linux does not
 * count them).
 * @throws {Error} It cannot be started, or ends with a status that is not expected.
 */
export async function runProcess(name, [file, ...args], { cwd, statuses = [0] }) {
  const start = process.hrtime.bigint();
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      output = data.length < 2000 ? (output + data).slice(-2000) : String(data.subarray(-2000));
    });
  }
  let usage = { cpu: 0, peak: 0 };
  const timer = setInterval(() => {
    usage = usageOf(child.pid) ?? usage;
  }, 10);
  const status = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearInterval(timer);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (!statuses.includes(status)) throw new Error(`${name} ended with ${status}: ${output}`);
  return { seconds, ...usage };
}

/** Processor time in seconds and peak memory in bytes, as Linux counts them. */
function usageOf(pid) {
  try {
    const read = (name) => readFileSync(`/proc/${pid}/${name}`, "utf8");
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(read("status"));
    // User and system time, in hundredths of a second, are the 14th and 15th field; the 2nd may contain blanks.
    const [user, system] = read("stat")
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 13);
    return { cpu: (Number(user) + Number(system)) / 100, peak: Number(kilobytes) * 1024 };
  } catch {
    return undefined; // It has ended, or there are no such files here.
  }
}

/** Why a peer cannot run; nothing if it is here. */
export function installed(path) {
  return existsSync(path) ? undefined : "not installed: npm ci --prefix test/bench";
}

/**
 * Runs commands in turn, so that a drift of the machine's speed meets all of them alike.
 *
 * @param commands By name: the words of each, its folder, and why it cannot run.
 * @param folder The folder of those that name none.
 */
export async function runCommands(commands, rounds, folder) {
  const results = Object.fromEntries(
    Object.entries(commands).map(([name, { missing }]) => [
      name,
      { missing, seconds: [], cpu: [], peak: 0 },
    ]),
  );
  // The first round fills the caches of the disk and of the code.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { command, cwd = folder, missing }] of Object.entries(commands)) {
      if (missing !== undefined) continue;
      const { seconds, cpu, peak } = await runProcess(name, command, { cwd });
      results[name].peak = Math.max(results[name].peak, peak);
      if (round === 0) continue;
      results[name].seconds.push(seconds);
      results[name].cpu.push(cpu);
    }
  }
  return results;
}

/** Prints what commands took; ratios are those to the command `unitName`. */
export function printCommands(title, results, unitName) {
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const unit = median(results[unitName].seconds);
  const columns = ["median s", "min s", "ratio", "CPU s", "MB"];
  console.log(title.padEnd(40) + columns.map((it) => it.padStart(10)).join(""));
  for (const [name, { seconds, cpu, peak, missing }] of Object.entries(results)) {
    const figures = [median(seconds), Math.min(...seconds), median(seconds) / unit, median(cpu)];
    const shown = [...figures.map((it) => it?.toFixed(2)), Math.round(peak / 1e6) || "-"];
    const row = missing ?? shown.map((it) => String(it).padStart(10)).join("");
    console.log(`  ${name}`.padEnd(40) + row);
  }
  console.log("");
}
