import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
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
