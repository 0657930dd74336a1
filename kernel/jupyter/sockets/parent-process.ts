import process from "node:process";
import { clearInterval, setInterval } from "node:timers";

/** How often the parent is checked, in milliseconds. */
const INTERVAL = 500;

/**
 * Watches the process that started this kernel, so that the kernel ends when its front end is killed.
 *
 * @param parent Its process identifier. One that does not exist, as in another container, is not
 * watched.
 * @param onGone Called once when it has ended.
 */
export function watchParent(parent: number, onGone: () => void): void {
  if (!isAlive(parent)) return;
  // A start script may run between the parent and this process, which must not outlive it either.
  const nearest = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === nearest && isAlive(parent)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
