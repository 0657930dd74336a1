import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { makeFolder } from "../../platform/mod.ts";
import type { Scope } from "./folders.ts";

/**
 * The rights of what is installed, of which a umask can take some. Whoever may write a kernel spec
 * decides what its user starts; those of a prefix are there for others to read.
 */
export interface Rights {
  readonly folder: number;
  readonly file: number;
}

const USER: Rights = { folder: 0o700, file: 0o600 };
const SHARED: Rights = { folder: 0o755, file: 0o644 };

/** The rights of what is installed in a place. */
export function rightsOf({ kind }: Scope): Rights {
  return kind === "user" ? USER : SHARED;
}

/** Makes a folder; one that is there loses the rights beyond. */
export function makeOwnFolder(path: string, rights: Rights): void {
  makeFolder(path, rights.folder);
  limit(path, rights.folder);
}

/** Writes a file anew: one that is there would keep its rights, and whoever has it open. */
export function writeOwnFile(path: string, data: string | Uint8Array, rights: Rights): void {
  const draft = `${path}.${process.pid}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, data, { mode: rights.file, flag: "wx" });
  renameSync(draft, path);
}

/** Takes from all that a folder holds the rights beyond; programs stay executable. */
export function limitTree(folder: string, rights: Rights): void {
  limit(folder, rights.folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) limitTree(path, rights);
    else if (entry.isFile()) limit(path, rights.folder);
  }
}

function limit(path: string, rights: number): void {
  const { mode } = statSync(path);
  if ((mode & 0o777 & ~rights) !== 0) chmodSync(path, mode & rights);
}
