import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

/** Ends a process after the tests of the file that started it, whether they passed or not. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends the processes of a test file that still run. */
export function endProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}
