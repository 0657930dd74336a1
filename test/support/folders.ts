import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** Makes an empty folder, which is removed after the tests of the file. */
export function makeFolder(name: string, within: string = tmpdir()): string {
  const folder = mkdtempSync(join(within, `restlab-${name}-`));
  folders.push(folder);
  return folder;
}

/** Removes the folders of a test file. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
