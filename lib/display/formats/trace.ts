// Where this package lies: its sources in lib and kernel, or what was built of them in dist.
const ROOT = import.meta.url.replace(/(?:lib\/display|dist)\/(?!.*\/dist\/).*$/, "");
// Frames of the runtime: Node and Deno name their modules, Bun has no place for them.
const FOREIGN =
  /\bnode:|\bext:|\(native\)|\[native code\]|\((?:unknown|:0)\)|<anonymous>\)?$|\/node_modules\/(?:tslab|ky)\//;

const LONGEST = 50_000;

/**
 * The lines of an error's stack that lie in the user's code: no frames of restlab, of its engine or
 * of the runtime.
 *
 * @param error What was thrown.
 * @param isOwn Says of a further line that it is not the user's.
 */
export function traceOf(error: object, isOwn: (line: string) => boolean = () => false): string[] {
  const stack: unknown = Reflect.get(error, "stack");
  if (typeof stack !== "string") return [];
  // The stack repeats name and message, which may themselves hold lines that look like frames.
  const message = String(Reflect.get(error, "message") ?? "");
  const start = message === "" ? 0 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .slice(0, LONGEST)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at |@/.test(line) && !isFrameOfOurs(line) && !isOwn(line));
}

function isFrameOfOurs(line: string): boolean {
  if (FOREIGN.test(line)) return true;
  const path = ROOT.replace(/^file:\/\//, "");
  return ["lib/", "kernel/", "dist/"].some((folder) => line.includes(path + folder));
}
