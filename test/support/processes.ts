import type { ChildProcess } from "node:child_process";

/** What the tests of a file have started, also what has ended since. */
const started = new Set<ChildProcess>();

/** Ends a process after the tests of the file that started it, whether they passed or not. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  started.add(child);
  return child;
}

/** Lets an idle process live on for the next test file. */
export function keepForNextFile(child: ChildProcess): void {
  started.delete(child);
}

/** Ends the processes of a test file that still run. */
export function endProcesses(): void {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
}
