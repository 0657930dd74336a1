import { locate } from "../../interpolation/mod.ts";
import type { ScriptDraft } from "../../request/mod.ts";

/** The scripts of files that run with each of their requests. */
export interface FileScripts {
  /** Adds a script; one at the same line of the same file is replaced. */
  add(script: ScriptDraft, file: string | undefined): void;
  of(file: string | undefined): readonly ScriptDraft[];
  clear(): void;
}

/** Creates an empty list. */
export function createFileScripts(): FileScripts {
  const files = new Map<string | undefined, Map<number, ScriptDraft>>();
  return {
    add: (script, file) => {
      const scripts = files.get(file) ?? new Map<number, ScriptDraft>();
      files.set(file, scripts.set(locate(script, script.span.start).line, script));
    },
    of: (file) => [...(files.get(file)?.values() ?? [])],
    clear: () => files.clear(),
  };
}
