// The folder of this package: of its sources in lib and kernel, or of its build in dist.
const ROOT = import.meta.url.replace(/(?:lib\/display|dist)\/(?!.*\/dist\/).*$/, "");
// Frames of the runtime: Node and Deno name their modules, Bun has no file for them.
const FOREIGN =
  /\bnode:|\bext:|\(native\)|\[native code\]|\((?:unknown|:0)\)|<anonymous>\)?$|\/node_modules\/(?:tslab|ky)\//;

const LONGEST = 50_000;

/**
 * Returns the lines of a stack trace that are in the code of the user: no frames of restlab, of tslab or of
 * the runtime.
 *
 * @param error What was thrown.
 * @param isOwn Whether a line is not in the code of the user for another reason.
 */
export function traceOf(error: object, isOwn: (line: string) => boolean = () => false): string[] {
  const stack: unknown = Reflect.get(error, "stack");
  if (typeof stack !== "string") return [];
  // The stack repeats name and message, which may contain lines that look like frames.
  const message = String(Reflect.get(error, "message") ?? "");
  const start = message === "" ? 0 : stack.indexOf(message);
  return stack
    .slice(start === -1 ? 0 : start + message.length)
    .slice(0, LONGEST)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at |@/.test(line) && !isOwnFrame(line) && !isOwn(line));
}

function isOwnFrame(line: string): boolean {
  if (FOREIGN.test(line)) return true;
  const path = ROOT.replace(/^file:\/\//, "");
  return ["lib/", "kernel/", "dist/"].some((folder) => line.includes(path + folder));
}
