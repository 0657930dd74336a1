import { join } from "node:path";

/** Whether a path has wildcards. A shell usually expands them before. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** The folder that contains all matches: the part before the first wildcard. */
export function folderOfGlob(glob: string): string {
  const plain = glob.slice(0, glob.search(/[*?[{]/));
  return plain.includes("/") ? plain.slice(0, plain.lastIndexOf("/") + 1) : ".";
}

/** Tokens of a glob and their regular expressions; `**` stands for any number of folders. */
const TOKEN = /\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}/]+\}|./gs;

/**
 * Compiles a glob to a test of paths, as a shell with `globstar` matches them: `*`, `**`, `?`, `[a-z]`, `[!a]`,
 * `{one,other}`.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  // As `join` writes the paths that are compared.
  const source = join(glob).replace(TOKEN, toSource);
  try {
    const pattern = new RegExp(`^${source}$`, "u");
    return (path) => pattern.test(path);
  } catch {
    return () => false; // A set such as `[z-a]` contains nothing.
  }
}

function toSource(token: string): string {
  if (token === "**/") return "(?:[^/]+/)*";
  if (token === "**") return ".*";
  if (token === "*") return "[^/]*";
  if (token === "?") return "[^/]";
  const inner = token.slice(1, -1);
  if (token.length > 2 && token.startsWith("{")) {
    return `(?:${inner.split(",").map(escapeText).join("|")})`;
  }
  if (token.length > 2 && token.startsWith("[")) {
    const set = inner.replace(/^!/, "").replace(/[\\^[]/g, "\\$&");
    return `[${inner.startsWith("!") ? "^" : ""}${set}]`;
  }
  return escapeText(token);
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
