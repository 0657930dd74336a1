import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];

/** An empty folder, which is taken away behind the tests of the file that asked for it. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `restlab-${name}-`));
  folders.push(folder);
  return folder;
}

// A clone with its packages has tens of thousands of files.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}, 240_000);
