import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { makeFolder } from "../../platform/mod.ts";
import type { Scope } from "./folders.ts";

/**
 * The permissions of what is installed, which a umask may reduce. Whoever can write a kernel spec
 * decides what its user starts; those in a prefix must be readable by others.
 */
export interface Permissions {
  readonly folder: number;
  readonly file: number;
}

const USER: Permissions = { folder: 0o700, file: 0o600 };
const SHARED: Permissions = { folder: 0o755, file: 0o644 };

/** The permissions of what is installed in a scope. */
export function permissionsOf({ kind }: Scope): Permissions {
  return kind === "user" ? USER : SHARED;
}

/** Creates a folder; an existing one loses any other permissions. */
export function makeOwnFolder(path: string, permissions: Permissions): void {
  makeFolder(path, permissions.folder);
  limit(path, permissions.folder);
}

/** Creates or replaces a file. Overwriting an existing one would keep its permissions. */
export function writeOwnFile(
  path: string,
  data: string | Uint8Array,
  permissions: Permissions,
): void {
  const draft = `${path}.${process.pid}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, data, { mode: permissions.file, flag: "wx" });
  renameSync(draft, path);
}

/** Removes any other permissions from all files of a folder; programs stay executable. */
export function limitTree(folder: string, permissions: Permissions): void {
  limit(folder, permissions.folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) limitTree(path, permissions);
    else if (entry.isFile()) limit(path, permissions.folder);
  }
}

function limit(path: string, permissions: number): void {
  const { mode } = statSync(path);
  if ((mode & 0o777 & ~permissions) !== 0) chmodSync(path, mode & permissions);
}
