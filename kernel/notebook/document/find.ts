import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compilePathGlob, folderOfGlob, isGlob } from "./path-glob.ts";

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
