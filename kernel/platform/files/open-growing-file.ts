import { closeSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import process from "node:process";
import type { DocumentFrame, GrowingFile } from "../../../lib/mod.ts";
import { draftName } from "./draft-name.ts";
import { writingReason } from "./error-reason.ts";

/** The exit status of a process that SIGTERM has ended. */
const TERMINATED = 143;

/**
 * Opens a document that is written part by part, as `name.….part` in the same folder, which only the user
 * may read. It is complete after each part, and gets its name when it is committed, or else when the process
 * ends. It writes synchronously: when a process exits, nothing else works.
 */
export function openGrowingFile(
  path: string,
  { head, separator, tail }: DocumentFrame,
): GrowingFile {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && !before.isFile()) throw new Error("it is not a regular file");
  const draft = draftName(path);
  const file = openDraft(draft, before === undefined ? 0o600 : before.mode & 0o777);
  let end = write(head + tail, 0) - Buffer.byteLength(tail);
  let isEmpty = true;
  let isOpen = true;

  function write(text: string, position: number): number {
    const bytes = Buffer.from(text);
    let at = 0;
    while (at < bytes.byteLength) {
      at += writeSync(file, bytes, at, bytes.byteLength - at, position + at);
    }
    return position + at;
  }

  function close(): boolean {
    if (!isOpen) return false;
    isOpen = false;
    process.off("exit", commit);
    process.off("SIGTERM", terminate);
    closeSync(file);
    return true;
  }

  function commit(): void {
    if (!close()) return;
    if (isEmpty) rmSync(draft, { force: true });
    else renameSync(draft, path);
  }

  function terminate(): void {
    commit();
    // The signal does not end a process that handles it.
    if (process.listenerCount("SIGTERM") === 0) process.exit(TERMINATED);
  }

  process.on("exit", commit);
  process.on("SIGTERM", terminate);
  return {
    path,
    append(part) {
      if (!isOpen) return;
      const from = end;
      end = write((isEmpty ? "" : separator) + part + tail, from) - Buffer.byteLength(tail);
      isEmpty = false;
    },
    commit,
    discard() {
      if (close()) rmSync(draft, { force: true });
    },
  };
}

/** The message of the operating system names the draft, which nobody knows. */
function openDraft(path: string, mode: number): number {
  try {
    return openSync(path, "wx", mode);
  } catch (cause) {
    throw new Error(writingReason(cause), { cause });
  }
}
