import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

const DOCUMENT = /\.(?:ipynb|http|rest)$/i;
/** Folders of packages, and those that are hidden, such as `.ipynb_checkpoints`. */
const SKIPPED = /^(?:\.|node_modules$)/;

/**
 * Replaces each folder by the `.ipynb`, `.http` and `.rest` files in it and in its folders, sorted by
 * name, and each glob (`api/**\/*.http`) by those that match it. Other paths, and those without such files,
 * stay: reading them reports what is wrong.
 */
export async function findDocuments(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const files = await documentsIn(path);
      const all = files.length === 0 && isGlob(path) ? await documentsOf(path) : files;
      return all.length === 0 ? [path] : all;
    }),
  );
  return found.flat();
}

/** A file of the command line. */
export interface Target {
  readonly path: string;
  /** The lines that were named, `api.http:12`, or the cells of a notebook; absent for the whole file. */
  readonly lines?: readonly number[];
}

const PLACE = /^(.+\.(?:ipynb|http|rest)):([1-9]\d*)$/i;

/** Finds the files of the command line; a file that is named several times is one target. */
export async function findTargets(words: readonly string[]): Promise<readonly Target[]> {
  const targets = new Map<string, Target>();
  for (const word of words) {
    const [, path, line] = PLACE.exec(word) ?? [];
    if (path === undefined) {
      for (const found of await findDocuments([word])) targets.set(resolve(found), { path: found });
      continue;
    }
    const known = targets.get(resolve(path));
    if (known !== undefined && known.lines === undefined) continue;
    targets.set(resolve(path), { path, lines: [...(known?.lines ?? []), Number(line)] });
  }
  return [...targets.values()];
}

async function documentsOf(glob: string): Promise<readonly string[]> {
  const matches = compilePathGlob(glob);
  return (await documentsIn(folderOfGlob(glob))).filter(matches);
}

async function documentsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const shown = entries
    .filter(({ name }) => !SKIPPED.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const files = shown.filter((entry) => !entry.isDirectory() && DOCUMENT.test(entry.name));
  const folders = shown.filter((entry) => entry.isDirectory());
  const below = await Promise.all(folders.map(({ name }) => documentsIn(join(folder, name))));
  return [...files.map(({ name }) => join(folder, name)), ...below.flat()];
}

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
