import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

const INTERVAL = 20;

/**
 * Watches how much memory a process and its children hold at most, each by itself, as Linux tells it.
 *
 * @returns Gives the most that one of them has held until now, in bytes; 0 where the system does not say.
 */
export function watchPeak(child: ChildProcess): () => number {
  let peak = 0;
  const look = (pid: number): void => {
    try {
      const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(read(pid, "status")) ?? [];
      peak = Math.max(peak, Number(kilobytes) * 1024);
      for (const below of read(pid, `task/${pid}/children`).split(" ")) {
        if (below !== "") look(Number(below));
      }
    } catch {
      // It has ended, or there is no such file system here.
    }
  };
  const timer = setInterval(() => look(child.pid ?? 0), INTERVAL);
  child.once("exit", () => clearInterval(timer));
  return () => peak;
}

function read(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, "utf8");
}
