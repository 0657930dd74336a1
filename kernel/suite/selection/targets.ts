import { resolve } from "node:path";
import { findDocuments } from "../../notebook/mod.ts";

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
