import process from "node:process";
import { clearInterval, setInterval } from "node:timers";

/** How often the parent is looked after, in milliseconds. */
const INTERVAL = 500;

/**
 * Watches the process that started this kernel, so that no kernel is left behind when a front end
 * is killed.
 *
 * @param parent Its process identifier. One that is not there to begin with, as in a container of
 * its own, is not watched.
 * @param onGone Called once when it has ended.
 */
export function watchParent(parent: number, onGone: () => void): void {
  if (!isAlive(parent)) return;
  // A start script may stand between the parent and us; nothing of us shall outlive that either.
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
    // A process of another user is one that lives.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
