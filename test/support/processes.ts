import type { ChildProcess } from "node:child_process";
import { afterAll } from "vitest";

const running = new Set<ChildProcess>();

/** Ends a process with the tests of the file that started it, however they have gone. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});
